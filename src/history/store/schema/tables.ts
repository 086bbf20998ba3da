import type { JsonObject } from "../../../lib/json.ts";
import {
  address,
  addresses,
  amount,
  bool,
  bytes,
  double,
  hash,
  hashes,
  int4,
  int8,
  int53,
  ints,
  json,
  nullable,
  shard,
  text,
  texts,
} from "./columns.ts";
import { type Row, table } from "./Table.ts";

/** Amounts of other currencies by their number, both as decimal text. */
export type ExtraCurrencyJson = { readonly [currency: string]: string };
/** A previous block; the shard is the signed number as decimal text. */
export type PrevBlock = { readonly workchain: number; readonly shard: string; readonly seqno: number };
export type StoredStatus = "uninit" | "frozen" | "active" | "nonexist";
export type TraceState = "complete" | "pending" | "broken";
export type ClassificationState = "unclassified" | "ok" | "failed" | "broken";
export type TokenType = "jetton_masters" | "nft_collections" | "nft_items" | "jetton_wallets";

/** The transaction of a token event. */
const tokenEvent = {
  txHash: hash,
  txLt: int8,
  txNow: int53,
  txAborted: bool,
  mcSeqno: int4,
  traceId: nullable(hash),
  queryId: amount,
};

export const indexFacts = table("index_facts", {
  name: text(),
  value: text(),
});

export const segments = table("segments", {
  firstSeqno: int4,
  nextSeqno: int4,
});

export const blocks = table("blocks", {
  workchain: int4,
  shard: shard,
  seqno: int4,
  rootHash: hash,
  fileHash: hash,
  mcBlockSeqno: int4,
  globalId: int4,
  version: int4,
  afterMerge: bool,
  beforeSplit: bool,
  afterSplit: bool,
  wantMerge: bool,
  wantSplit: bool,
  keyBlock: bool,
  vertSeqnoIncr: bool,
  flags: int4,
  genUtime: int53,
  startLt: int8,
  endLt: int8,
  validatorListHashShort: int4,
  genCatchainSeqno: int53,
  minRefMcSeqno: int53,
  prevKeyBlockSeqno: int53,
  vertSeqno: int53,
  masterRefSeqno: int53,
  randSeed: hash,
  createdBy: hash,
  txCount: int4,
  prevBlocks: json<readonly PrevBlock[]>(),
});

export const shardState = table("shard_state", {
  mcSeqno: int4,
  workchain: int4,
  shard: shard,
  seqno: int4,
});

export const transactions = table("transactions", {
  account: address,
  lt: int8,
  hash: hash,
  blockWorkchain: int4,
  blockShard: shard,
  blockSeqno: int4,
  mcBlockSeqno: int4,
  traceId: hash,
  prevTransHash: hash,
  prevTransLt: int8,
  now: int53,
  origStatus: text<StoredStatus>(),
  endStatus: text<StoredStatus>(),
  totalFees: amount,
  totalFeesExtra: nullable(json<ExtraCurrencyJson>()),
  stateHashBefore: hash,
  stateHashAfter: hash,
  aborted: bool,
  description: bytes,
  inMsgHash: nullable(hash),
  inOpcode: nullable(int4),
  /** The state after the transaction, which is known of an account's last one in a block; see `states/statesAfter.ts`. */
  afterBalance: nullable(amount),
  afterBalanceExtra: nullable(json<ExtraCurrencyJson>()),
  afterFrozenHash: nullable(hash),
  afterDataHash: nullable(hash),
  afterCodeHash: nullable(hash),
});

export const messages = table("messages", {
  /** The partition key: `createdLt`, or the lt of the first receiver of an external message. */
  lt: int8,
  hash: hash,
  hashNorm: nullable(hash),
  source: nullable(address),
  destination: nullable(address),
  value: nullable(amount),
  valueExtra: nullable(json<ExtraCurrencyJson>()),
  fwdFee: nullable(amount),
  ihrFee: nullable(amount),
  extraFlags: nullable(amount),
  createdLt: nullable(int8),
  createdAt: nullable(int53),
  opcode: nullable(int4),
  ihrDisabled: nullable(bool),
  bounce: nullable(bool),
  bounced: nullable(bool),
  importFee: nullable(amount),
  bodyHash: hash,
  initHash: nullable(hash),
  outTxHash: nullable(hash),
  outIndex: nullable(int4),
  body: bytes,
  init: nullable(bytes),
});

/** States that are not with a transaction; see `states/statesAfter.ts`. */
export const accountStates = table("account_states", {
  account: address,
  hash: hash,
  lt: int8,
  balance: amount,
  balanceExtra: nullable(json<ExtraCurrencyJson>()),
  status: text<StoredStatus>(),
  frozenHash: nullable(hash),
  dataHash: nullable(hash),
  codeHash: nullable(hash),
});

export const latestAccountStates = table("latest_account_states", {
  account: address,
  hash: hash,
  balance: amount,
  balanceExtra: nullable(json<ExtraCurrencyJson>()),
  status: text<StoredStatus>(),
  timestamp: int53,
  lastTransHash: nullable(hash),
  lastTransLt: int8,
  frozenHash: nullable(hash),
  dataHash: nullable(hash),
  codeHash: nullable(hash),
  dataBoc: nullable(bytes),
});

/** Accounts with the largest balances; see `states/richAccounts.ts`. */
export const richAccounts = table("rich_accounts", {
  account: address,
  balance: amount,
});

