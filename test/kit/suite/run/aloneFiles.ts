import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Calls that change modules for later imports. */
const replacesModules = /\bvi\.(?:mock|doMock|resetModules)\(/;

/** Measures the event loop, which collections of a large heap hold up. */
const measuresLoop = /\bnew LoopWatch\(/;

/** Relative paths of test files that need the test runner to load all modules anew, each in a process of its own. */
export function listMocked(folder: string): string[] {
  return listFiles(folder, (text) => replacesModules.test(text));
}

/** Relative paths of other test files that each need a process of their own. */
export function listAlone(folder: string): string[] {
  return listFiles(folder, (text) => measuresLoop.test(text) && !replacesModules.test(text));
}

function listFiles(folder: string, isListed: (text: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && isListed(readFileSync(join(folder, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}
