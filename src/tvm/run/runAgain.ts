import { runAtOnce } from "../../lib/sharing/steps.ts";
import { isAccountWrite, isImpersonated } from "../../model/AccountWrite.ts";
import type { Transaction } from "../../model/Transaction.ts";
import type { AccountRun, Executor, TransactionOutcome } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { writeAccount } from "./writeAccount.ts";

/** Runs a transaction of the chain again on the account as it was before it. */
export async function runAgain(
  executor: Pick<Executor, "runTransaction" | "runTickTock">,
  transaction: Transaction,
  run: AccountRun,
  signal?: AbortSignal,
): Promise<TransactionOutcome> {
  const { description, messages } = transaction;
  if (description.kind === "tickTock")
    return executor.runTickTock({ ...run, which: description.isTock ? "tock" : "tick" }, signal);
  if (description.kind !== "ordinary" || messages.in === undefined) {
    throw new TvmError(
      "tvm/unsupported",
      `transactions of kind ${description.kind} cannot be run: no network makes them`,
    );
  }
  const message = messages.in.cell;
  if (isAccountWrite(transaction)) return runAtOnce(writeAccount({ ...run, message }));
  const signatures = isImpersonated(transaction) ? "impersonate" : run.signatures;
  return executor.runTransaction({ ...run, ...(signatures && { signatures }), message }, signal);
}
