import type { DetectedEntity } from "../../contracts/detect.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { ConflictRule } from "../store/schema/conflictRule.ts";
import { type IndexTable, kept, partOf, withRules } from "../store/schema/indexTable.ts";
import { onEveryMachine, type Placement } from "../store/schema/placement.ts";
import type { Columns, KeyedTable, Row, Table } from "../store/schema/Table.ts";

/** The account an entity was detected at, with the state it was read from, under the names of the columns. */
export interface EntityBlock {
  readonly address: Address;
  /** Orders entities by the block and the position in which they were first seen. */
  readonly id: bigint;
  readonly codeHash: Hash;
  readonly dataHash: Hash;
  readonly lastTransactionLt: bigint;
}

/** The lookups of `Facts` that rows of entities answer. */
export type EntityFactName = Exclude<keyof Facts, "network" | "findCodeHash" | "findData" | "findMarketplaceName">;

type FactValue<K extends EntityFactName> = ReturnType<Facts[K]>;

/** Makes the rows of each kind of detected entity that fills the table. */
type RowMakers<R> = {
  readonly [K in DetectedEntity["kind"]]?: (
    extract: Extract<DetectedEntity, { readonly kind: K }>,
    place: EntityBlock,
  ) => readonly R[];
};

interface EntityDeclaration<C extends Columns, F extends EntityFactName> {
  readonly table: Table<C>;
  /** The column of the account that the row describes. */
  readonly account: keyof C & string;
  /** The primary key. */
  readonly key: readonly (keyof C & string)[];
  readonly conflict: (table: KeyedTable<C>) => ConflictRule;
  /** Where rows are on a cluster; by default on every machine. */
  readonly placement?: Placement<keyof C & string>;
  /** Columns that cannot be derived from the account's state, so `index verify` does not compare them. */
  readonly notVerified?: readonly (keyof C & string)[];
  /** Columns, or the table, that blocks indexed before migration 0013 lack. */
  readonly isNewIn?: "table" | readonly (keyof C & string)[];
  readonly rows: RowMakers<Row<Table<C>>>;
  /** The facts that the row of an account gives to the classifier. */
  readonly facts?: { readonly [K in F]: (row: Row<Table<C>>) => FactValue<K> };
}

/** A table that is filled with what accounts were detected to be. */
export interface IndexedEntity<C extends Columns = Columns, F extends string = string> {
  readonly table: IndexTable<C>;
  readonly account: string;
  readonly notVerified: readonly string[];
  readonly isNewIn: "table" | readonly string[];
  makeRows(detectedEntity: DetectedEntity, place: EntityBlock): readonly Row<Table<C>>[];
  readonly factNames: readonly F[];
  /** Reads a fact from the row of an account. */
  readFact(name: string, row: Row<Table<C>>): unknown;
}

/** Declares an indexed entity: writing, verifying, looking up and facts are derived from it. */
export function indexedEntity<C extends Columns, F extends EntityFactName = never>(
  declared: EntityDeclaration<C, F>,
): IndexedEntity<C, F> {
  const { table, account, key, conflict, placement = onEveryMachine, notVerified = [], isNewIn = [], rows } = declared;
  // The kind selects the maker, and the name the reader, for exactly that value.
  const makers = rows as Readonly<
    Record<string, ((detectedEntity: DetectedEntity, place: EntityBlock) => readonly Row<Table<C>>[]) | undefined>
  >;
  const readers = (declared.facts ?? {}) as Readonly<Record<string, ((row: Row<Table<C>>) => unknown) | undefined>>;
  return {
    table: withRules(table, { key, source: partOf("account", account), retention: kept, placement, conflict }),
    account,
    notVerified,
    isNewIn,
    makeRows: (detectedEntity, place) => makers[detectedEntity.kind]?.(detectedEntity, place) ?? [],
    factNames: Object.keys(readers) as F[],
    readFact: (name, row) => readers[name]?.(row),
  };
}