export const codes = table("codes", {
  hash: hash,
  boc: bytes,
  methods: nullable(ints),
});

export const traces = table("traces", {
  traceId: hash,
  externalHash: nullable(hash),
  externalHashNorm: nullable(hash),
  mcSeqnoStart: int4,
  mcSeqnoEnd: int4,
  startLt: int8,
  startUtime: int53,
  endLt: int8,
  endUtime: int53,
  state: text<TraceState>(),
  edges: int4,
  nodes: int4,
  pendingEdges: int4,
  classificationState: text<ClassificationState>(),
});

/** Traces that may still touch the scope of the index; see `store/write/undecidedRows.ts`. */
export const undecidedTraces = table("undecided_traces", {
  ...traces.columns,
  /** Whether a transaction of an earlier segment may have sent its first message. */
  mayHaveParent: bool,
});

export const undecidedRows = table("undecided_rows", {
  traceId: hash,
  mcSeqno: int4,
  partId: hash,
  rows: text(),
});

export const openEdges = table("open_edges", {
  msgHash: hash,
  traceId: hash,
});

export const traceAccounts = table("trace_accounts", {
  account: address,
  endLt: int8,
  traceId: hash,
  endUtime: int53,
});

export const actions = table("actions", {
  traceId: hash,
  actionId: hash,
  type: text(),
  shownType: text(),
  startLt: int8,
  endLt: int8,
  startUtime: int53,
  endUtime: int53,
  traceEndLt: int8,
  traceEndUtime: int53,
  traceMcSeqnoEnd: int4,
  traceExternalHash: nullable(hash),
  traceExternalHashNorm: nullable(hash),
  success: nullable(bool),
  ancestorTypes: texts,
  parentId: nullable(hash),
  transactions: hashes,
  accounts: addresses,
  details: json<JsonObject>(),
});

export const actionAccounts = table("action_accounts", {
  account: address,
  traceEndLt: int8,
  traceId: hash,
  actionEndLt: int8,
  actionId: hash,
  traceEndUtime: int53,
  actionEndUtime: int53,
  /** See `actionTypeCode`. */
  typeCode: int4,
  ancestorCodes: nullable(ints),
});

export const jettonTransfers = table("jetton_transfers", {
  ...tokenEvent,
  amount: amount,
  source: address,
  destination: nullable(address),
  sourceWallet: address,
  jettonMaster: address,
  responseDestination: nullable(address),
  customPayload: nullable(bytes),
  forwardTonAmount: nullable(amount),
  forwardPayload: nullable(bytes),
});

export const jettonBurns = table("jetton_burns", {
  ...tokenEvent,
  owner: address,
  jettonWallet: address,
  jettonMaster: address,
  amount: amount,
  responseDestination: nullable(address),
  customPayload: nullable(bytes),
});

export const nftTransfers = table("nft_transfers", {
  ...tokenEvent,
  nftItem: address,
  nftItemIndex: nullable(amount),
  nftCollection: nullable(address),
  oldOwner: address,
  newOwner: nullable(address),
  responseDestination: nullable(address),
  customPayload: nullable(bytes),
  forwardAmount: nullable(amount),
  forwardPayload: nullable(bytes),
});

export const addressMetadata = table("address_metadata", {
  address: address,
  type: text<TokenType>(),
  valid: nullable(bool),
  name: nullable(text()),
  description: nullable(text()),
  symbol: nullable(text()),
  image: nullable(text()),
  extra: nullable(json<JsonObject>()),
  updatedAt: int53,
  expiresAt: nullable(int53),
  attempts: int4,
  nextAttemptAt: nullable(int53),
});

export const addressMetadataFlags = table("address_metadata_flags", {
  address: address,
  isNsfw: bool,
  isScam: bool,
});

export const marketplaceNames = table("marketplace_names", {
  address: address,
  name: text(),
});

/** A jetton wallet as a masterchain block left it. */
export const jettonWalletChanges = table("jetton_wallet_changes", {
  mcSeqno: int4,
  address: address,
  balance: amount,
  owner: address,
  jetton: address,
  codeHash: nullable(hash),
  dataHash: nullable(hash),
  lastTransactionLt: int8,
});

/** Messages between processes about predictions. */
export const streamMessages = table("stream_messages", {
  id: int8,
  origin: text(),
  sentAt: int53,
  payload: text(),
});

/** Partitions that were rewritten in the order of accounts; see `seal/sealPartition.ts`. */
export const sealedPartitions = table("sealed_partitions", {
  name: text(),
  sealedAt: int53,
});

/** Partitions that are being rewritten. */
export const sealAttempts = table("seal_attempts", {
  name: text(),
  attempt: text(),
  isChanged: bool,
});

/** A range of masterchain blocks that a process is indexing: a segment and its last wanted block. */
export const ingestLeases = table("ingest_leases", {
  firstSeqno: int4,
  /** Absent while the chain is followed. */
  lastSeqno: nullable(int4),
  kind: text<"follow" | "backfill">(),
  holder: text(),
  /** Never that of another lease. */
  epoch: int8,
  /** By the clock of the database, in milliseconds. */
  takenAt: int53,
  beatAt: int53,
  blocksPerSecond: double,
  transactionsPerSecond: double,
});

export type TraceRow = Row<typeof traces>;
export type UndecidedTraceRow = Row<typeof undecidedTraces>;
