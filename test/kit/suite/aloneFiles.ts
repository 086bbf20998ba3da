import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What changes modules for whoever imports them afterwards. */
const changesModules = /\bvi\.(?:mock|doMock|resetModules)\(/;

/** Test files that change modules, by their paths below a folder: each of them needs a process of its own. */
export function listAlone(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && changesModules.test(readFileSync(join(folder, path), "utf8")))
    .sort();
}
