import { blankRecord } from "../../../lib/kit/blankRecord.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlRow } from "../Database.ts";
import type { CopyBuffer } from "./CopyBuffer.ts";
import type { Column } from "./columns.ts";

/** A column of whatever type. */
export interface AnyColumn extends Pick<Column<unknown>, "sql" | "isNullable" | "read"> {
  write(value: never): string | null;
  pack(value: never, into: CopyBuffer): void;
}

/** Columns by their names in code; the column has the same name in snake case. */
export type Columns = Readonly<Record<string, AnyColumn>>;

/** A table, declared once: row type, reading and writing are derived. */
export interface Table<C = Columns> {
  readonly name: string;
  readonly columns: C;
  /** The names of the columns in the database, in the order of `columns`. */
  readonly names: readonly string[];
  /** The columns with both names, for reading rows. */
  readonly listed: readonly ListedColumn[];
  /** A row without values, which readers copy. */
  readonly blank: Readonly<Record<string, unknown>>;
}

/** A table whose rows are identified by columns. */
export interface KeyedTable<C = Columns> extends Table<C> {
  readonly key: readonly string[];
}

interface ListedColumn {
  readonly key: string;
  readonly name: string;
  readonly column: AnyColumn;
}

type ValueOf<X> = X extends Column<infer T> ? T : never;

/** A row of a table. */
export type Row<T> = T extends Table<infer C> ? { readonly [K in keyof C]: ValueOf<C[K]> } : never;

/** A mutable copy of a row: an object literal that begins with a spread is many times slower. */
export type RowDraft<R> = { -readonly [K in keyof R]: R[K] };

/** Declares a table. */
export function table<C extends Columns>(name: string, columns: C): Table<C> {
  const listed = Object.entries(columns).map(([key, column]) => ({ key, name: columnName(key), column }));
  return { name, columns, names: listed.map((each) => each.name), listed, blank: blankRecord(Object.keys(columns)) };
}

/** The name of a column in the database. */
export function columnName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The column list of a select, each with the table's alias. */
export function selectList(of: Pick<Table, "names">, alias: string): string {
  return of.names.map((name) => `${alias}."${name}"`).join(", ");
}

/** Reads a row that the database returned. */
export function readRow<T extends Table<Columns>>(of: T, raw: SqlRow): Row<T> {
  const row: Record<string, unknown> = { ...of.blank };
  for (const { key, name, column } of of.listed) {
    const value = raw[name];
    if (value === undefined) throw new HistoryError("history/row", `no column ${name} in a row of ${of.name}`);
    row[key] = column.read(value);
  }
  return row as Row<T>;
}
