import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A test file that imports this one, for nothing in it, runs with `TONGATE_EVERYTHING` only, or when the command line
 * names it: it tries whole programs, with processes, packages or browsers, whose parts have tests in the ordinary run.
 */
const isLong = /^import "\.{1,2}\/(?:\.\.\/)*kit\/suite\/longRun\.ts";$/m;

/** Relative paths of these files. */
export function listLong(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && isLong.test(readFileSync(join(folder, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** Those of them that the arguments of a command line do not name. */
export function leaveOut(long: readonly string[], args: readonly string[]): string[] {
  const named = args.map((arg) => arg.replaceAll("\\", "/")).filter((arg) => arg.endsWith(".test.ts"));
  return long.filter((path) => !named.some((arg) => arg.endsWith(path)));
}
