// The types of the lite-server scheme, in its order. A value's type is `ValueOf<typeof …>`.
import { record, union } from "./record.ts";
import { bool, bytes, int, int256, long, nat, text, vector, when } from "./types.ts";

export const blockId = record("tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId", {
  workchain: int,
  shard: long,
  seqno: int,
});

export const blockIdExt = record(
  "tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt",
  { workchain: int, shard: long, seqno: int, rootHash: int256, fileHash: int256 },
);

export const zeroStateIdExt = record(
  "tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt",
  { workchain: int, rootHash: int256, fileHash: int256 },
);

export const serverError = record("liteServer.error code:int message:string = liteServer.Error", {
  code: int,
  message: text,
});

export const accountId = record("liteServer.accountId workchain:int id:int256 = liteServer.AccountId", {
  workchain: int,
  id: int256,
});

export const libraryEntry = record("liteServer.libraryEntry hash:int256 data:bytes = liteServer.LibraryEntry", {
  hash: int256,
  data: bytes,
});

export const masterchainInfo = record(
  "liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo",
  { last: blockIdExt, stateRootHash: int256, init: zeroStateIdExt },
);

export const masterchainInfoExt = record(
  "liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt",
  {
    mode: nat,
    version: int,
    capabilities: long,
    last: blockIdExt,
    lastUtime: int,
    now: int,
    stateRootHash: int256,
    init: zeroStateIdExt,
  },
);

export const currentTime = record("liteServer.currentTime now:int = liteServer.CurrentTime", { now: int });

export const serverVersion = record(
  "liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version",
  { mode: nat, version: int, capabilities: long, now: int },
);

export const blockData = record("liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData", {
  id: blockIdExt,
  data: bytes,
});

export const blockState = record(
  "liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState",
  { id: blockIdExt, rootHash: int256, fileHash: int256, data: bytes },
);

export const blockHeader = record(
  "liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader",
  { id: blockIdExt, mode: nat, headerProof: bytes },
);

export const sendMsgStatus = record("liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus", { status: int });

export const accountState = record(
  "liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState",
  { id: blockIdExt, shardblk: blockIdExt, shardProof: bytes, proof: bytes, state: bytes },
);

export const runMethodResult = record(
  "liteServer.runMethodResult mode:# id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:mode.0?bytes proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int result:mode.2?bytes = liteServer.RunMethodResult",
  {
    mode: nat,
    id: blockIdExt,
    shardblk: blockIdExt,
    shardProof: when("mode", 0, bytes),
    proof: when("mode", 0, bytes),
    stateProof: when("mode", 1, bytes),
    initC7: when("mode", 3, bytes),
    libExtras: when("mode", 4, bytes),
    exitCode: int,
    result: when("mode", 2, bytes),
  },
);

export const shardInfo = record(
  "liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo",
  { id: blockIdExt, shardblk: blockIdExt, shardProof: bytes, shardDescr: bytes },
);

export const allShardsInfo = record(
  "liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo",
  { id: blockIdExt, proof: bytes, data: bytes },
);

export const transactionInfo = record(
  "liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo",
  { id: blockIdExt, proof: bytes, transaction: bytes },
);

export const transactionList = record(
  "liteServer.transactionList ids:(vector tonNode.blockIdExt) transactions:bytes = liteServer.TransactionList",
  { ids: vector(blockIdExt), transactions: bytes },
);

export const transactionMetadata = record(
  "liteServer.transactionMetadata mode:# depth:int initiator:liteServer.accountId initiator_lt:long = liteServer.TransactionMetadata",
  { mode: nat, depth: int, initiator: accountId, initiatorLt: long },
);

export const transactionId = record(
  "liteServer.transactionId#b12f65af mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata = liteServer.TransactionId",
  {
    mode: nat,
    account: when("mode", 0, int256),
    lt: when("mode", 1, long),
    hash: when("mode", 2, int256),
    metadata: when("mode", 8, transactionMetadata),
  },
);

export const transactionId3 = record("liteServer.transactionId3 account:int256 lt:long = liteServer.TransactionId3", {
  account: int256,
  lt: long,
});

export const blockTransactions = record(
  "liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:(vector liteServer.transactionId) proof:bytes = liteServer.BlockTransactions",
  { id: blockIdExt, reqCount: nat, incomplete: bool, ids: vector(transactionId), proof: bytes },
);

export const blockTransactionsExt = record(
  "liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt",
  { id: blockIdExt, reqCount: nat, incomplete: bool, transactions: bytes, proof: bytes },
);

export const signature = record("liteServer.signature node_id_short:int256 signature:bytes = liteServer.Signature", {
  nodeIdShort: int256,
  signature: bytes,
});

export const signatureSetOrdinary = record(
  "liteServer.signatureSet.ordinary#f644a6e6 validator_set_hash:int catchain_seqno:int signatures:(vector liteServer.signature) = liteServer.SignatureSet",
  { validatorSetHash: int, catchainSeqno: int, signatures: vector(signature) },
);

export const signatureSetSimplex = record(
  "liteServer.signatureSet.simplex cc_seqno:int validator_set_hash:int signatures:(vector liteServer.signature) session_id:int256 slot:int candidate:bytes = liteServer.SignatureSet",
  {
    ccSeqno: int,
    validatorSetHash: int,
    signatures: vector(signature),
    sessionId: int256,
    slot: int,
    candidate: bytes,
  },
);

