import { rebuildInSteps, takeHalf } from "../../cell/augmentedEdits.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { makeLinked } from "../../cell/linked.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ShardAccounts } from "../../model/Account.ts";
import {
  type ShardId,
  shardChildren,
  shardContains,
  shardIsAncestor,
  shardPrefixLength,
} from "../../model/block/BlockId.ts";
import { type EnqueuedMsg, OutMsgQueueInfo, type ProcessedUpto } from "../../model/block/OutMsgQueue.ts";
import { ShardStateTotals, type ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { CurrencyCollection } from "../../model/Currency.ts";
import { LocalnetError } from "../errors.ts";
import { positionOf } from "./envelope.ts";
import { addProcessed, listProcessed, type ProcessedPoint, storeProcessed } from "./processed.ts";

/** The half of a state for one of its two shards after a split. */
export function* splitState(before: ShardStateUnsplit, shard: ShardId): Steps<ShardStateUnsplit> {
  const isRight = shardChildren(before.shard.shard)[1] === shard;
  const accounts = takeHalf(before.accounts.load(), shardPrefixLength(before.shard.shard), isRight);
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
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, yield* splitQueue(before, shard)),
    accounts: makeLinked(ShardAccounts, accounts),
    totals: makeLinked(ShardStateTotals, newTotals),
  };
}

/** The odd nanocoin goes to the right half. */
function half({ coins, extra }: CurrencyCollection, isRight: boolean): CurrencyCollection {
  if (!extra.isEmpty) throw new LocalnetError("localnet/block", "a shard collects validator fees in coins only");
  return { coins: (coins + (isRight ? 1n : 0n)) >> 1n, extra };
}

/** Messages that are looked at in one step. */
const messagesPerStep = 200;

/** A message is in the half in which it is now. */
function* splitQueue(before: ShardStateUnsplit, shard: ShardId): Steps<OutMsgQueueInfo> {
  const { queue, processed, extra } = before.outMsgQueueInfo.load();
  if (extra !== undefined && !extra.dispatchQueue.isEmpty)
    throw new LocalnetError("localnet/block", "deferred messages cannot be split");
  const all: [string, EnqueuedMsg, bigint][] = [];
  queue.forEach((message, key, lt) => void all.push([key, message, lt]));
  const kept: typeof all = [];
  for (const [i, entry] of all.entries()) {
    if (i % messagesPerStep === messagesPerStep - 1) yield;
    const { workchain, prefix } = positionOf(entry[1].envelope.load());
    if (workchain === before.shard.workchain && shardContains(shard, prefix)) kept.push(entry);
  }
  const newExtra = extra === undefined ? undefined : { ...extra, outQueueSize: kept.length };
  return {
    queue: yield* rebuildInSteps(queue, kept),
    processed: splitProcessed(processed, shard),
    extra: newExtra,
  };
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
