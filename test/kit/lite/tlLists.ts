import {
  frameContent,
  publicKey,
  publicKeyAes,
  publicKeyEd25519,
  publicKeyOverlay,
  publicKeyUnencrypted,
} from "../../../src/lite/tl/adnlRecords.ts";
import {
  candidateHashDataEmpty,
  candidateHashDataOrdinary,
  candidateId,
  candidateParent,
  candidateWithoutParents,
  dataToSign,
  finalizeVote,
} from "../../../src/lite/tl/consensusRecords.ts";
import { queryEnvelope, queryPrefix, waitMasterchainSeqno } from "../../../src/lite/tl/liteQueries.ts";
import {
  accountDispatchQueueInfo,
  accountId,
  accountState,
  allShardsInfo,
  blockData,
  blockHeader,
  blockId,
  blockIdExt,
  blockLink,
  blockLinkBack,
  blockLinkForward,
  blockOutMsgQueueSize,
  blockState,
  blockTransactions,
  blockTransactionsExt,
  configInfo,
  currentTime,
  dispatchQueueInfo,
  dispatchQueueMessage,
  dispatchQueueMessages,
  libraryEntry,
  libraryResult,
  libraryResultWithProof,
  lookupBlockResult,
  masterchainInfo,
  masterchainInfoExt,
  nonfinalPendingShardBlocks,
  outMsgQueueSize,
  outMsgQueueSizes,
  partialBlockProof,
  runMethodResult,
  sendMsgStatus,
  serverError,
  serverVersion,
  shardBlockLink,
  shardBlockProof,
  shardInfo,
  signature,
  signatureSet,
  signatureSetOrdinary,
  signatureSetSimplex,
  transactionId,
  transactionId3,
  transactionInfo,
  transactionList,
  transactionMetadata,
  validatorStats,
  zeroStateIdExt,
} from "../../../src/lite/tl/liteRecords.ts";
import type { TlRecord, TlUnion } from "../../../src/lite/tl/record.ts";

// The TL declarations of src/lite/tl as lists, in the order of the scheme, for tests that check all of them.

/** Every union of `liteRecords.ts`. */
export const liteUnions: readonly TlUnion<unknown>[] = [signatureSet, blockLink];

/** Every record of `liteRecords.ts`. */
export const liteRecords: readonly TlRecord<unknown>[] = [
  blockId,
  blockIdExt,
  zeroStateIdExt,
  serverError,
  accountId,
  libraryEntry,
  masterchainInfo,
  masterchainInfoExt,
  currentTime,
  serverVersion,
  blockData,
  blockState,
  blockHeader,
  sendMsgStatus,
  accountState,
  runMethodResult,
  shardInfo,
  allShardsInfo,
  transactionInfo,
  transactionList,
  transactionMetadata,
  transactionId,
  transactionId3,
  blockTransactions,
  blockTransactionsExt,
  signature,
  signatureSetOrdinary,
  signatureSetSimplex,
  blockLinkBack,
  blockLinkForward,
  partialBlockProof,
  configInfo,
  validatorStats,
  libraryResult,
  libraryResultWithProof,
  shardBlockLink,
  shardBlockProof,
  lookupBlockResult,
  outMsgQueueSize,
  outMsgQueueSizes,
  blockOutMsgQueueSize,
  accountDispatchQueueInfo,
  dispatchQueueInfo,
  dispatchQueueMessage,
  dispatchQueueMessages,
  nonfinalPendingShardBlocks,
];

/** The envelope and the prefixes of queries. */
export const liteEnvelopes: readonly TlRecord<unknown>[] = [queryPrefix, queryEnvelope, waitMasterchainSeqno];

/** Every union of `adnlRecords.ts`. */
export const adnlUnions: readonly TlUnion<unknown>[] = [publicKey];

/** Every record of `adnlRecords.ts`. */
export const adnlRecords: readonly TlRecord<unknown>[] = [
  publicKeyUnencrypted,
  publicKeyEd25519,
  publicKeyAes,
  publicKeyOverlay,
  ...Object.values(frameContent.variants),
];

/** Every record of `consensusRecords.ts`. */
export const consensusRecords: readonly TlRecord<unknown>[] = [
  dataToSign,
  candidateId,
  candidateParent,
  candidateWithoutParents,
  candidateHashDataOrdinary,
  candidateHashDataEmpty,
  finalizeVote,
];
