import { dirname, join } from "node:path/posix";
import { type FoundImport, namesIn, type Scanned } from "./sourceScan.ts";

/** A scanned file with its path and imports. */
interface ImportingFile extends Scanned {
  readonly path: string;
  readonly imports: readonly FoundImport[];
}

/** An export that nothing in `src/` and `web/` uses. */
interface UnusedExport {
  readonly file: string;
  readonly name: string;
  readonly reason: "only tests use it" | "nobody uses it";
}

const declarations =
  /(?<![.\w])export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function|class|interface|type)\b\s*\*?\s*(?<name>[A-Za-z_$][\w$]*)/g;
const lists = /(?<![.\w])export\s+(?:type\s+)?(?<clause>\{[^}]*\})/g;
/** Parts of a table that is declared in the file: it has their names as well. */
const parts = /(?<![.\w])export\s+const\s+(?<clause>\{[^}]*\})/g;

/**
 * Exports of `src/` that nothing in `src/` and `web/` uses. Exports of `entries` are used from outside the repository.
 */
export function findUnusedExports(files: readonly ImportingFile[], entries: ReadonlySet<string>): UnusedExport[] {
  const importers = countImporters(files);
  return files
    .filter(({ path }) => path.startsWith("src/") && !entries.has(path))
    .flatMap((file) => {
      const ofTable = new Set(listNames(file, parts));
      const isUnused = (name: string) => countWord(file.code, name) <= (ofTable.has(name) ? 2 : 1);
      const unused = listExports(file).filter((name) => !importers.src.has(`${file.path} ${name}`) && isUnused(name));
      return unused.map((name) => ({
        file: file.path,
        name,
        reason: importers.others.has(`${file.path} ${name}`)
          ? ("only tests use it" as const)
          : ("nobody uses it" as const),
      }));
    });
}

function listExports(file: Scanned): string[] {
  const declared = [...file.code.matchAll(declarations)].map(({ groups }) => groups?.name ?? "");
  return [...new Set([...declared, ...listNames(file, lists), ...listNames(file, parts)])];
}

function listNames({ code }: Scanned, clauses: RegExp): string[] {
  return [...code.matchAll(clauses)].flatMap(({ groups }) => namesIn(groups?.clause ?? ""));
}

/** Imported names as `path name`, by the files of `src/` and `web/`, which are shipped, and by all others. */
interface Importers {
  readonly src: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

function countImporters(files: readonly ImportingFile[]): Importers {
  const importers = { src: new Set<string>(), others: new Set<string>() };
  const exportsOf = new Map(files.map((file) => [file.path, listExports(file)]));
  for (const file of files) {
    const imported = importers[/^(?:src|web)\//.test(file.path) ? "src" : "others"];
    for (const { path, names, takesAll } of file.imports) {
      const target = path?.startsWith(".") ? join(dirname(file.path), path) : undefined;
      if (target === undefined) continue;
      // A dynamic import lists no names: every export whose name occurs in the file counts as imported.
      const isUsed = (name: string) => takesAll || countWord(file.code, name) > 0;
      const used = names.length > 0 ? names : (exportsOf.get(target) ?? []).filter(isUsed);
      for (const name of used) imported.add(`${target} ${name}`);
    }
  }
  return importers;
}

function countWord(code: string, word: string): number {
  return code.match(new RegExp(`(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])`, "g"))?.length ?? 0;
}
