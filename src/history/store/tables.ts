import type { JsonValue } from "../../lib/json.ts";
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
import { table } from "./Table.ts";

type JsonObject = { readonly [key: string]: JsonValue };
/** Amounts of other currencies by their number, both as decimal text. */
export type ExtraCurrencyJson = { readonly [currency: string]: string };
/** A block before a block; the shard is the signed number as decimal text. */
export type PrevBlock = { readonly workchain: number; readonly shard: string; readonly seqno: number };
export type StoredStatus = "uninit" | "frozen" | "active" | "nonexist";
export type TraceState = "complete" | "pending" | "broken";
export type ClassificationState = "unclassified" | "ok" | "failed" | "broken";
export type SaleKind = "getgems_sale" | "getgems_auction" | "telemint";
export type TokenType = "jetton_masters" | "nft_collections" | "nft_items" | "jetton_wallets";

/** Where and when something happened to a token. */
const tokenEvent = {
  txHash: hash,
  txLt: int8,
  txNow: int53,
  txAborted: bool,
  mcSeqno: int4,
  traceId: nullable(hash),
  queryId: amount,
};

/** A contract of its own list, in the order in which contracts were met. */
const listed = {
  address: address,
  id: int8,
};

/** The state of a contract that its row was read from. */
const madeFrom = {
  codeHash: hash,
  dataHash: hash,
  lastTransactionLt: int8,
};

const perhapsMadeFrom = {
  codeHash: nullable(hash),
  dataHash: nullable(hash),
  lastTransactionLt: int8,
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
});

export const messages = table("messages", {
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
});

export const messageContents = table("message_contents", {
  hash: hash,
  body: bytes,
});

export const accountStates = table("account_states", {
  account: address,
  hash: hash,
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
});

export const jettonMasters = table("jetton_masters", {
  ...listed,
  totalSupply: amount,
  mintable: bool,
  adminAddress: nullable(address),
  jettonContent: nullable(json<JsonObject>()),
  jettonWalletCodeHash: hash,
  ...madeFrom,
});

export const mintlessJettonMasters = table("mintless_jetton_masters", {
  address: address,
  isIndexed: bool,
  customPayloadApiUri: nullable(texts),
});

export const jettonWallets = table("jetton_wallets", {
  ...listed,
  balance: amount,
  owner: address,
  jetton: address,
  ...perhapsMadeFrom,
  mintlessIsClaimed: nullable(bool),
  mintlessAmount: nullable(amount),
  mintlessStartFrom: nullable(int53),
  mintlessExpireAt: nullable(int53),
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

export const nftCollections = table("nft_collections", {
  ...listed,
  nextItemIndex: amount,
  ownerAddress: nullable(address),
  collectionContent: nullable(json<JsonObject>()),
  ...madeFrom,
});

export const nftItems = table("nft_items", {
  ...listed,
  init: bool,
  index: amount,
  collectionAddress: nullable(address),
  ownerAddress: nullable(address),
  realOwner: nullable(address),
  content: nullable(json<JsonObject>()),
  ...madeFrom,
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

export const nftSales = table("nft_sales", {
  ...listed,
  kind: text<SaleKind>(),
  nftAddress: nullable(address),
  nftOwnerAddress: nullable(address),
  marketplaceAddress: nullable(address),
  createdAt: nullable(int53),
  price: nullable(amount),
  details: json<JsonObject>(),
  ...madeFrom,
});

export const multisigs = table("multisigs", {
  ...listed,
  nextOrderSeqno: nullable(amount),
  threshold: nullable(int4),
  signers: addresses,
  proposers: addresses,
  ...perhapsMadeFrom,
});

export const multisigOrders = table("multisig_orders", {
  ...listed,
  multisigAddress: address,
  orderSeqno: nullable(amount),
  threshold: nullable(int4),
  sentForExecution: nullable(bool),
  approvalsMask: nullable(amount),
  approvalsNum: nullable(int4),
  expirationDate: nullable(int53),
  orderBoc: nullable(bytes),
  signers: addresses,
  ...perhapsMadeFrom,
});

export const vestingContracts = table("vesting_contracts", {
  ...listed,
  startTime: nullable(int53),
  totalDuration: nullable(int53),
  unlockPeriod: nullable(int53),
  cliffDuration: nullable(int53),
  totalAmount: nullable(amount),
  senderAddress: nullable(address),
  ownerAddress: nullable(address),
  ...perhapsMadeFrom,
});

export const vestingWhitelist = table("vesting_whitelist", {
  vestingAddress: address,
  walletAddress: address,
});

export const dnsEntries = table("dns_entries", {
  nftItemAddress: address,
  nftItemOwner: nullable(address),
  domain: text(),
  dnsNextResolver: nullable(address),
  dnsWallet: nullable(address),
  dnsSiteAdnl: nullable(hash),
  dnsStorageBagId: nullable(hash),
  lastTransactionLt: int8,
});

export const dexPools = table("dex_pools", {
  address: address,
  dex: text(),
  asset0: nullable(address),
  asset1: nullable(address),
  reserve0: amount,
  reserve1: amount,
  poolType: text(),
  fee: double,
  ...madeFrom,
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

/** All tables, in the order in which the migrations make them. */
export const tables = [
  indexFacts,
  segments,
  blocks,
  shardState,
  transactions,
  messages,
  messageContents,
  accountStates,
  latestAccountStates,
  codes,
  traces,
  openEdges,
  traceAccounts,
  actions,
  actionAccounts,
  jettonMasters,
  mintlessJettonMasters,
  jettonWallets,
  jettonTransfers,
  jettonBurns,
  nftCollections,
  nftItems,
  nftTransfers,
  nftSales,
  multisigs,
  multisigOrders,
  vestingContracts,
  vestingWhitelist,
  dnsEntries,
  dexPools,
  addressMetadata,
  addressMetadataFlags,
  marketplaceNames,
] as const;
