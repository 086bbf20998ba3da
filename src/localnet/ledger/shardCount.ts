import { loadCell } from "../../cell/codec.ts";
import { basechain } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import type { ZeroState } from "./Ledger.ts";

/** The possible initial numbers of basechain shards. */
export const shardCounts = [1, 2, 4] as const;
export type ShardCount = (typeof shardCounts)[number];

/** How often the whole shard is split. */
export function splitDepthOf(count: ShardCount): number {
  return Math.log2(count);
}

/** The number of basechain shards of a chain, from its zero state. */
export function configuredShards(masterZero: ZeroState): number {
  const extra = loadCell(ShardStateUnsplit, masterZero.root).custom?.load();
  const workchain = extra === undefined ? undefined : findConfigParam(extra.config, 12)?.find(basechain);
  return 2 ** (workchain?.minSplit ?? 0);
}

/**
 * How many seconds before its first use a chain must begin: each split takes a block after its planned time, and time
 * has whole seconds.
 */
export function secondsToSplit(count: ShardCount): number {
  return count === 1 ? 0 : 2 + 2 * splitDepthOf(count);
}
