import { AugmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { hexKey } from "../../cell/keys.ts";
import { type BlockIdExt, wholeShard } from "../../model/BlockId.ts";
import type { BlockInfo } from "../../model/BlockInfo.ts";
import { type Config, findConfigParam } from "../../model/ConfigParams.ts";
import { addCurrency, type CurrencyCollection, noCurrency } from "../../model/Currency.ts";
import {
  listShardTops,
  makeShardTree,
  type ShardDescription,
  ShardFeeCreated,
  type ShardFees,
  type ShardHashes,
  type ShardTop,
  shardFeesSum,
} from "../../model/ShardHashes.ts";
import type { ValueFlow } from "../../model/ValueFlow.ts";

/** A shard block that a masterchain block commits for the first time. */
export interface NewShardBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
}

export interface CatchainRule {
  /** Whether validators of all shards begin a new session with this block. */
  readonly isUpdated: boolean;
}

/** The list of shard tops after a masterchain block. New blocks of a shard come oldest first. */
export function nextShardHashes(
  before: ShardHashes,
  blocks: readonly NewShardBlock[],
  masterSeqno: number,
  catchain: CatchainRule,
  newWorkchains: readonly BlockIdExt[],
): ShardHashes {
  const known = listShardTops(before).map((top) => describe(top, blocks, masterSeqno, catchain));
  const tops = [...known, ...newWorkchains.map((zero) => register(zero, masterSeqno))];
  let hashes = before;
  for (const workchain of new Set(tops.map((top) => top.workchain)))
    hashes = hashes.set(workchain, makeShardTree(tops.filter((top) => top.workchain === workchain)));
  return hashes;
}

function describe(
  top: ShardTop,
  blocks: readonly NewShardBlock[],
  masterSeqno: number,
  { isUpdated }: CatchainRule,
): ShardTop {
  const own = blocks.filter(({ id }) => id.workchain === top.workchain && id.shard === top.shard);
  const last = own.at(-1);
  const nextCatchainSeqno = top.description.nextCatchainSeqno + (isUpdated ? 1 : 0);
  if (last === undefined) return { ...top, description: { ...top.description, nextCatchainSeqno } };
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
    nextValidatorShard: top.shard,
    minRefMcSeqno: info.minRefMcSeqno,
    genUtime: info.genUtime,
    splitMergeAt: { kind: "none" },
    funds: totalsOf(own),
  };
  return { ...top, description };
}

/** Zero states of workchains that the configuration has and the list does not have yet. */
export function newWorkchains(config: Config, known: ShardHashes, now: number): BlockIdExt[] {
  const found: BlockIdExt[] = [];
  findConfigParam(config, 12)?.forEach((workchain, id) => {
    if (!workchain.active || workchain.enabledSinceAt > now || known.has(id)) return;
    const { zerostateRootHash: rootHash, zerostateFileHash: fileHash } = workchain;
    found.push({ workchain: id, shard: wholeShard, seqno: 0, rootHash, fileHash });
  });
  return found;
}

/** A workchain begins with its zero state as the one top. */
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

/** What the new shard blocks hand over, by shard; a new workchain begins with nothing. */
export function shardFeesOf(blocks: readonly NewShardBlock[], registered: readonly BlockIdExt[]): ShardFees {
  const empty: ShardFees = new AugmentedDictionary(undefined, hexKey(96), ShardFeeCreated, shardFeesSum);
  const keys = new Set([...blocks.map(({ id }) => id), ...registered].map(feeKey));
  return empty.rebuilt(
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
