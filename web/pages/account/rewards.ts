import type { V3Answer } from "../../api/types.ts";

export type PoolEvent = V3Answer<"staking/nominatorPools/nominatorEvents">["events"][number];

/** The rewards of a transaction. */
interface Settlement {
  readonly at: number;
  readonly sum: bigint;
}

/** The rewards of all nominators by transaction, oldest first; events come newest first. */
export function sumRewards(
  events: readonly Pick<PoolEvent, "type" | "tx_hash" | "utime" | "amount">[],
): readonly Settlement[] {
  const sums = new Map<string, Settlement>();
  for (const { type, tx_hash: hash, utime: at, amount } of events)
    if (type === "reward") sums.set(hash, { at, sum: (sums.get(hash)?.sum ?? 0n) + BigInt(amount) });
  return [...sums.values()].reverse();
}
