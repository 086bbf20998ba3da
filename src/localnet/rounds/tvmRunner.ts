import { loadCell, storeCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import { ShardAccount } from "../../model/Account.ts";
import { MessageInfo } from "../../model/Message.ts";
import type { Executor, RunEnvironment, TransactionOutcome, TransactionRun } from "../../tvm/Executor.ts";
import type { Runner, RunResult } from "../collate/Runner.ts";
import { LocalnetError } from "../errors.ts";
import { runBroken } from "./brokenRun.ts";

/** What all transactions of one block share. */
export type BlockEnvironment = Omit<RunEnvironment, "now">;

/** Runs the transactions of one block on the machine. */
export function tvmRunner(executor: Executor, environment: BlockEnvironment): Runner {
  return {
    runMessage: async ({ shardAccount, message, now, lt }) => {
      const account = loadCell(ShardAccount, shardAccount);
      return ranOf(await runSurely(executor, { ...environment, account, message, now, lt }));
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

/** A machine that breaks twice would break again: messages from outside are refused then, others fail. */
async function runSurely(executor: Executor, run: TransactionRun): Promise<TransactionOutcome> {
  for (let left = 2; left > 0; left--) {
    try {
      return await executor.runTransaction(run);
    } catch (error) {
      if (!isCoded(error, "tvm/crash")) throw error;
    }
  }
  const { kind } = MessageInfo.load(sliceOf(run.message));
  if (kind === "internal") return runBroken(executor, run);
  return { kind: "notAccepted", exitCode: undefined, reason: "the machine breaks on it", log: "" };
}

function ranOf(outcome: TransactionOutcome): RunResult | undefined {
  if (outcome.kind === "notAccepted") return undefined;
  return { transaction: outcome.transaction.cell, shardAccount: storeCell(ShardAccount, outcome.account) };
}
