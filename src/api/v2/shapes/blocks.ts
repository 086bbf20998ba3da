import { Type } from "typebox";
import type { BackLink, BlockMembership, SignedBlock } from "../../../chain/blockProofs.ts";
import type { QueueSizes } from "../../../chain/blocks.ts";
import type { MasterchainInfo } from "../../../chain/head.ts";
import { bool, field, int, list } from "../../../lib/kit/shape.ts";
import type { HeaderAt, WholeBlock } from "../../../lite/queries/blocks.ts";
import { blockIdFromTl } from "../../../lite/queries/ids.ts";
import type { QueueSize } from "../../../lite/queries/queues.ts";
import type { CheckedSignatures } from "../../../lite/queries/signatures.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { prevBlockIds } from "../../../model/block/BlockInfo.ts";
import { base64, blockIdExt, int32, int64, oneOf } from "./ids.ts";
import { typed } from "./typed.ts";

/** The zero state is written as a block of no shard. */
function asInit(zeroState: BlockIdExt): BlockIdExt {
  return { ...zeroState, shard: 0n, seqno: 0 };
}

const bytes64 = field({
  schema: Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" }),
  encode: (value: Uint8Array) => base64.encode(value),
});

export const masterchainInfo = typed<MasterchainInfo>()("blocks.masterchainInfo", {
  last: blockIdExt((info) => info.last),
  state_root_hash: bytes64((info) => Buffer.from(info.stateRootHash, "hex")),
  init: blockIdExt((info) => asInit(info.zeroState)),
});

export const shardsShape = typed<readonly BlockIdExt[]>()("blocks.shards", {
  shards: list(blockIdExt)((ids) => ids),
});

export const blockHeader = typed<HeaderAt>()("blocks.header", {
  id: blockIdExt((header) => header.id),
  global_id: int((header) => header.globalId),
  version: int32((header) => header.info.version),
  flags: int((header) => (header.info.genSoftware === undefined ? 0 : 1)),
  after_merge: bool((header) => header.info.afterMerge),
  after_split: bool((header) => header.info.afterSplit),
  before_split: bool((header) => header.info.beforeSplit),
  want_merge: bool((header) => header.info.wantMerge),
  want_split: bool((header) => header.info.wantSplit),
  validator_list_hash_short: int32((header) => header.info.genValidatorListHashShort),
  catchain_seqno: int32((header) => header.info.genCatchainSeqno),
  min_ref_mc_seqno: int32((header) => header.info.minRefMcSeqno),
  vert_seqno: int32((header) => header.info.vertSeqno),
  is_key_block: bool((header) => header.info.keyBlock),
  prev_key_block_seqno: int32((header) => (header.info.notMaster ? 0 : header.info.prevKeyBlockSeqno)),
  start_lt: int64((header) => header.info.startLt),
  end_lt: int64((header) => header.info.endLt),
  gen_utime: int((header) => header.info.genUtime),
  prev_blocks: list(blockIdExt)((header) => prevBlockIds(header.info)),
});

/** The file of a block: its hash is the file hash. */
export const rawBlock = typed<WholeBlock>()("blocks.raw", {
  id: blockIdExt(({ id }) => id),
  bytes: base64(({ bytes }) => bytes),
});

/** The newest block, and when it was reported. */
export const consensusBlock = typed<{ readonly seqno: number; readonly at: number }>()("ext.blocks.consensusBlock", {
  consensus_block: int((block) => block.seqno),
  timestamp: int((block) => block.at),
});

type Signature = CheckedSignatures["signatures"][number];

const signature = typed<Signature>()("blocks.signature", {
  node_id_short: bytes64((each) => each.nodeIdShort),
  signature: base64((each) => each.signature),
});

const ordinarySignatures = typed<SignedBlock>()("blocks.blockSignatures", {
  id: blockIdExt((signed) => signed.block),
  signatures: list(signature)((signed) => signed.signatures.signatures),
});

export interface SimplexSigned extends SignedBlock {
  readonly signatures: Extract<CheckedSignatures, { readonly kind: "simplex" }>;
}

const simplexSignatures = typed<SimplexSigned>()("blocks.blockSignatures.simplex", {
  id: blockIdExt((signed) => signed.block),
  signatures: list(signature)((signed) => signed.signatures.signatures),
  session_id: bytes64((signed) => signed.signatures.sessionId),
  slot: int((signed) => signed.signatures.slot),
  candidate: base64((signed) => signed.signatures.candidate),
});

/** Signatures of either consensus. */
export const blockSignatures = oneOf([ordinarySignatures, simplexSignatures], (signed: SignedBlock) => {
  const { block, signatures } = signed;
  return signatures.kind === "simplex"
    ? simplexSignatures.encode({ block, signatures })
    : ordinarySignatures.encode(signed);
});

const shardBlockLink = typed<BlockMembership["links"][number]>()("blocks.shardBlockLink", {
  id: blockIdExt((link) => link.id),
  proof: base64((link) => link.proof),
});

const blockLinkBack = typed<BackLink>()("blocks.blockLinkBack", {
  to_key_block: bool((link) => link.toKeyBlock),
  from: blockIdExt((link) => blockIdFromTl(link.from)),
  to: blockIdExt((link) => blockIdFromTl(link.to)),
  dest_proof: base64((link) => link.destProof),
  proof: base64((link) => link.proof),
  state_proof: base64((link) => link.stateProof),
});

export const shardBlockProof = typed<BlockMembership>()("blocks.shardBlockProof", {
  from: blockIdExt((proof) => proof.from),
  mc_id: blockIdExt((proof) => proof.masterBlock),
  links: list(shardBlockLink)((proof) => proof.links),
  mc_proof: list(blockLinkBack)((proof) => proof.masterLinks),
});

const outMsgQueueSize = typed<QueueSize>()("blocks.outMsgQueueSize", {
  id: blockIdExt((queue) => queue.block),
  size: int((queue) => queue.size),
});

export const outMsgQueueSizes = typed<QueueSizes>()("blocks.outMsgQueueSizes", {
  shards: list(outMsgQueueSize)((sizes) => sizes.shards),
  ext_msg_queue_size_limit: int((sizes) => sizes.limit),
});
