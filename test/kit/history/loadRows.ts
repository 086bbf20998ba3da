import { copyPieces } from "../../../src/history/store/copyText.ts";
import type { SqlSession } from "../../../src/history/store/Database.ts";
import type { Columns, Row, Table } from "../../../src/history/store/Table.ts";

export async function loadRows<C extends Columns>(
  session: Pick<SqlSession, "copy">,
  table: Table<C>,
  rows: readonly Row<Table<C>>[],
): Promise<void> {
  if (rows.length > 0) await session.copy(table.name, table.names, copyText(table, rows));
}

/** Rows as lines for `copy … from stdin`, columns in the order of the table. */
export function copyText<T extends Table<Columns>>(table: T, rows: readonly object[]): string {
  return [...copyPieces(table, rows, Number.POSITIVE_INFINITY)].join("");
}
