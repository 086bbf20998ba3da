import type { TlBlockId } from "../../../lite/queries/ids.ts";
import {
  type BlockIdExt,
  formatBlockId,
  masterchain,
  shardsIntersect,
  wholeShard,
} from "../../../model/block/BlockId.ts";
import { listShardTops, type ShardTop } from "../../../model/block/ShardHashes.ts";
import { zeroHash } from "../../../model/Hash.ts";
import type { Ledger, LedgerBlock } from "../../ledger/Ledger.ts";
import { masterExtra } from "./masterState.ts";
import { badQuery, notReady } from "./refusal.ts";

/** The workchain of an invalid block id. */
export const invalidWorkchain = -(2 ** 31);

/** The id that nodes return when there is no block, such as for a workchain that does not exist. */
export const noBlock: TlBlockId = {
  workchain: invalidWorkchain,
  shard: 0n,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};

/** Whether an id can belong to a block. */
export function isFullId(id: BlockIdExt): boolean {
  const isShard = id.shard !== 0n && (id.shard & 7n) === 0n;
  const isPlace = id.workchain !== invalidWorkchain && isShard && id.seqno <= 0x7fffffff;
  return isPlace && isInMasterShard(id) && id.rootHash !== zeroHash && id.fileHash !== zeroHash;
}

function isInMasterShard(id: BlockIdExt): boolean {
  return id.workchain !== masterchain || id.shard === wholeShard;
}

export function isMasterId(id: BlockIdExt): boolean {
  return id.workchain === masterchain && id.shard === wholeShard;
}

/** A block id with its hashes, as nodes write it in their errors. */
export function formatFullId(id: BlockIdExt): string {
  return `${formatBlockId(id)}:${id.rootHash.toUpperCase()}:${id.fileHash.toUpperCase()}`;
}

/**
 * A block that a masterchain block commits, or a signed one that it will commit; anything else is refused like a node
 * refuses a missing block.
 */
export function getCommitted(ledger: Ledger, id: BlockIdExt, prefix = ""): LedgerBlock {
  const block = ledger.findBlock(id);
  if (block !== undefined && block.masterSeqno !== 0) return block;
  const pending = ledger.pending.find(id);
  if (pending !== undefined) return pending;
  if (block !== undefined) throw notReady(`${prefix}block is not applied`);
  const isZero = ledger.zeroStates.some((zero) => zero.id.rootHash === id.rootHash && zero.id.fileHash === id.fileHash);
  if (isZero) throw notReady(`${prefix}not in db`);
  throw notReady(`${prefix}block handle not in db${beyondHead(ledger, id)}`);
}

/** As part of another answer, the error names the missing block. */
export function loadBlock(ledger: Ledger, id: BlockIdExt): LedgerBlock {
  if (!isFullId(id)) throw badQuery("invalid block id requested");
  return getCommitted(ledger, id, `cannot load block ${formatFullId(id)} : `);
}

export function loadMasterBlock(ledger: Ledger, id: BlockIdExt): LedgerBlock {
  if (id.workchain !== masterchain || !isFullId(id)) throw badQuery("reference block must belong to the masterchain");
  return getCommitted(ledger, id, `cannot load block ${formatFullId(id)} : `);
}

/** The head of the chain, as a remark in the error when a later block was requested. */
function beyondHead(ledger: Ledger, id: BlockIdExt): string {
  if (id.workchain === masterchain) return id.seqno > ledger.headId.seqno ? lastKnown(ledger) : "";
  const top = headTops(ledger).find((shard) => coversPart(shard, id));
  return top !== undefined && id.seqno > top.description.seqno ? outOfSync(ledger) : "";
}

function coversPart(top: ShardTop, at: Pick<BlockIdExt, "workchain" | "shard">): boolean {
  return top.workchain === at.workchain && at.shard !== 0n && shardsIntersect(top.shard, at.shard);
}

export function lastKnown(ledger: Ledger): string {
  return ` (last known masterchain block: ${ledger.headId.seqno})`;
}

export function outOfSync(ledger: Ledger): string {
  const { seqno } = ledger.headId;
  return ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`;
}

/** The shard tops of the newest masterchain block. */
export function headTops(ledger: Ledger): ShardTop[] {
  return listShardTops(masterExtra(ledger.state(ledger.headId)).shardHashes);
}

/** The shard top at the head that contains an account. */
export function findHeadTop(ledger: Ledger, at: Pick<BlockIdExt, "workchain" | "shard">): ShardTop | undefined {
  return headTops(ledger).find((top) => coversPart(top, at));
}
