import type { Columns, Table } from "./Table.ts";

/** Rows as the list behind `values` of an INSERT, each value a literal with the type of its column. */
export function insertText(table: Table<Columns>, rows: readonly object[]): string {
  const fields = Object.entries(table.columns).map(([key, column]) => {
    // Only here the value and its column are known to have the same type.
    return { key, write: column.write as (value: unknown) => string | null };
  });
  const tuples = (rows as readonly Readonly<Record<string, unknown>>[]).map(
    (row) => `(${fields.map(({ key, write }) => literal(write(row[key]))).join(", ")})`,
  );
  return tuples.join(", ");
}

function literal(text: string | null): string {
  return text === null ? "null" : `'${text.includes("'") ? text.replaceAll("'", "''") : text}'`;
}
