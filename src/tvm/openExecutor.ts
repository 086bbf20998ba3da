import type { Clock } from "../lib/clock.ts";
import { TurnBudget } from "../lib/TurnBudget.ts";
import type { Executor, TransactionOutcome } from "./Executor.ts";
import { type ExecutorOptions, openExecutor as openWasmExecutor } from "./engine/openExecutor.ts";
import { TvmError } from "./errors.ts";
import type { RunHost } from "./run/runCode.ts";
import { runTickTock, runTransaction } from "./run/transaction.ts";

/** An executor that lives: `close` lets runs under way end. */
export interface LiveExecutor extends Executor {
  close(): Promise<void>;
}

/** How long runs hold the event loop before others get their turn. */
const turnMs = 4;

/** How long the code of one transaction may keep the thread busy, in all. */
const maxRunMs = 10_000;

/**
 * Opens the executor of a process. Transactions run on the calling thread, in slices between which others get their turn;
 * get-methods run in worker threads.
 */
export async function openExecutor(
  options: ExecutorOptions,
  modules: { readonly clock: Clock },
): Promise<LiveExecutor> {
  const { clock } = modules;
  const methods = await openWasmExecutor(options, modules);
  const host: RunHost = { clock, turns: new TurnBudget(clock, turnMs), maxRunMs, heavy: "run" };
  let isClosed = false;
  const run = async (start: () => Promise<TransactionOutcome | "heavy">): Promise<TransactionOutcome> => {
    if (isClosed) throw new TvmError("tvm/closed", "the executor is closed");
    const outcome = await start();
    if (outcome === "heavy") throw new TvmError("tvm/crash", "a run stopped that was not to stop");
    return outcome;
  };
  return {
    supportedGlobalVersion: methods.supportedGlobalVersion,
    runGetMethod: (each, signal) => methods.runGetMethod(each, signal),
    runTransaction: (each, signal) => run(() => runTransaction(each, host, signal)),
    runTickTock: (each, signal) => run(() => runTickTock(each, host, signal)),
    close: () => {
      isClosed = true;
      return methods.close();
    },
  };
}
