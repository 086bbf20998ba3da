import type { Hash } from "../../model/Hash.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import type { Row } from "./Table.ts";
import type * as tables from "./tables.ts";

type Rows<T> = readonly Row<T>[];

/**
 * All rows that one masterchain block changes, written in one transaction with the checkpoint. `rowWrites` and the
 * declarations of entities say what happens when a row exists already.
 */
export interface BatchRows {
  readonly mcSeqno: number;
  readonly blocks: Rows<typeof tables.blocks>;
  readonly shardState: Rows<typeof tables.shardState>;
  readonly transactions: Rows<typeof tables.transactions>;
  readonly messages: Rows<typeof tables.messages>;
  readonly accountStates: Rows<typeof tables.accountStates>;
  readonly latestAccountStates: Rows<typeof tables.latestAccountStates>;
  readonly codes: Rows<typeof tables.codes>;
  /** Traces begun, continued or completed; a row replaces the existing one. */
  readonly traces: Rows<typeof tables.traces>;
  readonly openEdges: Rows<typeof tables.openEdges>;
  /** Messages that were received. */
  readonly closedEdges: readonly Hash[];
  readonly traceAccounts: Rows<typeof tables.traceAccounts>;
  readonly actions: Rows<typeof tables.actions>;
  readonly actionAccounts: Rows<typeof tables.actionAccounts>;
  readonly entities: EntityRows;
  readonly jettonTransfers: Rows<typeof tables.jettonTransfers>;
  readonly jettonBurns: Rows<typeof tables.jettonBurns>;
  readonly nftTransfers: Rows<typeof tables.nftTransfers>;
}
