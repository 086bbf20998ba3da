import type { Executor } from "../../../src/tvm/Executor.ts";
import { runTickTock, runTransaction } from "../../../src/tvm/run/transaction.ts";
import { makeRunHost } from "./runHost.ts";

/** Runs transactions on the calling thread. */
export function transactionExecutor(): Pick<Executor, "runTransaction" | "runTickTock"> {
  const host = makeRunHost();
  return {
    runTransaction: (run, signal) => runTransaction(run, host, signal),
    runTickTock: (run, signal) => runTickTock(run, host, signal),
  };
}
