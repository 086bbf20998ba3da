import { loadCell } from "../cell/codec.ts";
import { basechain } from "../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../model/block/ShardState.ts";
import { findConfigParam } from "../model/config/ConfigParams.ts";
import type { ZeroState } from "./ledger/Ledger.ts";

/** In how many shards a basechain can be from its beginning. */
export const shardCounts = [1, 2, 4] as const;
export type ShardCount = (typeof shardCounts)[number];

/** How often the whole is halved. */
export function splitDepthOf(count: ShardCount): number {
  return Math.log2(count);
}

/** In how many shards a chain wants its basechain to be, as its zero state says. */
export function wantedShards(masterZero: ZeroState): number {
  const extra = loadCell(ShardStateUnsplit, masterZero.root).custom?.load();
  const workchain = extra === undefined ? undefined : findConfigParam(extra.config, 12)?.find(basechain);
  return 2 ** (workchain?.minSplit ?? 0);
}

/**
 * How many seconds before its first use a chain must be born: each halving takes a block after the moment that it was
 * planned at, and time goes by whole seconds.
 */
export function secondsToSplit(count: ShardCount): number {
  return count === 1 ? 0 : 2 + 2 * splitDepthOf(count);
}
