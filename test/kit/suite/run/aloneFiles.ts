import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Calls that change modules for later imports. */
const changesModules = /\bvi\.(?:mock|doMock|resetModules)\(/;

/** Relative paths of test files that change modules; each needs its own process. */
export function listAlone(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && changesModules.test(readFileSync(join(folder, path), "utf8")))
    .sort();
}
