import type { SqlSession } from "../Database.ts";
import { columnName } from "../schema/Table.ts";
import type { RowWrite } from "./rowWrites.ts";

type AnyRow = Readonly<Record<string, unknown>>;

/** Rows for one table. */
export interface TableRows extends RowWrite {
  readonly rows: readonly object[];
}

/**
 * Leaves out rows that change nothing, because the table has newer ones, as it mostly has while history is filled from
 * the newest range to the oldest. An INSERT would lock the newer rows, and wait for whoever writes them.
 */
export async function skipOutdatedRows(session: SqlSession, filling: TableRows): Promise<TableRows> {
  const { table, rows } = filling;
  const { outdated } = table.conflict;
  const keyColumn = outdated && table.columns[outdated.key];
  if (outdated === undefined || keyColumn === undefined) return filling;
  const { key, columns, isOutdated } = outdated;
  const compared = table.listed.filter((each) => each.key === key || columns.includes(each.key));
  const list = compared.map(({ name }) => `t."${name}"`).join(", ");
  // A row and its column have the same type.
  const write = keyColumn.write as (value: unknown) => string | null;
  const sqlRows = await session.query(
    `select ${list} from ${table.name} t where t."${columnName(key)}" = any($1::${keyColumn.sql}[])`,
    [(rows as readonly AnyRow[]).map((row) => write(row[key]))],
  );
  const existing = new Map(
    sqlRows.map((row) => {
      const values = Object.fromEntries(compared.map((each) => [each.key, each.column.read(row[each.name] ?? null)]));
      return [values[key], values];
    }),
  );
  const isLeft = (row: AnyRow): boolean => {
    const other = existing.get(row[key]);
    return other === undefined || !isOutdated(other, row);
  };
  return { ...filling, rows: (rows as readonly AnyRow[]).filter(isLeft) };
}
