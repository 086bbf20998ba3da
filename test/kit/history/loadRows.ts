import type { SqlSession } from "../../../src/history/store/Database.ts";
import type { Columns, Row, Table } from "../../../src/history/store/schema/Table.ts";
import { copyRows } from "../../../src/history/store/write/copyRows.ts";

export async function loadRows<C extends Columns>(
  session: Pick<SqlSession, "copyBinary">,
  table: Table<C>,
  rows: readonly Row<Table<C>>[],
): Promise<void> {
  for (const bytes of copyRows(table as Table<Columns>, rows, Number.POSITIVE_INFINITY))
    if (bytes !== undefined) await session.copyBinary(table.name, table.names, bytes);
}
