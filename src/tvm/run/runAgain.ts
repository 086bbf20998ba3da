import type { Transaction } from "../../model/Transaction.ts";
import type { AccountRun, Executor, TransactionOutcome } from "../Executor.ts";
import { TvmError } from "../errors.ts";

/** Runs a transaction of the chain again on the account as it was before it. */
export async function runAgain(
  executor: Pick<Executor, "runTransaction" | "runTickTock">,
  { description, messages }: Transaction,
  run: AccountRun,
  signal?: AbortSignal,
): Promise<TransactionOutcome> {
  if (description.kind === "tickTock")
    return executor.runTickTock({ ...run, which: description.isTock ? "tock" : "tick" }, signal);
  if (description.kind !== "ordinary" || messages.in === undefined) {
    throw new TvmError(
      "tvm/unsupported",
      `transactions of kind ${description.kind} cannot be run: no network makes them`,
    );
  }
  return executor.runTransaction({ ...run, message: messages.in.cell }, signal);
}
