import { systemClock } from "../../../src/lib/clock.ts";
import { TurnBudget } from "../../../src/lib/TurnBudget.ts";
import type { Executor, TransactionOutcome } from "../../../src/tvm/Executor.ts";
import type { RunHost } from "../../../src/tvm/run/runCode.ts";
import { runTickTock, runTransaction } from "../../../src/tvm/run/transaction.ts";

/** Runs transactions on the calling thread, whatever their code does. */
export function transactionExecutor(): Pick<Executor, "runTransaction" | "runTickTock"> {
  const turns = new TurnBudget(systemClock);
  const host: RunHost = { clock: systemClock, turns, maxRunMs: 120_000, heavy: "run" };
  return {
    runTransaction: async (run, signal) => ended(await runTransaction(run, host, signal)),
    runTickTock: async (run, signal) => ended(await runTickTock(run, host, signal)),
  };
}

function ended(outcome: TransactionOutcome | "heavy"): TransactionOutcome {
  if (outcome === "heavy") throw new Error("a run was not to stop");
  return outcome;
}
