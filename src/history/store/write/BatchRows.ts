import type { Hash } from "../../../model/Hash.ts";
import { noEntities } from "../../entities/entityRows.ts";
import type { EntityRows } from "../../entities/indexedEntities.ts";
import { type BlockRows, blockTables, type PartTableName } from "../schema/blockTables.ts";
import type { Row } from "../schema/Table.ts";
import type { undecidedTraces } from "../schema/tables.ts";
import { type ElectionRows, noElections } from "../schema/validatorTables.ts";

/**
 * All rows that one masterchain block changes, written in one transaction with the checkpoint. The declarations of
 * tables and entities say what happens when a row exists already.
 */
export interface BatchRows extends BlockRows {
  readonly mcSeqno: number;
  /** Messages that were received. */
  readonly closedEdges: readonly Hash[];
  readonly entities: EntityRows;
  /** The same in every index, whatever its scope. */
  readonly elections: ElectionRows;
  /** What the block changes in traces that may still touch the scope of the index. */
  readonly undecided?: UndecidedChanges;
}

/** Rows that a block adds to a trace, in the tables that all traces share. */
export type TracePart = Pick<BatchRows, PartTableName | "entities">;

export interface UndecidedChanges {
  /** Traces that wait for a decision; a row replaces the existing one. */
  readonly traces: readonly Row<typeof undecidedTraces>[];
  /** What these traces gained in the block. */
  readonly parts: readonly { readonly traceId: Hash; readonly rows: TracePart }[];
  /** Traces that waited and now touch the scope: what they gained before goes into the tables. */
  readonly kept: readonly Hash[];
  /** Traces that waited and ended outside the scope. */
  readonly dropped: readonly Hash[];
}

/** Rows while they are collected. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** A block that changes nothing, to be filled. */
export function noRows(mcSeqno: number): Writable<BatchRows> {
  const none = Object.fromEntries(blockTables.map(([name]) => [name, []])) as unknown as Writable<BlockRows>;
  return { ...none, mcSeqno, closedEdges: [], entities: noEntities(), elections: noElections };
}
