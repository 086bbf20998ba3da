import fc from "fast-check";
import { noEntities } from "../../../src/history/entities/entityRows.ts";
import { type EntityRows, entityList } from "../../../src/history/entities/indexedEntities.ts";
import type { Database, SqlValue } from "../../../src/history/store/Database.ts";
import { allTables } from "../../../src/history/store/migrate/allTables.ts";
import { blockTables, electionTableList } from "../../../src/history/store/schema/blockTables.ts";
import {
  type AnyColumn,
  type Columns,
  type Row,
  readRow,
  selectList,
  type Table,
} from "../../../src/history/store/schema/Table.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { noRows } from "../../../src/history/store/write/BatchRows.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";

const keys = new Map(allTables.map(({ name, key }) => [name, key]));

/** The key of a row; that of a table that is not declared is its first column. */
export function rowKey({ name, columns }: Pick<Table, "name" | "columns">, row: object): string {
  const key = keys.get(name) ?? Object.keys(columns).slice(0, 1);
  return key.map((each) => String((row as Readonly<Record<string, unknown>>)[each])).join();
}

const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((value) => value.replaceAll("\0", ""));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hash = bytes(32).map(hashFromBytes);
const address = fc
  .tuple(fc.constantFrom(-1, 0, 1), hash)
  .map(([workchain, account]) => makeAddress(workchain, account));
const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
/** Within the first few partitions: each additional one would be created for every table. */
const lt = fc.bigInt({ min: 0n, max: 2n ** 44n - 1n });
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 256n }),
    text,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(text, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Finds the kind of a `bytea` column by decoding samples: the SQL type does not distinguish hash and address. */
function anyBytes(
  read: (value: SqlValue) => unknown,
  wrap: (value: Uint8Array) => SqlValue,
): "hash" | "address" | "bytes" {
  const tryRead = (length: number): unknown => {
    try {
      return read(wrap(new Uint8Array(length)));
    } catch {
      // The column rejects this length.
      return undefined;
    }
  };
  if (String(tryRead(33)).startsWith("-128:")) return "address";
  return String(tryRead(32)).length === 64 && !(tryRead(32) instanceof Uint8Array) ? "hash" : "bytes";
}

const byKind: Readonly<Record<"hash" | "address" | "bytes", fc.Arbitrary<unknown>>> = {
  hash,
  address,
  bytes: fc.uint8Array({ maxLength: 40 }),
};

function anyBigint({ read }: AnyColumn): fc.Arbitrary<unknown> {
  if (typeof read(1n) === "number") return fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  return read(-1n) === -1n ? lt : fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
}

function anyOf(column: AnyColumn): fc.Arbitrary<unknown> {
  switch (column.sql) {
    case "integer":
      return whole;
    case "bigint":
      return anyBigint(column);
    case "numeric":
      return fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    case "double precision":
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9, max: 1e9 });
    case "boolean":
      return fc.boolean();
    case "bytea":
      return byKind[anyBytes(column.read, (value) => value)];
    case "bytea[]":
      return fc.array(byKind[anyBytes(column.read, (value) => [value])], { maxLength: 3 });
    case "integer[]":
      return fc.array(whole, { maxLength: 3 });
    case "numeric[]":
      return fc.array(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { maxLength: 3 });
    case "text[]":
      return fc.array(text, { maxLength: 3 });
    case "jsonb":
      return json;
    default:
      return text;
  }
}

function orAbsent(column: AnyColumn): fc.Arbitrary<unknown> {
  // A JSON null and an absent value are the same in a nullable column.
  const any = anyOf(column).filter((value) => value !== null || !column.isNullable);
  return column.isNullable ? fc.option(any, { nil: undefined }) : any;
}

/** Random rows of a table with distinct keys. */
export function anyRows<C extends Columns>(table: Table<C>, maxLength = 4): fc.Arbitrary<Row<Table<C>>[]> {
  const fields = Object.entries(table.columns).map(([key, column]) => [key, orAbsent(column)]);
  const row = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  return fc.uniqueArray(row, { maxLength, selector: (each) => rowKey(table, each) }) as fc.Arbitrary<Row<Table<C>>[]>;
}

/** One random row, the same in every run, with what the test says of it. */
export function rowOf<C extends Columns>(
  table: Table<C>,
  seed: number,
  fields: Partial<Row<Table<C>>> = {},
): Row<Table<C>> {
  const [rows] = fc.sample(
    anyRows(table, 1).filter(({ length }) => length === 1),
    { numRuns: 1, seed },
  );
  return { ...(rows as [Row<Table<C>>])[0], ...fields };
}

/** A table filled by a batch, with its rows in the batch. */
export interface FilledTable {
  readonly table: Table<Columns>;
  readonly rows: readonly object[];
}

/** Every table filled by a batch. */
export function filledTables(batch: BatchRows): readonly FilledTable[] {
  return [
    ...blockTables.map(([name, table]) => ({ table, rows: batch[name] })),
    ...electionTableList.map(([name, table]) => ({ table, rows: batch.elections[name] })),
    ...entityList.map(([name, { table }]) => ({ table, rows: batch.entities[name] })),
  ];
}

/** The batch of a masterchain block with only the given rows. */
export function batchOf(mcSeqno: number, rows: Partial<BatchRows> = {}, entities: Partial<EntityRows> = {}): BatchRows {
  return { ...noRows(mcSeqno), ...rows, mcSeqno, entities: { ...noEntities(), ...entities } };
}

/** Random rows for every table. */
export function anyBatch(mcSeqno: number, maxLength = 4): fc.Arbitrary<BatchRows> {
  const rowsOf = (of: readonly (readonly [string, Table])[]) =>
    fc.record(Object.fromEntries(of.map(([name, table]) => [name, anyRows(table, maxLength)])));
  const entityTables = entityList.map(([name, { table }]) => [name, table] as const);
  return fc
    .tuple(rowsOf(blockTables), rowsOf(electionTableList), rowsOf(entityTables))
    .map(([plain, elections, entities]) => {
      const rows = { ...plain, elections } as unknown as Partial<BatchRows>;
      return batchOf(mcSeqno, rows, entities as Partial<EntityRows>);
    });
}

/** All rows of a table, sorted by key. */
export async function readTable<C extends Columns>(
  database: Pick<Database, "query">,
  table: Table<C>,
): Promise<readonly Row<Table<C>>[]> {
  const rows = await database.query(`select ${selectList(table, "t")} from ${table.name} t`);
  return sortRows(
    table,
    rows.map((row) => readRow(table as Table<Columns>, row)),
  ) as readonly Row<Table<C>>[];
}

export function sortRows<T extends object>(table: Pick<Table, "name" | "columns">, rows: readonly T[]): readonly T[] {
  const key = (row: T) => rowKey(table, row);
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The rows of all tables, by table name. */
export async function readAll(database: Pick<Database, "query">): Promise<Readonly<Record<string, readonly object[]>>> {
  const all: Record<string, readonly object[]> = {};
  for (const table of allTables) all[table.name] = await readTable(database, table as Table<Columns>);
  return all;
}

/** Deletes all rows of all tables. */
export async function emptyAll(database: Database): Promise<void> {
  // For a few rows `truncate` is much slower than `delete`: it creates new files for every table and index.
  const statements = allTables.map(({ name }) => `delete from ${name}`);
  await database.write((session) => session.run(statements.join(";")));
}
