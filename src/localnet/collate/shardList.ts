import { AugmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { rebuild } from "../../cell/augmentedEdits.ts";
import { hexKey } from "../../cell/keys.ts";
import {
  type BlockIdExt,
  type ShardId,
  shardChildren,
  shardParent,
  shardSibling,
  wholeShard,
} from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import {
  listShardTops,
  makeShardTree,
  type ShardDescription,
  ShardFeeCreated,
  type ShardFees,
  type ShardHashes,
  type ShardTop,
  shardFeesSum,
} from "../../model/block/ShardHashes.ts";
import type { ValueFlow } from "../../model/block/ValueFlow.ts";
import { addCurrency, type CurrencyCollection, noCurrency } from "../../model/Currency.ts";
import { type Config, findConfigParam } from "../../model/config/ConfigParams.ts";
import { planShard } from "./shardPlan.ts";

/** A shard block that a masterchain block commits for the first time. */
export interface NewShardBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
}

/** The changes of a masterchain block to the list of shard tops. */
export interface ShardNews {
  /** New blocks; those of a shard come oldest first. */
  readonly blocks: readonly NewShardBlock[];
  readonly masterSeqno: number;
  readonly now: number;
  /** Whether validators of all shards begin a new session with this block. */
  readonly isNewSession: boolean;
  /** Whether shards stay as they are. */
  readonly keepsShards: boolean;
  readonly config: Config;
}

/** The list of shard tops after a masterchain block. */
export function nextShardHashes(before: ShardHashes, news: ShardNews): ShardHashes {
  const { config, now, masterSeqno, keepsShards } = news;
  const old = listShardTops(before);
  const known = old.flatMap((top) => follow(top, findSibling(old, top), news));
  const added = newWorkchains(config, before, now).map((zero) => register(zero, masterSeqno));
  const workchains = findConfigParam(config, 12);
  const all = [...known, ...added];
  const plan = (top: ShardTop): ShardTop =>
    planShard(top, findSibling(all, top)?.description, workchains?.find(top.workchain), now);
  const tops = keepsShards ? all : all.map(plan);
  let hashes = before;
  for (const workchain of new Set(tops.map((top) => top.workchain)))
    hashes = hashes.set(workchain, makeShardTree(tops.filter((top) => top.workchain === workchain)));
  return hashes;
}

/** The other half of the shard that a shard is a half of, if it is not split itself. */
export function findSibling(tops: readonly ShardTop[], { workchain, shard }: ShardTop): ShardTop | undefined {
  if (shard === wholeShard) return undefined;
  const sibling = shardSibling(shard);
  return tops.find((top) => top.workchain === workchain && top.shard === sibling);
}

/** The number of the validators' session after a merge. */
export function catchainSeqnoAfter(left: ShardTop, right: ShardTop): number {
  return Math.max(left.description.nextCatchainSeqno, right.description.nextCatchainSeqno) + 1;
}

/**
 * A top with the newest blocks, both halves after a split, or the shard of two after a merge, in place of the left one.
 */
function follow(top: ShardTop, sibling: ShardTop | undefined, news: ShardNews): ShardTop[] {
  const halves: readonly ShardId[] = top.description.beforeSplit ? shardChildren(top.shard) : [];
  const hasNew = (shards: readonly ShardId[]): boolean =>
    news.blocks.some(({ id }) => id.workchain === top.workchain && shards.includes(id.shard));
  if (sibling !== undefined && hasNew([shardParent(top.shard)])) {
    if (top.shard > sibling.shard) return [];
    const nextCatchainSeqno = catchainSeqnoAfter(top, sibling);
    const both = { ...top, description: { ...top.description, nextCatchainSeqno } };
    return [describe(both, shardParent(top.shard), news)];
  }
  return (hasNew(halves) ? halves : [top.shard]).map((shard) => describe(top, shard, news));
}

