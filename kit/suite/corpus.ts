import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/lib/json.ts";

/** The environment variable with the folder of recorded chain data. */
const variable = "TONGATE_CORPUS";

/** Generous, because the files are trusted; the largest trace is far below. */
const limits = { maxDepth: 1000, maxLength: 512 * 1024 * 1024 };

/** The folder of recorded chain data, `undefined` if not configured; throws if the configured folder does not exist. */
export function findCorpus(): string | undefined {
  const folder = process.env[variable];
  if (folder === undefined || folder === "") return undefined;
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`${variable} names no folder: ${folder}`);
  return folder;
}

/**
 * Declares tests over the corpus. Without a corpus it declares one test, which passes only while the variable is unset,
 * so that a broken setup fails.
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

/** Splits the first column of a row of INDEX.md into paths; later names of a list are in the folder of the first. */
function pathsOfRow(cell: string): string[] {
  const plain = cell.replaceAll(/`|\([^)]*\)/g, "").trim();
  const [first = "", ...others] = plain.split(/,\s*/).flatMap((part) => part.split(/\s+\+\s+/).slice(0, 1));
  const within = first.slice(0, first.lastIndexOf("/") + 1);
  return [first, ...others.map((name) => within + name)].filter((path) => path.includes("/"));
}

/** All paths in INDEX.md of the corpus: files, folders that end with a slash, and wildcards with `*`. */
export function listIndexed(folder: string): string[] {
  const index = join(folder, "INDEX.md");
  if (!existsSync(index)) return [];
  const rows = readFileSync(index, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return rows.slice(1).flatMap((row) => pathsOfRow(row.split("|")[1] ?? ""));
}

/** Whether a path matches a wildcard or is inside a named folder. */
function fits(path: string, named: string): boolean {
  const text = named.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`^${text}${named.endsWith("/") ? "" : "$"}`).test(path);
}

/** Whether a part of the corpus is present, listed but missing, or not listed. */
export function findPart(folder: string, part: string): "present" | "missing" | "unknown" {
  const start = part.slice(0, part.lastIndexOf("/", part.includes("*") ? part.indexOf("*") : part.length) + 1);
  const files = listFiles(folder, start === "" ? "." : start, "");
  if (files.some((path) => fits(path, part))) return "present";
  return listIndexed(folder).some((named) => fits(part, named) || fits(named, part)) ? "missing" : "unknown";
}

/**
 * Declares tests over parts of the corpus: files, folders (with a trailing slash) or wildcards. Any folder of the same
 * layout is a corpus: a part that it does not list is reported as absent, and a listed part must exist.
 */
export function describeCorpusPart(
  name: string,
  parts: string | readonly string[],
  declare: (folder: string) => void,
): void {
  describeCorpus(name, (folder) => {
    const states = [parts].flat().map((part) => [part, findPart(folder, part)] as const);
    if (states.every(([, state]) => state === "present")) {
      declare(folder);
      return;
    }
    it("is left out where the corpus does not have it", () => {
      const absent = states.filter(([, state]) => state !== "present").map(([part]) => part);
      process.stdout.write(`not in this corpus: ${absent.join(", ")}\n`);
      expect(states.filter(([, state]) => state === "missing")).toEqual([]);
    });
  });
}

/** Paths in the corpus of all files in `sub` whose names end with `ending`, sorted. */
export function listFiles(folder: string, sub: string, ending: string): string[] {
  const start = join(folder, sub);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && statSync(join(start, path)).isFile())
    .map((path) => join(sub, path))
    .sort();
}

/** Names of the recorded chains of a corpus: all folders with an `index.json`. */
export function listChains(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "index.json")))
    .sort();
}

/** Prints one line about data that a test would compare but this corpus lacks. */
export function reportAbsent(what: string, names: readonly string[]): void {
  if (names.length > 0) process.stdout.write(`not in this corpus: ${what} ${names.join(", ")}\n`);
}

/** The bytes of a file, decompressed if its name ends with `.gz`. */
export function readBytes(folder: string, path: string): Uint8Array {
  const bytes = readFileSync(join(folder, path));
  return new Uint8Array(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

/** The value of a JSON file, compressed or not; integers above 2^53 - 1 are bigints. */
export function readJson(folder: string, path: string): unknown {
  return parseJson(new TextDecoder().decode(readBytes(folder, path)), limits);
}

/** The JSON files in `sub` that declare this format, whatever their names. */
export function readFormat(folder: string, sub: string, format: string): Readonly<Record<string, unknown>>[] {
  const files = listFiles(folder, sub, ".json").map((path) => Object(readJson(folder, path)));
  return files.filter((file) => file.format === format);
}

/** The values of a compressed JSON lines file, numbers as in `readJson`. */
export function readJsonLinesGz(folder: string, path: string): unknown[] {
  const text = new TextDecoder().decode(readBytes(folder, path));
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseJson(line, limits));
}
