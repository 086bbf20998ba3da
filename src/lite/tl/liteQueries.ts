// The functions of the lite-server scheme, in its order.
import {
  accountId,
  accountState,
  allShardsInfo,
  blockData,
  blockHeader,
  blockId,
  blockIdExt,
  blockOutMsgQueueSize,
  blockState,
  blockTransactions,
  blockTransactionsExt,
  configInfo,
  currentTime,
  dispatchQueueInfo,
  dispatchQueueMessages,
  libraryResult,
  libraryResultWithProof,
  lookupBlockResult,
  masterchainInfo,
  masterchainInfoExt,
  nonfinalPendingShardBlocks,
  outMsgQueueSizes,
  partialBlockProof,
  runMethodResult,
  sendMsgStatus,
  serverVersion,
  shardBlockProof,
  shardInfo,
  transactionId3,
  transactionInfo,
  transactionList,
  validatorStats,
} from "./liteRecords.ts";
import {
  needsBlock,
  needsHistory,
  needsLookup,
  needsNewest,
  needsNothing,
  needsProofChain,
  needsProvenLookup,
  needsSending,
  needsState,
} from "./need.ts";
import { query, record, type TlQuery } from "./record.ts";
import { bool, bytes, int, int256, long, nat, present, vector, when } from "./types.ts";

export const getMasterchainInfo = query(
  "liteServer.getMasterchainInfo = liteServer.MasterchainInfo",
  {},
  masterchainInfo,
  needsNewest,
);

export const getMasterchainInfoExt = query(
  "liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt",
  { mode: nat },
  masterchainInfoExt,
  needsNewest,
);

export const getTime = query("liteServer.getTime = liteServer.CurrentTime", {}, currentTime, needsNothing);

export const getVersion = query("liteServer.getVersion = liteServer.Version", {}, serverVersion, needsNothing);

export const getBlock = query(
  "liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData",
  { id: blockIdExt },
  blockData,
  needsBlock,
);

export const getState = query(
  "liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState",
  { id: blockIdExt },
  blockState,
  needsState,
);

export const getBlockHeader = query(
  "liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader",
  { id: blockIdExt, mode: nat },
  blockHeader,
  needsBlock,
);

export const sendMessage = query(
  "liteServer.sendMessage body:bytes = liteServer.SendMsgStatus",
  { body: bytes },
  sendMsgStatus,
  needsSending,
);

export const getAccountState = query(
  "liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState",
  { id: blockIdExt, account: accountId },
  accountState,
  needsState,
);

export const getAccountStatePrunned = query(
  "liteServer.getAccountStatePrunned id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState",
  { id: blockIdExt, account: accountId },
  accountState,
  needsState,
);

export const runSmcMethod = query(
  "liteServer.runSmcMethod mode:# id:tonNode.blockIdExt account:liteServer.accountId method_id:long params:bytes = liteServer.RunMethodResult",
  { mode: nat, id: blockIdExt, account: accountId, methodId: long, params: bytes },
  runMethodResult,
  needsState,
);

export const getShardInfo = query(
  "liteServer.getShardInfo id:tonNode.blockIdExt workchain:int shard:long exact:Bool = liteServer.ShardInfo",
  { id: blockIdExt, workchain: int, shard: long, exact: bool },
  shardInfo,
  needsState,
);

export const getAllShardsInfo = query(
  "liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo",
  { id: blockIdExt },
  allShardsInfo,
  needsState,
);

export const getOneTransaction = query(
  "liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo",
  { id: blockIdExt, account: accountId, lt: long },
  transactionInfo,
  needsState,
);

export const getTransactions = query(
  "liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList",
  { count: nat, account: accountId, lt: long, hash: int256 },
  transactionList,
  needsHistory,
);

export const lookupBlock = query(
  "liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader",
  { mode: nat, id: blockId, lt: when("mode", 1, long), utime: when("mode", 2, int) },
  blockHeader,
  needsLookup,
);

export const lookupBlockWithProof = query(
  "liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult",
  { mode: nat, id: blockId, mcBlockId: blockIdExt, lt: when("mode", 1, long), utime: when("mode", 2, int) },
  lookupBlockResult,
  needsProvenLookup,
);

export const listBlockTransactions = query(
  "liteServer.listBlockTransactions id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactions",
  {
    id: blockIdExt,
    mode: nat,
    count: nat,
    after: when("mode", 7, transactionId3),
    reverseOrder: when("mode", 6, present),
    wantProof: when("mode", 5, present),
  },
  blockTransactions,
  needsBlock,
);

export const listBlockTransactionsExt = query(
  "liteServer.listBlockTransactionsExt id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactionsExt",
  {
    id: blockIdExt,
    mode: nat,
    count: nat,
    after: when("mode", 7, transactionId3),
    reverseOrder: when("mode", 6, present),
    wantProof: when("mode", 5, present),
  },
  blockTransactionsExt,
  needsBlock,
);

