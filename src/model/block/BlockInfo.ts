import type { Builder } from "../../cell/Builder.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { bool, type Codec, loadCell, ref, storeCell, struct, uint32, uint64, type ValueOf } from "../../cell/codec.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { GlobalVersion } from "../config/GlobalVersion.ts";
import { ModelError } from "../errors.ts";
import { type BlockIdExt, ExtBlkRef, type ShardId, ShardIdent, shardChildren, shardParent } from "./BlockId.ts";

// master_info$_ master:ExtBlkRef = BlkMasterInfo;
export const MasterInfo = struct({ master: ExtBlkRef });

// prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
// prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
const PrevInfo = struct({ prev: ExtBlkRef });
const PrevInfos = struct({ prev1: ref(ExtBlkRef), prev2: ref(ExtBlkRef) });

const flags = struct({
  version: uint32,
  notMaster: bool,
  afterMerge: bool,
  beforeSplit: bool,
  afterSplit: bool,
  wantSplit: bool,
  wantMerge: bool,
  keyBlock: bool,
  vertSeqnoIncr: bool,
});

const numbers = struct({
  seqno: uint32,
  vertSeqno: uint32,
  shard: ShardIdent,
  genUtime: uint32,
  startLt: uint64,
  endLt: uint64,
  genValidatorListHashShort: uint32,
  genCatchainSeqno: uint32,
  minRefMcSeqno: uint32,
  prevKeyBlockSeqno: uint32,
});

/** The fields in the header's own cell. A proof may leave out everything that the cell refers to. */
export interface HeaderFields extends ValueOf<typeof flags>, ValueOf<typeof numbers> {
  readonly genSoftware: GlobalVersion | undefined;
}

/** The header of a block; fields that depend on flags are `undefined` where the flag is off. */
export interface BlockInfo extends HeaderFields {
  readonly masterRef: ExtBlkRef | undefined;
  /** One block, or two after a merge. */
  readonly prev: readonly ExtBlkRef[];
  readonly prevVert: ExtBlkRef | undefined;
}

// block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
//   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 } seq_no:#
//   vert_seq_no:# shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64 gen_validator_list_hash_short:uint32
//   gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion
//   master_ref:not_master?^BlkMasterInfo prev_ref:^(BlkPrevInfo after_merge)
//   prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
const infoTag = 0x9bc7a987;

export const BlockInfo: Codec<BlockInfo> = {
  load: (slice) => {
    const fields = loadFields(slice);
    // The spread is last: in first place it would give every object its own hidden class.
    return {
      masterRef: fields.notMaster ? loadCell(MasterInfo, slice.loadRef()).master : undefined,
      prev: loadPrev(slice, fields.afterMerge),
      prevVert: fields.vertSeqnoIncr ? loadCell(PrevInfo, slice.loadRef()).prev : undefined,
      ...fields,
    };
  },
  store: (builder, info) => {
    builder.storeUint(infoTag, 32);
    flags.store(builder, info);
    builder.storeUint(info.genSoftware === undefined ? 0 : 1, 8);
    numbers.store(builder, info);
    if (info.genSoftware !== undefined) GlobalVersion.store(builder, info.genSoftware);
    if (info.masterRef !== undefined) builder.storeRef(storeCell(MasterInfo, { master: info.masterRef }));
    storePrev(builder, info.prev);
    if (info.prevVert !== undefined) builder.storeRef(storeCell(PrevInfo, { prev: info.prevVert }));
  },
};

/** Reads a header without the cells it refers to. */
export function loadHeaderFields(header: Cell): HeaderFields {
  return loadFields(sliceOf(header));
}

function loadFields(slice: Slice): HeaderFields {
  if (slice.loadUint(32) !== infoTag) throw new CellError("cell/tag", "no block_info here");
  const head = flags.load(slice);
  const bits = slice.loadUint(8);
  if (bits > 1) throw new ModelError("model/unknown", `block_info flags ${bits}`);
  const body = numbers.load(slice);
  return {
    version: head.version,
    notMaster: head.notMaster,
    afterMerge: head.afterMerge,
    beforeSplit: head.beforeSplit,
    afterSplit: head.afterSplit,
    wantSplit: head.wantSplit,
    wantMerge: head.wantMerge,
    keyBlock: head.keyBlock,
    vertSeqnoIncr: head.vertSeqnoIncr,
    seqno: body.seqno,
    vertSeqno: body.vertSeqno,
    shard: body.shard,
    genUtime: body.genUtime,
    startLt: body.startLt,
    endLt: body.endLt,
    genValidatorListHashShort: body.genValidatorListHashShort,
    genCatchainSeqno: body.genCatchainSeqno,
    minRefMcSeqno: body.minRefMcSeqno,
    prevKeyBlockSeqno: body.prevKeyBlockSeqno,
    genSoftware: bits & 1 ? GlobalVersion.load(slice) : undefined,
  };
}

function loadPrev(slice: Slice, afterMerge: boolean): readonly ExtBlkRef[] {
  if (!afterMerge) return [loadCell(PrevInfo, slice.loadRef()).prev];
  const { prev1, prev2 } = loadCell(PrevInfos, slice.loadRef());
  return [prev1, prev2];
}

function storePrev(builder: Builder, prev: readonly ExtBlkRef[]): void {
  const [prev1, prev2] = prev;
  if (prev1 === undefined) throw new ModelError("model/value", "a block needs a block before it");
  builder.storeRef(prev2 === undefined ? storeCell(PrevInfo, { prev: prev1 }) : storeCell(PrevInfos, { prev1, prev2 }));
}

/** The previous blocks with their shards: after a split the parent shard, after a merge its two halves. */
export function prevBlockIds(info: BlockInfo): BlockIdExt[] {
  const { workchain, shard } = info.shard;
  const shards: readonly ShardId[] = info.afterMerge
    ? shardChildren(shard)
    : [info.afterSplit ? shardParent(shard) : shard];
  return info.prev.map(({ seqno, rootHash, fileHash }, i) => ({
    workchain,
    shard: shards[i] ?? shard,
    seqno,
    rootHash,
    fileHash,
  }));
}