function describe(before: ShardTop, shard: ShardId, { blocks, masterSeqno, isNewSession }: ShardNews): ShardTop {
  const own = blocks.filter(({ id }) => id.workchain === before.workchain && id.shard === shard);
  const last = own.at(-1);
  const nextCatchainSeqno = before.description.nextCatchainSeqno + (isNewSession ? 1 : 0);
  if (last === undefined) return { ...before, description: { ...before.description, nextCatchainSeqno } };
  const { info, id } = last;
  const description: ShardDescription = {
    kind: "new",
    seqno: id.seqno,
    regMcSeqno: masterSeqno,
    startLt: info.startLt,
    endLt: info.endLt,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    beforeSplit: info.beforeSplit,
    beforeMerge: false,
    wantSplit: info.wantSplit,
    wantMerge: info.wantMerge,
    nextCatchainUpdated: false,
    flags: 0,
    nextCatchainSeqno,
    nextValidatorShard: shard,
    minRefMcSeqno: info.minRefMcSeqno,
    genUtime: info.genUtime,
    // A plan is kept until the block that executes it.
    splitMergeAt: info.beforeSplit || shard !== before.shard ? { kind: "none" } : before.description.splitMergeAt,
    funds: totalsOf(own),
  };
  return { workchain: before.workchain, shard, description };
}

/** Zero states of workchains that are in the configuration and not yet in the list. */
export function newWorkchains(config: Config, known: ShardHashes, now: number): BlockIdExt[] {
  const blockIdExts: BlockIdExt[] = [];
  findConfigParam(config, 12)?.forEach((workchain, id) => {
    if (!workchain.active || workchain.enabledSinceAt > now || known.has(id)) return;
    const { zerostateRootHash: rootHash, zerostateFileHash: fileHash } = workchain;
    blockIdExts.push({ workchain: id, shard: wholeShard, seqno: 0, rootHash, fileHash });
  });
  return blockIdExts;
}

/** A workchain begins with its zero state as the only top. */
function register(zero: BlockIdExt, masterSeqno: number): ShardTop {
  const description: ShardDescription = {
    kind: "old",
    seqno: 0,
    regMcSeqno: masterSeqno,
    startLt: 0n,
    endLt: 0n,
    rootHash: zero.rootHash,
    fileHash: zero.fileHash,
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nextCatchainUpdated: false,
    flags: 0,
    nextCatchainSeqno: 0,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 0xffffffff,
    genUtime: 0,
    splitMergeAt: { kind: "none" },
    funds: { feesCollected: noCurrency, fundsCreated: noCurrency },
  };
  return { workchain: zero.workchain, shard: wholeShard, description };
}

function totalsOf(blocks: readonly NewShardBlock[]): {
  readonly feesCollected: CurrencyCollection;
  readonly fundsCreated: CurrencyCollection;
} {
  let [feesCollected, fundsCreated] = [noCurrency, noCurrency];
  for (const { valueFlow } of blocks) {
    feesCollected = addCurrency(feesCollected, valueFlow.feesCollected);
    fundsCreated = addCurrency(fundsCreated, valueFlow.made.created);
  }
  return { feesCollected, fundsCreated };
}

/** The fees and created coins of the new shard blocks, by shard; a new workchain begins with zero. */
export function shardFeesOf(blocks: readonly NewShardBlock[], registered: readonly BlockIdExt[]): ShardFees {
  const empty: ShardFees = new AugmentedDictionary(undefined, hexKey(96), ShardFeeCreated, shardFeesSum);
  const keys = new Set([...blocks.map(({ id }) => id), ...registered].map(feeKey));
  return rebuild(
    empty,
    [...keys].map((key) => {
      const { feesCollected, fundsCreated } = totalsOf(blocks.filter(({ id }) => feeKey(id) === key));
      const value = { fees: feesCollected, create: fundsCreated };
      return [key, value, value] as const;
    }),
  );
}

function feeKey(id: BlockIdExt): string {
  return (id.workchain >>> 0).toString(16).padStart(8, "0") + id.shard.toString(16).padStart(16, "0");
}
