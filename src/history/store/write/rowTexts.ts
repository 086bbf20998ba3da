import { type EntityRows, entityList } from "../../entities/indexedEntities.ts";
import { HistoryError } from "../../errors.ts";
import { partTables } from "../schema/blockTables.ts";
import type { Columns, Table } from "../schema/Table.ts";
import { parserOf } from "../schema/values.ts";
import type { TracePart } from "./BatchRows.ts";

type Texts = readonly (string | null)[];

/** The types of columns that have a parser, by their ids in PostgreSQL; others are texts. */
const typeIds: Readonly<Record<string, number>> = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  numeric: 1700,
  jsonb: 3802,
  "bytea[]": 1001,
  "numeric[]": 1231,
  "integer[]": 1007,
  "text[]": 1009,
};

/** Rows as one text: by table, each row a list of its columns as COPY writes them. */
export function formatPart({ entities, ...plain }: TracePart): string {
  const lists = partTables.map(([name, table]) => formatRows(name, table, plain[name]));
  const found = entityList.map(([name, { table }]) => formatRows(name, table, entities[name]));
  return JSON.stringify(Object.fromEntries([...lists, ...found].filter(([, rows]) => rows.length > 0)));
}

function formatRows(name: string, table: Table, rows: readonly object[]): [string, readonly Texts[]] {
  const read = (row: object, key: string): never => (row as Record<string, never>)[key] as never;
  return [name, rows.map((row) => table.listed.map(({ key, column }) => column.write(read(row, key))))];
}

/** The rows that `formatPart` wrote. */
export function parsePart(text: string): TracePart {
  const given = JSON.parse(text) as Readonly<Record<string, readonly Texts[]>>;
  const rowsOf = (name: string, table: Table<Columns>) => (given[name] ?? []).map((texts) => parseRow(table, texts));
  const plain = partTables.map(([name, table]) => [name, rowsOf(name, table)]);
  const entities = entityList.map(([name, { table }]) => [name, rowsOf(name, table)]);
  // Every list was read with the columns of its own table.
  return { ...Object.fromEntries(plain), entities: Object.fromEntries(entities) as EntityRows } as TracePart;
}

function parseRow(table: Table, texts: Texts): object {
  const values = table.listed.map(({ key, column }, index): [string, unknown] => {
    const type = typeIds[column.sql];
    if (type === undefined) throw new HistoryError("history/row", `${table.name} has a column of type ${column.sql}`);
    const text = texts[index] ?? null;
    return [key, column.read(text === null ? null : parserOf(type)(text))];
  });
  return Object.fromEntries(values);
}
