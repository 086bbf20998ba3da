import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { formatRawAddress, makeAddress } from "../../../src/model/Address.ts";
import { Block, type BlockExtra, forEachTransaction } from "../../../src/model/block/Block.ts";
import {
  type BlockId,
  type ExtBlkRef,
  masterchain,
  type ShardId,
  signedShard,
} from "../../../src/model/block/BlockId.ts";
import { type BlockInfo, prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import type { McBlockExtra } from "../../../src/model/block/McBlockExtra.ts";
import { listShardTops, type ShardTop } from "../../../src/model/block/ShardHashes.ts";
import type { ValueFlow } from "../../../src/model/block/ValueFlow.ts";
import type { CurrencyCollection } from "../../../src/model/Currency.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { extraJson } from "./messageJson.ts";
import { compactJson, present, transactionJson } from "./transactionJson.ts";

/** A block in the format of the corpus expectations: header and transactions. */
export interface BlockJson {
  readonly header: Readonly<Record<string, unknown>>;
  readonly transactions: readonly unknown[];
}

export function blockJson(root: Cell, detail: unknown): BlockJson {
  const block = loadCell(Block, root);
  const info = block.info.load();
  const extra = block.extra.load();
  const { workchain } = info.shard;
  const cells: Cell[] = [];
  forEachTransaction(block, (cell) => void cells.push(cell));
  const form = { cells: "hash", external: "external_destination" } as const;
  return {
    header: {
      root_hash: hashToBase64(root.hash()),
      global_id: block.globalId,
      ...infoJson(info),
      value_flow: flowJson(block.valueFlow.load()),
      state_update: updateJson(block.stateUpdate),
      ...countsJson(extra),
      tx_count: cells.length,
      ...(extra.custom === undefined ? {} : masterJson(extra.custom.load())),
    },
    transactions: cells.map((cell) =>
      detail === "compact" ? compactJson(cell, workchain) : transactionJson(cell, workchain, form),
    ),
  };
}

export function shardText(shard: ShardId): string {
  return shard.toString(16).toUpperCase().padStart(16, "0");
}

function placeJson({ workchain, shard, seqno }: BlockId) {
  return { workchain, shard: shardText(shard), seqno };
}

function refJson({ endLt, seqno, rootHash, fileHash }: ExtBlkRef) {
  return { end_lt: String(endLt), seqno, root_hash: hashToBase64(rootHash), file_hash: hashToBase64(fileHash) };
}

function infoJson(info: BlockInfo) {
  return present({
    version: info.version,
    after_merge: info.afterMerge,
    before_split: info.beforeSplit,
    after_split: info.afterSplit,
    want_split: info.wantSplit,
    want_merge: info.wantMerge,
    key_block: info.keyBlock,
    vert_seqno_incr: info.vertSeqnoIncr,
    flags: info.genSoftware === undefined ? 0 : 1,
    vert_seqno: info.vertSeqno,
    ...placeJson({ ...info.shard, seqno: info.seqno }),
    shard_signed: String(signedShard(info.shard.shard)),
    gen_utime: info.genUtime,
    start_lt: String(info.startLt),
    end_lt: String(info.endLt),
    // The expectations show it signed, like the public service.
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    gen_catchain_seqno: info.genCatchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
    gen_software: info.genSoftware && {
      version: info.genSoftware.version,
      capabilities: String(info.genSoftware.capabilities),
    },
    master_ref: info.masterRef === undefined ? null : refJson(info.masterRef),
    prev_blocks: prevBlockIds(info).map((id, i) => ({
      ...placeJson(id),
      root_hash: hashToBase64(id.rootHash),
      file_hash: hashToBase64(id.fileHash),
      end_lt: String(info.prev[i]?.endLt),
    })),
  });
}

function currencyJson({ coins, extra }: CurrencyCollection) {
  return present({ grams: String(coins), other: extra.isEmpty ? undefined : extraJson(extra) });
}

function flowJson(flow: ValueFlow) {
  const { passed, made } = flow;
  return present({
    from_prev_blk: currencyJson(passed.fromPrevBlock),
    to_next_blk: currencyJson(passed.toNextBlock),
    imported: currencyJson(passed.imported),
    exported: currencyJson(passed.exported),
    fees_collected: currencyJson(flow.feesCollected),
    burned: flow.kind === "v2" ? currencyJson(flow.burned) : undefined,
    fees_imported: currencyJson(made.feesImported),
    recovered: currencyJson(made.recovered),
    created: currencyJson(made.created),
    minted: currencyJson(made.minted),
  });
}

function updateJson(update: Cell) {
  const { from, to } = openMerkleUpdate(update);
  return { old_hash: hashToBase64(from.hash(0)), new_hash: hashToBase64(to.hash(0)) };
}

function countsJson(extra: BlockExtra) {
  return {
    rand_seed: hashToBase64(extra.randSeed),
    created_by: hashToBase64(extra.createdBy),
    in_msg_descr_count: extra.inMessages.load().count(),
    out_msg_descr_count: extra.outMessages.load().count(),
    account_count: extra.accountBlocks.load().count(),
  };
}

function masterJson({ shardHashes, config }: McBlockExtra) {
  return present({
    shards: listShardTops(shardHashes).map(topJson),
    has_config: config !== undefined,
    config_addr: config && formatRawAddress(makeAddress(masterchain, config.configAccount)),
    config_root_hash: config?.params.root && hashToBase64(config.params.root.hash()),
  });
}

function topJson({ workchain, shard, description: d }: ShardTop) {
  return {
    ...placeJson({ workchain, shard, seqno: d.seqno }),
    reg_mc_seqno: d.regMcSeqno,
    start_lt: String(d.startLt),
    end_lt: String(d.endLt),
    root_hash: hashToBase64(d.rootHash),
    file_hash: hashToBase64(d.fileHash),
    before_split: d.beforeSplit,
    before_merge: d.beforeMerge,
    want_split: d.wantSplit,
    want_merge: d.wantMerge,
    nx_cc_updated: d.nextCatchainUpdated,
    next_catchain_seqno: d.nextCatchainSeqno,
    next_validator_shard: shardText(d.nextValidatorShard),
    min_ref_mc_seqno: d.minRefMcSeqno,
    gen_utime: d.genUtime,
  };
}
