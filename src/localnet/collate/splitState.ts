import type { Dictionary } from "../../cell/dictionary.ts";
import { makeLinked } from "../../cell/linked.ts";
import { type ShardAccount, ShardAccounts } from "../../model/Account.ts";
import { accountOf, workchainOf } from "../../model/Address.ts";
import { type ShardId, shardChildren, shardContains, shardIsAncestor } from "../../model/block/BlockId.ts";
import { type EnqueuedMsg, OutMsgQueueInfo, type ProcessedUpto } from "../../model/block/OutMsgQueue.ts";
import { ShardStateTotals, type ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { CurrencyCollection } from "../../model/Currency.ts";
import type { Hash } from "../../model/Hash.ts";
import type { MessageEnvelope } from "../../model/MessageEnvelope.ts";
import { LocalnetError } from "../errors.ts";
import { ends, prefixOf, workchainBits } from "./envelope.ts";
import { addProcessed, listProcessed, type ProcessedPoint, storeProcessed } from "./processed.ts";

/** The half of a state for one of its two shards after a split. */
export function splitState(before: ShardStateUnsplit, shard: ShardId): ShardStateUnsplit {
  const isRight = shardChildren(before.shard.shard)[1] === shard;
  const all = before.accounts.load();
  const kept: [Hash, ShardAccount, ReturnType<ShardAccounts["rootExtra"]>][] = [];
  all.forEach((account, key, extra) => {
    if (shardContains(shard, key)) kept.push([key, account, extra]);
  });
  const accounts = all.rebuilt(kept);
  const totals = before.totals.load();
  const newTotals = {
    ...totals,
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: accounts.rootExtra().balance,
    totalValidatorFees: half(totals.totalValidatorFees, isRight),
  };
  return {
    ...before,
    shard: { workchain: before.shard.workchain, shard },
    beforeSplit: false,
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, splitQueue(before, shard)),
    accounts: makeLinked(ShardAccounts, accounts),
    totals: makeLinked(ShardStateTotals, newTotals),
  };
}

/** The odd nanocoin goes to the right half. */
function half({ coins, extra }: CurrencyCollection, isRight: boolean): CurrencyCollection {
  if (!extra.isEmpty) throw new LocalnetError("localnet/block", "a shard collects validator fees in coins only");
  return { coins: (coins + (isRight ? 1n : 0n)) >> 1n, extra };
}

function splitQueue(before: ShardStateUnsplit, shard: ShardId): OutMsgQueueInfo {
  const { queue, processed, extra } = before.outMsgQueueInfo.load();
  const { workchain } = before.shard;
  const kept: [string, EnqueuedMsg, bigint][] = [];
  queue.forEach((message, key, lt) => {
    if (stands(message.envelope.load(), workchain, shard)) kept.push([key, message, lt]);
  });
  const newExtra = extra === undefined ? undefined : { ...extra, outQueueSize: kept.length };
  if (extra !== undefined && !extra.dispatchQueue.isEmpty)
    throw new LocalnetError("localnet/block", "deferred messages cannot be split");
  return { queue: queue.rebuilt(kept), processed: splitProcessed(processed, shard), extra: newExtra };
}

/** Whether a queued message is in this shard now. */
function stands({ current, message }: MessageEnvelope, workchain: number, shard: ShardId): boolean {
  const way = ends(message.load());
  if (way === undefined || current.kind !== "regular")
    throw new LocalnetError("localnet/block", "a message in a queue whose position is unknown");
  const bits = current.useDestBits;
  if (bits < workchainBits) return workchainOf(way.src) === workchain && shardContains(shard, accountOf(way.src));
  const taken = (1n << BigInt(64 - (bits - workchainBits))) - 1n;
  const prefix = (prefixOf(accountOf(way.dest)) & ~taken) | (prefixOf(accountOf(way.src)) & taken);
  const place = prefix.toString(16).padStart(16, "0").padEnd(64, "0") as Hash;
  return workchainOf(way.dest) === workchain && shardContains(shard, place);
}

/** Messages that the whole has processed count as processed in both halves. */
function splitProcessed(processed: Dictionary<string, ProcessedUpto>, shard: ShardId) {
  const empty = processed.keys().reduce((dict, key) => dict.delete(key), processed);
  const points = listProcessed(processed).reduce<readonly ProcessedPoint[]>((known, point) => {
    if (shardIsAncestor(point.shard, shard)) return addProcessed(known, { ...point, shard });
    return shardIsAncestor(shard, point.shard) ? addProcessed(known, point) : known;
  }, []);
  return storeProcessed(empty, points);
}
