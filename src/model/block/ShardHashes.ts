import { type Augmentation, augmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { bool, cell, ref, struct, uint, uint32, uint64, union, type ValueOf } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { hexKey, intKey } from "../../cell/keys.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { addCurrency, CurrencyCollection, noCurrency } from "../Currency.ts";
import { ModelError } from "../errors.ts";
import { hash } from "../Hash.ts";
import { type BlockIdExt, type ShardId, shardChildren, wholeShard } from "./BlockId.ts";

// fsm_none$0; fsm_split$10 split_utime:uint32 interval:uint32; fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
export const FutureSplitMerge = union({
  none: ["$0", {}],
  split: ["$10", { at: uint32, interval: uint32 }],
  merge: ["$11", { at: uint32, interval: uint32 }],
});

const descriptionFields = {
  seqno: uint32,
  regMcSeqno: uint32,
  startLt: uint64,
  endLt: uint64,
  rootHash: hash,
  fileHash: hash,
  beforeSplit: bool,
  beforeMerge: bool,
  wantSplit: bool,
  wantMerge: bool,
  nextCatchainUpdated: bool,
  flags: uint(3),
  nextCatchainSeqno: uint32,
  nextValidatorShard: uint64,
  minRefMcSeqno: uint32,
  genUtime: uint32,
  splitMergeAt: FutureSplitMerge,
};

const funds = struct({ feesCollected: CurrencyCollection, fundsCreated: CurrencyCollection });

// shard_descr#b … fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
// shard_descr_new#a … ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ] = ShardDescr;
export const ShardDescription = union({
  old: ["#b", { ...descriptionFields, funds }],
  new: ["#a", { ...descriptionFields, funds: ref(funds) }],
});
export type ShardDescription = ValueOf<typeof ShardDescription>;

/** A binary tree by shard: `bt_leaf$0 leaf:X`, `bt_fork$1 left:^(BinTree X) right:^(BinTree X)`. */
// _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
export const ShardHashes = dictionary(intKey(32), cell);
export type ShardHashes = ValueOf<typeof ShardHashes>;

export interface ShardTop {
  readonly workchain: number;
  readonly shard: ShardId;
  readonly description: ShardDescription;
}

/** More shards than a workchain can have; forks that share a half would have 2⁶⁰. */
const maxShards = 4096;

/** Visits the leaves of one workchain's tree from left to right; pruned branches may be skipped. */
export function walkShardTree(
  tree: Cell,
  visit: (shard: ShardId, description: ShardDescription) => void,
  skipPruned = false,
): void {
  const stack: [Cell, ShardId][] = [[tree, wholeShard]];
  let left = 2 * maxShards;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [cell, shard] = next;
    if (--left < 0) throw new ModelError("model/shard", `a tree of more than ${maxShards} shards`);
    if (skipPruned && cell.isExotic) continue;
    const slice = sliceOf(cell);
    if (slice.loadBit()) {
      const [left, right] = shardChildren(shard);
      stack.push([slice.preloadRef(1), right], [slice.preloadRef(0), left]);
      slice.skipRefs(2).end();
    } else {
      visit(shard, ShardDescription.load(slice));
      slice.end();
    }
  }
}

/** All shard tops of a masterchain block or state, by workchain, then from left to right. */
export function listShardTops(hashes: ShardHashes): ShardTop[] {
  const tops: ShardTop[] = [];
  hashes.forEach((tree, workchain) => {
    walkShardTree(tree, (shard, description) => void tops.push({ workchain, shard, description }));
  });
  return tops;
}

export function shardTopId(top: ShardTop): BlockIdExt {
  const { seqno, rootHash, fileHash } = top.description;
  return { workchain: top.workchain, shard: top.shard, seqno, rootHash, fileHash };
}

/** The tree of shards, which are given from left to right and cover the whole workchain. */
export function makeShardTree(tops: readonly { shard: ShardId; description: ShardDescription }[]): Cell {
  const build = (shard: ShardId): Cell => {
    const leaf = tops.find((top) => top.shard === shard);
    if (leaf !== undefined) {
      const builder = beginCell().storeBit(false);
      ShardDescription.store(builder, leaf.description);
      return builder.cell();
    }
    if ((shard & -shard) <= 8n) throw new ModelError("model/shard", "the shards do not cover the workchain");
    const [left, right] = shardChildren(shard);
    return beginCell().storeBit(true).storeRef(build(left)).storeRef(build(right)).cell();
  };
  return build(wholeShard);
}

// _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
export const ShardFeeCreated = struct({ fees: CurrencyCollection, create: CurrencyCollection });
export type ShardFeeCreated = ValueOf<typeof ShardFeeCreated>;

export const shardFeesSum: Augmentation<ShardFeeCreated> = {
  codec: ShardFeeCreated,
  empty: { fees: noCurrency, create: noCurrency },
  combine: (a, b) => ({ fees: addCurrency(a.fees, b.fees), create: addCurrency(a.create, b.create) }),
};

// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
export const ShardFees = augmentedDictionary(hexKey(96), ShardFeeCreated, shardFeesSum);
export type ShardFees = ValueOf<typeof ShardFees>;
