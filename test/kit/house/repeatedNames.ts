import type { Scanned } from "./sourceScan.ts";

interface NamedFile extends Scanned {
  readonly path: string;
}

/** A name exported by two files of `src/`. */
interface RepeatedName {
  readonly file: string;
  readonly name: string;
  readonly first: string;
}

const declarations =
  /(?<![.\w])export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?<kind>const|let|function|class|interface|type)\b\s*\*?\s*(?<name>[A-Za-z_$][\w$]*)/g;

/** Every folder of `contracts/families` exports one `family`. */
const familyFile = /^src\/contracts\/families\/[^/]+\/family\.ts$/;

/**
 * The scope in which a value's name must be unique: its room, or in `api` its folder, because API versions declare the
 * same endpoints and arguments. Names of types and classes are unique in all of `src/`.
 */
function scopeOf(path: string, kind: string): string {
  if (kind === "type" || kind === "interface" || kind === "class") return "src";
  return /^src\/(?:api\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;
}

/** Names exported by more than one file of `src/` in one scope. */
export function findRepeatedNames(files: readonly NamedFile[]): RepeatedName[] {
  const owners = new Map<string, string>();
  const repeatedNames: RepeatedName[] = [];
  for (const { path, code } of files) {
    if (!path.startsWith("src/") || familyFile.test(path)) continue;
    for (const { groups } of code.matchAll(declarations)) {
      const { kind = "", name = "" } = groups ?? {};
      const key = `${scopeOf(path, kind)} ${name}`;
      const first = owners.get(key) ?? path;
      owners.set(key, first);
      if (first !== path) repeatedNames.push({ file: path, name, first });
    }
  }
  return repeatedNames;
}
