import { type Ask, v3 } from "../../api/ask.ts";
import type { Transaction, V3Answer } from "../../api/types.ts";

/** What the home page needs of a transaction. */
export interface UserTransaction {
  readonly hash: string;
  readonly lt: bigint;
  readonly at: number;
  /** Seqno of the masterchain block. */
  readonly block: number;
  readonly trace: string;
}

/**
 * The elector and the configuration, which run in every masterchain block: without them a list has what users caused.
 */
const systemAccounts = ["3", "5"].map((digit) => `-1:${digit.repeat(64)}`);

/** How many are asked for when the page opens. */
export const firstCount = 200;
const maxHeld = 1_000;
/** Blocks of different shards overlap in logical time: what is asked again is two rounds more than what is new. */
const overlap = 4_000_000n;

/** The newest transactions of users, all of them or those after a logical time. */
export function askUsers(after?: bigint): Ask<V3Answer<"transactions">> {
  const start = after === undefined || after <= overlap ? {} : { start_lt: String(after - overlap) };
  return v3("transactions", { exclude_account: systemAccounts, limit: firstCount, ...start });
}

/** Adds new transactions to the known ones, newest first. */
export function addTransactions(
  known: readonly UserTransaction[],
  transactions: readonly Transaction[],
): readonly UserTransaction[] {
  const all = new Map(known.map((each) => [each.hash, each]));
  for (const { hash, lt, now, mc_block_seqno: block, trace_id: trace } of transactions)
    all.set(hash, { hash, lt: BigInt(lt), at: now, block, trace: trace ?? hash });
  const sorted = [...all.values()].sort((a, b) => (a.lt === b.lt ? 0 : a.lt < b.lt ? 1 : -1));
  return sorted.slice(0, maxHeld);
}
