import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Calls that change modules for later imports, or measure the event loop, which collections of a large heap hold up.
 */
const needsProcess = /\bvi\.(?:mock|doMock|resetModules)\(|\bnew LoopWatch\(/;

/** Relative paths of test files that each need a process of their own. */
export function listAlone(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && needsProcess.test(readFileSync(join(folder, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}
