import { loadCell } from "../../cell/codec.ts";
import { basechain } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import type { WorkchainDescr } from "../../model/config/WorkchainDescr.ts";
import type { Ledger, ZeroState } from "./Ledger.ts";

/** The possible numbers of basechain shards: fixed ones, or as many as the load requires. */
export const shardCounts = [1, 2, 4, "auto"] as const;
export type ShardCount = (typeof shardCounts)[number];

/** How often shards may be split by load. */
const maxAutoDepth = 4;

/** How often the whole shard is split, at least and at most. */
export function splitDepthsOf(count: ShardCount): { readonly splitDepth: number; readonly maxSplitDepth: number } {
  if (count === "auto") return { splitDepth: 0, maxSplitDepth: maxAutoDepth };
  return { splitDepth: Math.log2(count), maxSplitDepth: Math.log2(count) };
}

/**
 * The number of basechain shards with which a chain begins; none after its first blocks, when shards may have changed.
 */
export function findShardsToBegin({ zero, headId }: Ledger): number | undefined {
  const depth = workchainOf(zero)?.minSplit ?? 0;
  return headId.seqno > 1 + 2 * depth ? undefined : 2 ** depth;
}

/** The number of basechain shards that a chain was made with. */
export function configuredShards(masterZero: ZeroState): number | "auto" {
  const { minSplit = 0, maxSplit = 0 } = workchainOf(masterZero) ?? {};
  return maxSplit > minSplit ? "auto" : 2 ** minSplit;
}

function workchainOf(masterZero: ZeroState): WorkchainDescr | undefined {
  const extra = loadCell(ShardStateUnsplit, masterZero.root).custom?.load();
  return extra === undefined ? undefined : findConfigParam(extra.config, 12)?.find(basechain);
}

/**
 * How many seconds before its first use a chain must begin: each split takes a block after its planned time, and time
 * has whole seconds.
 */
export function secondsToSplit(count: ShardCount): number {
  const { splitDepth } = splitDepthsOf(count);
  return splitDepth === 0 ? 0 : 2 + 2 * splitDepth;
}
