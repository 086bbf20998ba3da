import { compileEngine } from "../../../src/history/store/embedded/compileEngine.ts";

let kept: Promise<readonly unknown[]> | undefined;

/**
 * Keeps the code of the built-in database: as long as somebody has it, the platform gives whoever
 * compiles the same what it has made of it already, also in other threads. That is most of what their starts take.
 */
export async function keepEngines(): Promise<void> {
  kept ??= Promise.all([compileEngine()]);
  await kept;
}
