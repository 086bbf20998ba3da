import type { Executor, TickTockRun } from "../../../src/tvm/Executor.ts";

/** An executor that stops rounds before their masterchain block, so that the shard blocks of a round are seen alone. */
export interface HeldMasters extends Executor {
  /** From now on rounds stop. */
  hold(): void;
  /** Rounds go on; those that stopped fail instead, if a reason is given. */
  release(failure?: Error): void;
}

export function holdMasters(executor: Executor): HeldMasters {
  let held: { readonly wait: Promise<void>; readonly end: (failure?: Error) => void } | undefined;
  return {
    supportedGlobalVersion: executor.supportedGlobalVersion,
    runGetMethod: (run, signal) => executor.runGetMethod(run, signal),
    runTransaction: (run, signal) => executor.runTransaction(run, signal),
    runAcceptance: (run, signal) => executor.runAcceptance(run, signal),
    // Only masterchain blocks have such transactions.
    runTickTock: async (run: TickTockRun, signal?: AbortSignal) => {
      await held?.wait;
      return executor.runTickTock(run, signal);
    },
    hold: () => {
      let end: (failure?: Error) => void = () => {};
      const wait = new Promise<void>((resolve, reject) => {
        end = (failure) => (failure === undefined ? resolve() : reject(failure));
      });
      held = { wait, end };
    },
    release: (failure) => {
      held?.end(failure);
      held = undefined;
    },
  };
}
