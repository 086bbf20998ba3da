import type { Block } from "../../api/types.ts";
import type { UserTransaction } from "./userTransactions.ts";

/** A masterchain block with the shard blocks that it commits. */
export interface Round {
  readonly seqno: number;
  readonly at: number;
  /** Transactions of users. */
  readonly transactions: number;
}

const maxRounds = 40;

/**
 * The newest rounds, oldest first. Of the transactions of a round those of users count, as long as the list of them
 * reaches back that far; before that, and on a busy network, all but those of the masterchain do.
 */
export function listRounds(blocks: readonly Block[], users: readonly UserTransaction[], isComplete: boolean): Round[] {
  const counts = new Map<number, number>();
  for (const { block } of users) counts.set(block, (counts.get(block) ?? 0) + 1);
  const reached = isComplete ? 0 : (users.at(-1)?.block ?? Number.POSITIVE_INFINITY);
  const rounds = new Map<number, Round>();
  for (const { masterchain_block_ref: commit, workchain, gen_utime: at, tx_count: all } of blocks) {
    const former = rounds.get(commit.seqno);
    const below = (former?.transactions ?? 0) + (workchain === -1 ? 0 : all);
    const transactions = commit.seqno > reached ? (counts.get(commit.seqno) ?? 0) : below;
    rounds.set(commit.seqno, { seqno: commit.seqno, at: Math.max(former?.at ?? 0, Number(at)), transactions });
  }
  const sorted = [...rounds.values()].sort((a, b) => a.seqno - b.seqno);
  // The limit of the list may cut shard blocks of the oldest one.
  return sorted.slice(1).slice(-maxRounds);
}
