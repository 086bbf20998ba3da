import type { Hash } from "../../../model/Hash.ts";
import type { EntityRows } from "../../entities/indexedEntities.ts";
import type { PoolEventRows } from "../schema/poolTables.ts";
import type { Row } from "../schema/Table.ts";
import type * as tables from "../schema/tables.ts";
import type { ElectionRows, ValidatorRow } from "../schema/validatorTables.ts";

type Rows<T> = readonly Row<T>[];

/**
 * All rows that one masterchain block changes, written in one transaction with the checkpoint. `rowWrites` and the
 * declarations of entities say what happens when a row exists already.
 */
export interface BatchRows extends PoolEventRows {
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
  readonly validatorEvents: readonly ValidatorRow<"events">[];
  /** The same in every index, whatever its scope. */
  readonly elections: ElectionRows;
  /** What the block changes in traces that may still touch the scope of the index. */
  readonly undecided?: UndecidedChanges;
}

/** Rows that a block adds to a trace, in the tables that all traces share. */
export type TracePart = Pick<
  BatchRows,
  | "transactions"
  | "messages"
  | "accountStates"
  | "latestAccountStates"
  | "codes"
  | "entities"
  | "jettonTransfers"
  | "jettonBurns"
  | "nftTransfers"
  | "validatorEvents"
  | keyof PoolEventRows
>;

export interface UndecidedChanges {
  /** Traces that wait for a decision; a row replaces the existing one. */
  readonly traces: Rows<typeof tables.undecidedTraces>;
  /** What these traces gained in the block. */
  readonly parts: readonly { readonly traceId: Hash; readonly rows: TracePart }[];
  /** Traces that waited and now touch the scope: what they gained before goes into the tables. */
  readonly kept: readonly Hash[];
  /** Traces that waited and ended outside the scope. */
  readonly dropped: readonly Hash[];
}
