import { noEntities } from "../../entities/entityRows.ts";
import { noElections } from "../schema/validatorTables.ts";
import type { BatchRows } from "./BatchRows.ts";

/** Rows while they are collected. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** A block that changes nothing, to be filled. */
export function noRows(mcSeqno: number): Writable<BatchRows> {
  return {
    mcSeqno,
    blocks: [],
    shardState: [],
    transactions: [],
    messages: [],
    accountStates: [],
    latestAccountStates: [],
    codes: [],
    traces: [],
    openEdges: [],
    closedEdges: [],
    traceAccounts: [],
    actions: [],
    actionAccounts: [],
    entities: noEntities(),
    jettonTransfers: [],
    jettonBurns: [],
    nftTransfers: [],
    validatorEvents: [],
    elections: noElections,
    nominatorPoolEvents: [],
    poolValidatorEvents: [],
  };
}
