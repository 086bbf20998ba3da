import { compileEngine } from "../../../src/history/store/embedded/compileEngine.ts";
import { compileMachine } from "../../../src/tvm/engine/compileMachine.ts";

let kept: Promise<readonly unknown[]> | undefined;

/**
 * Keeps the code of the built-in database and of the machine: as long as somebody has it, the platform gives whoever
 * compiles the same what it has made of it already, also in other threads. That is most of what their starts take.
 */
export async function keepEngines(): Promise<void> {
  kept ??= Promise.all([compileEngine(), compileMachine()]);
  await kept;
}
