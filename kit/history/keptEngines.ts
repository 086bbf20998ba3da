import { compileEngine } from "../../src/history/store/engine/embedded/compileEngine.ts";

let kept: Promise<readonly unknown[]> | undefined;

/**
 * Keeps the compiled code of the embedded database alive: while a reference exists, Node reuses it for the same code,
 * also in other threads. Compiling takes most of their start time.
 */
export async function keepEngines(): Promise<void> {
  kept ??= Promise.all([compileEngine()]);
  await kept;
}
