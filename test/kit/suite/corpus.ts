import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/lib/json.ts";

/** The name of the variable that says where the recorded chain data lies. */
const variable = "TONGATE_CORPUS";

/** Generous, because these files are ours: the largest trace is far below. */
const limits = { maxDepth: 1000, maxLength: 512 * 1024 * 1024 };

/** The folder of recorded chain data, or `undefined` when none is set; one that is set but not there is an error. */
export function findCorpus(): string | undefined {
  const folder = process.env[variable];
  if (folder === undefined || folder === "") {
    return undefined;
  }
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Error(`${variable} names no folder: ${folder}`);
  }
  return folder;
}

/**
 * Declares tests over the corpus. Without one there is a single test in their place, which holds only while the
 * variable is really unset, so that a broken set-up never passes for an absent one.
 */
export function describeCorpus(name: string, declare: (folder: string) => void): void {
  const folder = findCorpus();
  describe(name, () => {
    if (folder !== undefined) {
      declare(folder);
      return;
    }
    it("is left out while no corpus is set", () => {
      process.stdout.write(`corpus absent: set ${variable}\n`);
      expect(process.env[variable] ?? "").toBe("");
    });
  });
}

/** Paths, from the corpus folder on, of all files beneath `sub` whose names end with `ending`, in order. */
export function listFiles(folder: string, sub: string, ending: string): string[] {
  const start = join(folder, sub);
  if (!existsSync(start)) {
    return [];
  }
  return readdirSync(start, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && statSync(join(start, path)).isFile())
    .map((path) => join(sub, path))
    .sort();
}

/** The bytes of a file, unpacked when its name says that it is packed. */
export function readBytes(folder: string, path: string): Uint8Array {
  const bytes = readFileSync(join(folder, path));
  return new Uint8Array(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

/** The value of a JSON file, packed or not; whole numbers beyond 2^53 - 1 are bigints. */
export function readJson(folder: string, path: string): unknown {
  return parseJson(new TextDecoder().decode(readBytes(folder, path)), limits);
}

/** The values of a packed file with one JSON value a line, numbers as in `readJson`. */
export function readJsonLinesGz(folder: string, path: string): unknown[] {
  const text = new TextDecoder().decode(readBytes(folder, path));
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseJson(line, limits));
}
