import type { SqlSession } from "../../src/history/store/Database.ts";
import type { Columns, Row, Table } from "../../src/history/store/Table.ts";

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Writes rows into a table, as they are. */
export async function loadRows<C extends Columns>(
  session: Pick<SqlSession, "copy">,
  table: Table<C>,
  rows: readonly Row<Table<C>>[],
): Promise<void> {
  const entries = Object.entries<Columns[string]>(table.columns);
  const lines = rows.map((row) => {
    const values: Readonly<Record<string, unknown>> = row;
    const fields = entries.map(([name, column]) => column.write(values[name] as never));
    return `${fields.map((each) => (each === null ? "\\N" : escapeText(each))).join("\t")}\n`;
  });
  if (lines.length > 0) await session.copy(table.name, table.names, lines.join(""));
}

function escapeText(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (each) => escapes[each] ?? each);
}
