import { runAtOnce } from "../../lib/sharing/steps.ts";
import type { AccountRun, Executor, TransactionOutcome } from "../../tvm/Executor.ts";
import { writeAccount } from "../../tvm/run/writeAccount.ts";
import type { Runner, RunResult } from "../collate/Runner.ts";
import { LocalnetError } from "../errors.ts";
import type { Impersonated } from "./Impersonated.ts";

/** Data shared by all transactions of one block. */
export type BlockEnvironment = Omit<AccountRun, "now" | "account" | "lt">;

/** Runs the transactions of one block on the machine. */
export function tvmRunner(executor: Executor, environment: BlockEnvironment, impersonated: Impersonated): Runner {
  return {
    runMessage: async ({ shardAccount: account, message, now, lt }) => {
      const own = impersonated.environmentFor(message, environment);
      return ranOf(await executor.runTransaction({ account, message, now, lt, ...own }));
    },
    runWrite: ({ shardAccount: account, message, now, lt }) => {
      const { config } = environment;
      const { transaction, account: shardAccount } = runAtOnce(writeAccount({ config, account, message, now, lt }));
      return { transaction, shardAccount };
    },
    runTickTock: async ({ shardAccount: account, isTock, now, lt }) => {
      const which = isTock ? "tock" : "tick";
      const ran = ranOf(await executor.runTickTock({ account, now, lt, which, ...environment }));
      if (ran === undefined) throw new LocalnetError("localnet/block", `a ${which} was not accepted`);
      return ran;
    },
  };
}

function ranOf(outcome: TransactionOutcome): RunResult | undefined {
  if (outcome.kind === "notAccepted") return undefined;
  return { transaction: outcome.transaction, shardAccount: outcome.account };
}
