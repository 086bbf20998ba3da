import type { JsonObject } from "../../../lib/json.ts";
import type { AccountStatus } from "../../../model/Transaction.ts";
import {
  address,
  addresses,
  amount,
  bool,
  bytes,
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
import { addMissing, keepExisting, keepNewest, replaceExisting } from "./conflictRule.ts";
import { derived, droppedBy, indexTable, inEveryIndex, kept, ofTraces, partitionedBy, partOf } from "./indexTable.ts";
import { distributedBy, distributedBySeqno, onCoordinator, onEveryMachine } from "./placement.ts";
import type { Row } from "./Table.ts";

/** Amounts of other currencies by their number, both as decimal text. */
export type ExtraCurrencyJson = { readonly [currency: string]: string };
/** A previous block; the shard is the signed number as decimal text. */
export type PrevBlock = { readonly workchain: number; readonly shard: string; readonly seqno: number };
export type TraceState = "complete" | "pending" | "broken";
export type ClassificationState = "unclassified" | "ok" | "failed" | "broken";

export const blocks = indexTable({
  name: "blocks",
  key: ["workchain", "shard", "seqno"],
  source: inEveryIndex,
  retention: droppedBy("mcBlockSeqno"),
  placement: distributedBySeqno("seqno"),
  columns: {
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
  },
});

export const shardState = indexTable({
  name: "shard_state",
  key: ["mcSeqno", "workchain", "shard", "seqno"],
  source: inEveryIndex,
  retention: droppedBy("mcSeqno"),
  placement: distributedBySeqno("seqno"),
  columns: { mcSeqno: int4, workchain: int4, shard: shard, seqno: int4 },
});

export const transactions = indexTable({
  name: "transactions",
  key: ["account", "lt"],
  source: partOf("trace", "traceId"),
  retention: partitionedBy("lt", ["account", "lt"]),
  placement: distributedBy("account"),
  columns: {
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
    origStatus: text<AccountStatus>(),
    endStatus: text<AccountStatus>(),
    totalFees: amount,
    totalFeesExtra: nullable(json<ExtraCurrencyJson>()),
    stateHashBefore: hash,
    stateHashAfter: hash,
    aborted: bool,
    description: bytes,
    inMsgHash: nullable(hash),
    inOpcode: nullable(int4),
    /**
     * The state after the transaction, which is known of an account's last one in a block; see `states/statesAfter.ts`.
     */
    afterBalance: nullable(amount),
    afterBalanceExtra: nullable(json<ExtraCurrencyJson>()),
    afterFrozenHash: nullable(hash),
    afterDataHash: nullable(hash),
    afterCodeHash: nullable(hash),
  },
});

export const messages = indexTable({
  name: "messages",
  key: ["lt", "hash"],
  source: partOf("message", "hash"),
  // External messages have no time, and are listed in the order of their hashes.
  retention: {
    ...partitionedBy("lt", ["destination", "lt", "hash"]),
    apart: { without: "createdLt", inOrderOf: "hash" },
  },
  placement: distributedBy("hash"),
  // The sender of a message may be committed after its receiver.
  conflict: addMissing(["outTxHash", "outIndex"]),
  columns: {
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
  },
});

/** What a state has, in two parts: between them tables may have columns of their own. */
const stateBalance = {
  balance: amount,
  balanceExtra: nullable(json<ExtraCurrencyJson>()),
  status: text<AccountStatus>(),
};
const stateHashes = {
  frozenHash: nullable(hash),
  dataHash: nullable(hash),
  codeHash: nullable(hash),
};

/** States that are not with a transaction; see `states/statesAfter.ts`. */
export const accountStates = indexTable({
  name: "account_states",
  key: ["account", "hash", "lt"],
  source: partOf("account", "account"),
  retention: partitionedBy("lt", ["account", "lt", "hash"]),
  placement: distributedBy("account"),
  conflict: keepExisting,
  columns: {
    account: address,
    hash: hash,
    lt: int8,
    ...stateBalance,
    ...stateHashes,
  },
});

export const latestAccountStates = indexTable({
  name: "latest_account_states",
  key: ["account"],
  source: partOf("account", "account"),
  retention: kept,
  placement: distributedBy("account"),
  conflict: keepNewest("lastTransLt"),
  columns: {
    account: address,
    hash: hash,
    ...stateBalance,
    timestamp: int53,
    lastTransHash: nullable(hash),
    lastTransLt: int8,
    ...stateHashes,
    dataBoc: nullable(bytes),
  },
});

/** What the indexer keeps for itself. */
const ofIndexer = { source: derived, retention: kept, placement: onCoordinator } as const;

/** Accounts with the largest balances; see `states/richAccounts.ts`. */
export const richAccounts = indexTable({
  name: "rich_accounts",
  key: ["account"],
  ...ofIndexer,
  columns: { account: address, balance: amount },
});

export const codes = indexTable({
  name: "codes",
  key: ["hash"],
  source: partOf("code", "hash"),
  retention: kept,
  placement: onEveryMachine,
  // The library that a code refers to may be published after the code.
  conflict: addMissing(["methods"]),
  columns: { hash: hash, boc: bytes, methods: nullable(ints) },
});

export const traces = indexTable({
  name: "traces",
  key: ["traceId", "startLt"],
  source: ofTraces,
  retention: partitionedBy("startLt", ["startLt", "traceId"]),
  placement: distributedBy("traceId"),
  conflict: replaceExisting,
  columns: {
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
  },
});

/** Traces that may still touch the scope of the index; see `store/write/undecidedRows.ts`. */
export const undecidedTraces = indexTable({
  name: "undecided_traces",
  key: ["traceId"],
  ...ofIndexer,
  columns: {
    ...traces.columns,
    /** Whether a transaction of an earlier segment may have sent its first message. */
    mayHaveParent: bool,
  },
});

export const undecidedRows = indexTable({
  name: "undecided_rows",
  key: ["traceId", "mcSeqno", "partId"],
  ...ofIndexer,
  columns: { traceId: hash, mcSeqno: int4, partId: hash, rows: text() },
});

export const openEdges = indexTable({
  name: "open_edges",
  key: ["msgHash"],
  source: inEveryIndex,
  retention: kept,
  placement: onCoordinator,
  columns: { msgHash: hash, traceId: hash },
});

export const traceAccounts = indexTable({
  name: "trace_accounts",
  key: ["account", "endLt", "traceId"],
  source: ofTraces,
  retention: partitionedBy("endLt", ["account", "endLt", "traceId"]),
  placement: distributedBy("account"),
  columns: { account: address, endLt: int8, traceId: hash, endUtime: int53 },
});

export const actions = indexTable({
  name: "actions",
  key: ["traceId", "actionId", "traceEndLt"],
  source: ofTraces,
  retention: partitionedBy("traceEndLt", ["traceEndLt", "traceId", "actionId"]),
  placement: distributedBy("traceId"),
  columns: {
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
  },
});

export const actionAccounts = indexTable({
  name: "action_accounts",
  key: ["account", "traceEndLt", "traceId", "actionEndLt", "actionId"],
  source: ofTraces,
  retention: partitionedBy("traceEndLt", ["account", "traceEndLt", "actionId"]),
  placement: distributedBy("account"),
  columns: {
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
  },
});

export type TraceRow = Row<typeof traces>;
export type UndecidedTraceRow = Row<typeof undecidedTraces>;
