import { systemClock } from "../../../lib/clock.ts";
import type { Executor } from "../../../tvm/Executor.ts";

/** The machine, loaded with the first answer that needs it. */
export function lazyExecutor(): Executor {
  let opened: Promise<Executor> | undefined;
  const open = async (): Promise<Executor> => {
    const { openExecutor } = await import("../../../tvm/run/openExecutor.ts");
    return openExecutor({}, { clock: systemClock });
  };
  const get = (): Promise<Executor> => {
    opened ??= open();
    return opened;
  };
  return {
    // What the machine supports is known when it is loaded; no check asks for it.
    supportedGlobalVersion: 0,
    runGetMethod: async (run, signal) => (await get()).runGetMethod(run, signal),
    runTransaction: async (run, signal) => (await get()).runTransaction(run, signal),
    runAcceptance: async (run, signal) => (await get()).runAcceptance(run, signal),
    runTickTock: async (run, signal) => (await get()).runTickTock(run, signal),
  };
}
