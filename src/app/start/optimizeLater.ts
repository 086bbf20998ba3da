import { setFlagsFromString } from "node:v8";

/** How much bytecode a function runs before it is compiled with all optimizations; V8 11 has half of it by default. */
const optimizedAfterBytes = 264_000;

/** The flag for a version of V8; `undefined` for one whose default was not found to be too early. */
export function optimizationFlag(version: string): string | undefined {
  return version.startsWith("11.") ? `--interrupt-budget=${optimizedAfterBytes}` : undefined;
}

/**
 * Compiles hot functions later. By default a process that has just started spends nearly half of its CPU time in
 * threads that mostly optimize functions, some of them again, because too few of their values were seen the first time.
 * Later versions of V8, in Node 22 and after, have another budget and a compiler between, so that this may go with Node
 * 20.
 */
export function optimizeLater(): void {
  const flag = optimizationFlag(process.versions.v8);
  if (flag !== undefined) setFlagsFromString(flag);
}
