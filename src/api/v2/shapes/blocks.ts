import { Type } from "typebox";
import type { BackLink, BlockMembership, SignedBlock } from "../../../chain/blockProofs.ts";
import type { QueueSizes } from "../../../chain/blocks.ts";
import type { MasterchainInfo } from "../../../chain/head.ts";
import { bool, field, int, list } from "../../../lib/kit/shape.ts";
import type { HeaderAt } from "../../../lite/queries/blockHeader.ts";
import type { WholeBlock } from "../../../lite/queries/blocks.ts";
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
  last: blockIdExt("Newest masterchain block.", (info) => info.last),
  state_root_hash: bytes64("Hash of the root cell of the state after the block, in base64.", (info) =>
    Buffer.from(info.stateRootHash, "hex"),
  ),
  init: blockIdExt("Zero state of the chain.", (info) => asInit(info.zeroState)),
});

export const shardsShape = typed<readonly BlockIdExt[]>()("blocks.shards", {
  shards: list(blockIdExt)("Newest block of each shard.", (ids) => ids),
});

export const blockHeader = typed<HeaderAt>()("blocks.header", {
  id: blockIdExt("Id of the block.", (h) => h.id),
  global_id: int("Id of the network: -239 is mainnet, -3 testnet.", (h) => h.globalId),
  version: int32("Version of the block's format.", (h) => h.info.version),
  flags: int("Flags of the block header: 1 if it names the software that made it.", (h) =>
    h.info.genSoftware === undefined ? 0 : 1,
  ),
  after_merge: bool("Whether the block is the first one after a merge of two shards.", (h) => h.info.afterMerge),
  after_split: bool("Whether the block is the first one after a split of a shard.", (h) => h.info.afterSplit),
  before_split: bool("Whether the shard is split after this block.", (h) => h.info.beforeSplit),
  want_merge: bool("Whether the shard asks to be merged.", (h) => h.info.wantMerge),
  want_split: bool("Whether the shard asks to be split.", (h) => h.info.wantSplit),
  validator_list_hash_short: int32(
    "First 32 bits of the hash of the list of validators.",
    (h) => h.info.genValidatorListHashShort,
  ),
  catchain_seqno: int32("Number of the group of validators that made the block.", (h) => h.info.genCatchainSeqno),
  min_ref_mc_seqno: int32(
    "Seqno of the oldest masterchain block that the block refers to.",
    (h) => h.info.minRefMcSeqno,
  ),
  vert_seqno: int32(
    "Vertical sequence number of the block, which only a repair of the chain raises.",
    (h) => h.info.vertSeqno,
  ),
  is_key_block: bool("Whether the block changes the configuration or the validators.", (h) => h.info.keyBlock),
  prev_key_block_seqno: int32("Key block before this one, by seqno.", (h) =>
    h.info.notMaster ? 0 : h.info.prevKeyBlockSeqno,
  ),
  start_lt: int64("Logical time at which the block begins.", (h) => h.info.startLt),
  end_lt: int64("Logical time at which the block ends.", (h) => h.info.endLt),
  gen_utime: int("Time of the block, in Unix seconds.", (h) => h.info.genUtime),
  prev_blocks: list(blockIdExt)("Blocks before this one.", (h) => prevBlockIds(h.info)),
});

/** The file of a block: its hash is the file hash. */
export const rawBlock = typed<WholeBlock>()("blocks.raw", {
  id: blockIdExt("Id of the block.", ({ id }) => id),
  bytes: base64("Block's file in base64.", ({ bytes }) => bytes),
});

/** The newest block, and when it was reported. */
export const consensusBlock = typed<{ readonly seqno: number; readonly at: number }>()("ext.blocks.consensusBlock", {
  consensus_block: int("Newest masterchain block that most lite servers have, by seqno.", (block) => block.seqno),
  timestamp: int("Time when the block was reported, in Unix seconds.", (block) => block.at),
});

type Signature = CheckedSignatures["signatures"][number];

const signature = typed<Signature>()("blocks.signature", {
  node_id_short: bytes64("Id of the validator, in base64.", (each) => each.nodeIdShort),
  signature: base64("Signature in base64.", (each) => each.signature),
});

const ordinarySignatures = typed<SignedBlock>()("blocks.blockSignatures", {
  id: blockIdExt("Id of the block.", (signed) => signed.block),
  signatures: list(signature)("Signatures of validators.", (signed) => signed.signatures.signatures),
});

export interface SimplexSigned extends SignedBlock {
  readonly signatures: Extract<CheckedSignatures, { readonly kind: "simplex" }>;
}

const simplexSignatures = typed<SimplexSigned>()("blocks.blockSignatures.simplex", {
  id: blockIdExt("Id of the block.", (signed) => signed.block),
  signatures: list(signature)("Signatures of validators.", (signed) => signed.signatures.signatures),
  session_id: bytes64("Session of the validators, in base64.", (signed) => signed.signatures.sessionId),
  slot: int("Slot of the consensus session.", (signed) => signed.signatures.slot),
  candidate: base64("Candidate block that was signed, as bytes in base64.", (signed) => signed.signatures.candidate),
});

/** Signatures of either consensus. */
export const blockSignatures = oneOf([ordinarySignatures, simplexSignatures], (signed: SignedBlock) => {
  const { block, signatures } = signed;
  return signatures.kind === "simplex"
    ? simplexSignatures.encode({ block, signatures })
    : ordinarySignatures.encode(signed);
});

const shardBlockLink = typed<BlockMembership["links"][number]>()("blocks.shardBlockLink", {
  id: blockIdExt("Id of the block.", (link) => link.id),
  proof: base64("Proof, in base64.", (link) => link.proof),
});

const blockLinkBack = typed<BackLink>()("blocks.blockLinkBack", {
  to_key_block: bool("Whether the link leads to a key block.", (link) => link.toKeyBlock),
  from: blockIdExt("Block that the link begins with.", (link) => blockIdFromTl(link.from)),
  to: blockIdExt("Older block that the link leads to.", (link) => blockIdFromTl(link.to)),
  dest_proof: base64("Proof of the later block's header, in base64.", (link) => link.destProof),
  proof: base64("Proof, in base64.", (link) => link.proof),
  state_proof: base64("Proof of the state, in base64.", (link) => link.stateProof),
});

export const shardBlockProof = typed<BlockMembership>()("blocks.shardBlockProof", {
  from: blockIdExt("Masterchain block that the proof begins with.", (proof) => proof.from),
  mc_id: blockIdExt("Masterchain block that the proof ends with.", (proof) => proof.masterBlock),
  links: list(shardBlockLink)("Links of the proof, each to an older block.", (proof) => proof.links),
  mc_proof: list(blockLinkBack)("Proof of the masterchain block.", (proof) => proof.masterLinks),
});

const outMsgQueueSize = typed<QueueSize>()("blocks.outMsgQueueSize", {
  id: blockIdExt("Newest block of the shard.", (queue) => queue.block),
  size: int("Number of messages in the queue.", (queue) => queue.size),
});

export const outMsgQueueSizes = typed<QueueSizes>()("blocks.outMsgQueueSizes", {
  shards: list(outMsgQueueSize)("Queue of each shard.", (sizes) => sizes.shards),
  ext_msg_queue_size_limit: int(
    "Number of queued messages above which external messages are refused.",
    (sizes) => sizes.limit,
  ),
});