/** Who signed a block, of the older or the newer consensus. */
export const signatureSet = union("liteServer.SignatureSet", {
  ordinary: signatureSetOrdinary,
  simplex: signatureSetSimplex,
});

export const blockLinkBack = record(
  "liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink",
  { toKeyBlock: bool, from: blockIdExt, to: blockIdExt, destProof: bytes, proof: bytes, stateProof: bytes },
);

export const blockLinkForward = record(
  "liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink",
  {
    toKeyBlock: bool,
    from: blockIdExt,
    to: blockIdExt,
    destProof: bytes,
    configProof: bytes,
    signatures: signatureSet,
  },
);

/** A step of a chain of block proofs. */
export const blockLink = union("liteServer.BlockLink", { back: blockLinkBack, forward: blockLinkForward });

export const partialBlockProof = record(
  "liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:(vector liteServer.BlockLink) = liteServer.PartialBlockProof",
  { complete: bool, from: blockIdExt, to: blockIdExt, steps: vector(blockLink) },
);

export const configInfo = record(
  "liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo",
  { mode: nat, id: blockIdExt, stateProof: bytes, configProof: bytes },
);

export const validatorStats = record(
  "liteServer.validatorStats mode:# id:tonNode.blockIdExt count:int complete:Bool state_proof:bytes data_proof:bytes = liteServer.ValidatorStats",
  { mode: nat, id: blockIdExt, count: int, complete: bool, stateProof: bytes, dataProof: bytes },
);

export const libraryResult = record(
  "liteServer.libraryResult result:(vector liteServer.libraryEntry) = liteServer.LibraryResult",
  { result: vector(libraryEntry) },
);

export const libraryResultWithProof = record(
  "liteServer.libraryResultWithProof id:tonNode.blockIdExt mode:# result:(vector liteServer.libraryEntry) state_proof:bytes data_proof:bytes = liteServer.LibraryResultWithProof",
  { id: blockIdExt, mode: nat, result: vector(libraryEntry), stateProof: bytes, dataProof: bytes },
);

export const shardBlockLink = record(
  "liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink",
  { id: blockIdExt, proof: bytes },
);

export const shardBlockProof = record(
  "liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:(vector liteServer.shardBlockLink) = liteServer.ShardBlockProof",
  { masterchainId: blockIdExt, links: vector(shardBlockLink) },
);

export const lookupBlockResult = record(
  "liteServer.lookupBlockResult id:tonNode.blockIdExt mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:(vector liteServer.shardBlockLink) header:bytes prev_header:bytes = liteServer.LookupBlockResult",
  {
    id: blockIdExt,
    mode: nat,
    mcBlockId: blockIdExt,
    clientMcStateProof: bytes,
    mcBlockProof: bytes,
    shardLinks: vector(shardBlockLink),
    header: bytes,
    prevHeader: bytes,
  },
);

export const outMsgQueueSize = record(
  "liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize",
  { id: blockIdExt, size: int },
);

export const outMsgQueueSizes = record(
  "liteServer.outMsgQueueSizes shards:(vector liteServer.outMsgQueueSize) ext_msg_queue_size_limit:int = liteServer.OutMsgQueueSizes",
  { shards: vector(outMsgQueueSize), extMsgQueueSizeLimit: int },
);

export const blockOutMsgQueueSize = record(
  "liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes = liteServer.BlockOutMsgQueueSize",
  { mode: nat, id: blockIdExt, size: long, proof: when("mode", 0, bytes) },
);

export const accountDispatchQueueInfo = record(
  "liteServer.accountDispatchQueueInfo addr:int256 size:long min_lt:long max_lt:long = liteServer.AccountDispatchQueueInfo",
  { addr: int256, size: long, minLt: long, maxLt: long },
);

export const dispatchQueueInfo = record(
  "liteServer.dispatchQueueInfo mode:# id:tonNode.blockIdExt account_dispatch_queues:(vector liteServer.accountDispatchQueueInfo) complete:Bool proof:mode.0?bytes = liteServer.DispatchQueueInfo",
  {
    mode: nat,
    id: blockIdExt,
    accountDispatchQueues: vector(accountDispatchQueueInfo),
    complete: bool,
    proof: when("mode", 0, bytes),
  },
);

export const dispatchQueueMessage = record(
  "liteServer.dispatchQueueMessage addr:int256 lt:long hash:int256 metadata:liteServer.transactionMetadata = liteServer.DispatchQueueMessage",
  { addr: int256, lt: long, hash: int256, metadata: transactionMetadata },
);

export const dispatchQueueMessages = record(
  "liteServer.dispatchQueueMessages mode:# id:tonNode.blockIdExt messages:(vector liteServer.dispatchQueueMessage) complete:Bool proof:mode.0?bytes messages_boc:mode.2?bytes = liteServer.DispatchQueueMessages",
  {
    mode: nat,
    id: blockIdExt,
    messages: vector(dispatchQueueMessage),
    complete: bool,
    proof: when("mode", 0, bytes),
    messagesBoc: when("mode", 2, bytes),
  },
);

export const nonfinalPendingShardBlocks = record(
  "liteServer.nonfinal.pendingShardBlocks signed_blocks:(vector tonNode.blockIdExt) candidates:(vector tonNode.blockIdExt) = liteServer.nonfinal.PendingShardBlocks",
  { signedBlocks: vector(blockIdExt), candidates: vector(blockIdExt) },
);
