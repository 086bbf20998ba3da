import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../../lib/json.ts";
import type { SqlParam, SqlSession } from "../store/Database.ts";
import { type Columns, type KeyedTable, type Row, readRow, selectList, type Table } from "../store/schema/Table.ts";

/** A row that differs from the chain. */
export interface Difference {
  readonly kind: "missing" | "unexpected" | "different";
  readonly table: string;
  /** The masterchain block it belongs to. */
  readonly mcSeqno: number;
  readonly key: string;
  /** Columns that differ. */
  readonly columns: readonly string[];
}

/** The result of a comparison: the number of expected rows, and the differences. */
export interface Compared {
  readonly rows: number;
  readonly differences: readonly Difference[];
}

/** How rows of a table are identified and compared. */
export interface RowRule<C extends Columns> {
  readonly table: KeyedTable<C>;
  /** The columns that identify a row; by default the key of the table. */
  readonly key?: readonly (keyof C & string)[];
  /** Columns that cannot be derived again. */
  readonly ignored?: readonly (keyof C & string)[];
  /** Whether a column that was derived as null may have a value. */
  readonly mayGain?: boolean;
}

type Rows<C extends Columns> = readonly Row<Table<C>>[];

/** Compares rows of one table that belong to one block. */
export function compareRows<C extends Columns>(
  rule: RowRule<C>,
  mcSeqno: number,
  expected: Rows<C>,
  stored: Rows<C>,
): Compared {
  const { name: table } = rule.table;
  const left = new Map(stored.map((row) => [keyOf(rule, row), row]));
  const differences: Difference[] = [];
  for (const row of expected) {
    const key = keyOf(rule, row);
    const found = left.get(key);
    left.delete(key);
    const columns = found === undefined ? [] : listDifferent(rule, row, found);
    if (found === undefined) differences.push({ kind: "missing", table, mcSeqno, key, columns });
    else if (columns.length > 0) differences.push({ kind: "different", table, mcSeqno, key, columns });
  }
  for (const key of left.keys()) differences.push({ kind: "unexpected", table, mcSeqno, key, columns: [] });
  return { rows: expected.length, differences };
}

/** Joins results. */
export function joinCompared(all: readonly Compared[]): Compared {
  return {
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    differences: all.flatMap(({ differences }) => differences),
  };
}

/** The rows of a table with this condition; the table is `t`. */
export async function selectRows<C extends Columns>(
  session: Pick<SqlSession, "query">,
  table: Table<C>,
  where: string,
  params: readonly SqlParam[],
): Promise<Rows<C>> {
  const raw = await session.query(`select ${selectList(table, "t")} from ${table.name} t where ${where}`, params);
  return raw.map((each) => readRow(table, each));
}

export function keyOf<C extends Columns>({ table, key = table.key }: RowRule<C>, row: Row<Table<C>>): string {
  return key.map((name) => String((row as Record<string, unknown>)[name])).join(" ");
}

function listDifferent<C extends Columns>(
  { table, ignored = [], mayGain = false }: RowRule<C>,
  expected: Row<Table<C>>,
  row: Row<Table<C>>,
): readonly string[] {
  return Object.entries(table.columns).flatMap(([key, column]) => {
    // Both are rows of this table, and each value has the column of its name.
    const value = (expected as Record<string, unknown>)[key];
    const stored = (row as Record<string, unknown>)[key];
    if (ignored.includes(key) || (mayGain && value === undefined)) return [];
    if (column.sql === "jsonb")
      return sameJson(column.write(value as never), column.write(stored as never)) ? [] : [key];
    return column.write(value as never) === column.write(stored as never) ? [] : [key];
  });
}

/** PostgreSQL has its own order of object keys. */
function sameJson(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && isDeepStrictEqual(parseJson(a), parseJson(b)));
}
