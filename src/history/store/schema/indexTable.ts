import { type ConflictRule, insertOnce } from "./conflictRule.ts";
import type { Placement } from "./placement.ts";
import { type Columns, type KeyedTable, type Table, table } from "./Table.ts";

/** How rows come into a table. */
export type RowSource<Column extends string = string> =
  /** Blocks have them, the same in every index, whatever its scope. */
  | { readonly kind: "block" }
  /** A decided trace has them: its column `traceId` names it. */
  | { readonly kind: "trace" }
  /** A block adds them to a trace, with which they wait until it is decided; `by` names what they belong to. */
  | { readonly kind: "part"; readonly of: PartOwner; readonly by: Column }
  /** They follow from other rows, and code of their own writes them. */
  | { readonly kind: "derived" }
  /** They do not follow from the chain: an export leaves them out. */
  | { readonly kind: "service" };

/** What rows of a trace belong to; messages belong to the transactions that send and receive them, codes to states. */
export type PartOwner = "trace" | "transaction" | "account" | "message" | "code";

export const inEveryIndex = { kind: "block" } as const;
export const ofTraces = { kind: "trace" } as const;
export const derived = { kind: "derived" } as const;

export function partOf<Owner extends PartOwner, Column extends string>(of: Owner, by: Column) {
  return { kind: "part", of, by } as const;
}

/** What the removal of old history (`--keep`) does with rows. */
export type Retention<Column extends string = string> =
  | { readonly kind: "kept" }
  /** Rows of masterchain blocks before the first kept one are deleted. */
  | { readonly kind: "seqno"; readonly by: Column }
  /**
   * The table has partitions by a logical time, which are dropped; a sealed one has its rows in the order `sealedBy`.
   */
  | {
      readonly kind: "partitioned";
      readonly by: Column;
      readonly sealedBy: readonly Column[];
      readonly apart?: SealedApart<Column>;
    };

/**
 * Rows without a value in the column `without`, which lists read in the order of a hash: a sealed partition has them
 * first, in groups by the beginning of it.
 */
export interface SealedApart<Column extends string = string> {
  readonly without: Column;
  readonly inOrderOf: Column;
}

export const kept = { kind: "kept" } as const;

/** The rules of tables that do not follow from the chain. */
export const service = { source: { kind: "service" }, retention: kept } as const;

export function droppedBy<Column extends string>(by: Column) {
  return { kind: "seqno", by } as const;
}

export function partitionedBy<Column extends string, const Order extends readonly string[]>(
  by: Column,
  sealedBy: Order,
) {
  return { kind: "partitioned", by, sealedBy } as const;
}

export interface TableRules<C extends Columns, Source extends RowSource> {
  /** The columns that identify a row: the primary key, where the table has one. */
  readonly key: readonly (keyof C & string)[];
  readonly source: Source;
  readonly retention: Retention<keyof C & string>;
  readonly placement: Placement<keyof C & string>;
  /** What happens when a row with the same key is written; by default it is an error. */
  readonly conflict?: (table: KeyedTable<C>) => ConflictRule;
}

/** A table of the index, declared once: who writes, splits, exports, seals and removes rows reads it here. */
export interface IndexTable<C = Columns, Source extends RowSource = RowSource> extends KeyedTable<C> {
  readonly source: Source;
  readonly retention: Retention;
  readonly placement: Placement;
  readonly conflict: ConflictRule;
}

/** Declares a table of the index. */
export function indexTable<C extends Columns, Source extends RowSource<keyof C & string>>({
  name,
  columns,
  ...rules
}: { readonly name: string; readonly columns: C } & TableRules<NoInfer<C>, Source>): IndexTable<C, Source> {
  return withRules(table(name, columns), rules);
}

/** A table with the rules of its rows. */
export function withRules<C extends Columns, Source extends RowSource>(
  of: Table<C>,
  { key, source, retention, placement, conflict = () => insertOnce }: TableRules<NoInfer<C>, Source>,
): IndexTable<C, Source> {
  const keyed = { ...of, key };
  return { ...keyed, source, retention, placement, conflict: conflict(keyed) };
}
