import { loadCell, storeCell } from "../../cell/codec.ts";
import { ShardAccount } from "../../model/Account.ts";
import type { Executor, RunEnvironment, TransactionOutcome } from "../../tvm/Executor.ts";
import type { Runner, RunResult } from "../collate/Runner.ts";
import { LocalnetError } from "../errors.ts";

/** Data shared by all transactions of one block. */
export type BlockEnvironment = Omit<RunEnvironment, "now">;

/** Runs the transactions of one block on the machine. */
export function tvmRunner(executor: Executor, environment: BlockEnvironment): Runner {
  return {
    runMessage: async ({ shardAccount, message, now, lt }) => {
      const account = loadCell(ShardAccount, shardAccount);
      return ranOf(await executor.runTransaction({ ...environment, account, message, now, lt }));
    },
    runTickTock: async ({ shardAccount, isTock, now, lt }) => {
      const account = loadCell(ShardAccount, shardAccount);
      const which = isTock ? "tock" : "tick";
      const ran = ranOf(await executor.runTickTock({ ...environment, account, now, lt, which }));
      if (ran === undefined) throw new LocalnetError("localnet/block", `a ${which} was not accepted`);
      return ran;
    },
  };
}

function ranOf(outcome: TransactionOutcome): RunResult | undefined {
  if (outcome.kind === "notAccepted") return undefined;
  return { transaction: outcome.transaction.cell, shardAccount: storeCell(ShardAccount, outcome.account) };
}