export const getBlockProof = query(
  "liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof",
  { mode: nat, knownBlock: blockIdExt, targetBlock: when("mode", 0, blockIdExt) },
  partialBlockProof,
  needsProofChain,
);

export const getConfigAll = query(
  "liteServer.getConfigAll mode:# id:tonNode.blockIdExt = liteServer.ConfigInfo",
  { mode: nat, id: blockIdExt },
  configInfo,
  needsState,
);

export const getConfigParams = query(
  "liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:(vector int) = liteServer.ConfigInfo",
  { mode: nat, id: blockIdExt, paramList: vector(int) },
  configInfo,
  needsState,
);

export const getValidatorStats = query(
  "liteServer.getValidatorStats#091a58bc mode:# id:tonNode.blockIdExt limit:int start_after:mode.0?int256 modified_after:mode.2?int = liteServer.ValidatorStats",
  { mode: nat, id: blockIdExt, limit: int, startAfter: when("mode", 0, int256), modifiedAfter: when("mode", 2, int) },
  validatorStats,
  needsState,
);

export const getLibraries = query(
  "liteServer.getLibraries library_list:(vector int256) = liteServer.LibraryResult",
  { libraryList: vector(int256) },
  libraryResult,
  needsNothing,
);

export const getLibrariesWithProof = query(
  "liteServer.getLibrariesWithProof id:tonNode.blockIdExt mode:# library_list:(vector int256) = liteServer.LibraryResultWithProof",
  { id: blockIdExt, mode: nat, libraryList: vector(int256) },
  libraryResultWithProof,
  needsState,
);

export const getShardBlockProof = query(
  "liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof",
  { id: blockIdExt },
  shardBlockProof,
  needsState,
);

export const getOutMsgQueueSizes = query(
  "liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes",
  { mode: nat, wc: when("mode", 0, int), shard: when("mode", 0, long) },
  outMsgQueueSizes,
  needsNothing,
);

export const getBlockOutMsgQueueSize = query(
  "liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true = liteServer.BlockOutMsgQueueSize",
  { mode: nat, id: blockIdExt, wantProof: when("mode", 0, present) },
  blockOutMsgQueueSize,
  needsState,
);

export const getDispatchQueueInfo = query(
  "liteServer.getDispatchQueueInfo mode:# id:tonNode.blockIdExt after_addr:mode.1?int256 max_accounts:int want_proof:mode.0?true = liteServer.DispatchQueueInfo",
  {
    mode: nat,
    id: blockIdExt,
    afterAddr: when("mode", 1, int256),
    maxAccounts: int,
    wantProof: when("mode", 0, present),
  },
  dispatchQueueInfo,
  needsState,
);

export const getDispatchQueueMessages = query(
  "liteServer.getDispatchQueueMessages mode:# id:tonNode.blockIdExt addr:int256 after_lt:long max_messages:int want_proof:mode.0?true one_account:mode.1?true messages_boc:mode.2?true = liteServer.DispatchQueueMessages",
  {
    mode: nat,
    id: blockIdExt,
    addr: int256,
    afterLt: long,
    maxMessages: int,
    wantProof: when("mode", 0, present),
    oneAccount: when("mode", 1, present),
    messagesBoc: when("mode", 2, present),
  },
  dispatchQueueMessages,
  needsState,
);

export const getNonfinalPendingShardBlocks = query(
  "liteServer.nonfinal.getPendingShardBlocks mode:# wc:mode.0?int shard:mode.0?long = liteServer.nonfinal.PendingShardBlocks",
  { mode: nat, wc: when("mode", 0, int), shard: when("mode", 0, long) },
  nonfinalPendingShardBlocks,
  needsNothing,
);

export const queryPrefix = record("liteServer.queryPrefix = Object", {});

export const queryEnvelope = record("liteServer.query data:bytes = Object", { data: bytes });

export const waitMasterchainSeqno = record("liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object", {
  seqno: int,
  timeoutMs: int,
});

/** Every function that is a query. */
export const liteQueries: readonly TlQuery<unknown, unknown>[] = [
  getMasterchainInfo,
  getMasterchainInfoExt,
  getTime,
  getVersion,
  getBlock,
  getState,
  getBlockHeader,
  sendMessage,
  getAccountState,
  getAccountStatePrunned,
  runSmcMethod,
  getShardInfo,
  getAllShardsInfo,
  getOneTransaction,
  getTransactions,
  lookupBlock,
  lookupBlockWithProof,
  listBlockTransactions,
  listBlockTransactionsExt,
  getBlockProof,
  getConfigAll,
  getConfigParams,
  getValidatorStats,
  getLibraries,
  getLibrariesWithProof,
  getShardBlockProof,
  getOutMsgQueueSizes,
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getNonfinalPendingShardBlocks,
];
