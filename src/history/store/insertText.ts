import type { Columns, Table } from "./Table.ts";

/** Rows as the list behind `values` of an INSERT, every value a literal that takes the type of its column. */
export function insertText(table: Table<Columns>, rows: readonly object[]): string {
  const fields = Object.entries(table.columns).map(([key, column]) => {
    // What a column writes is known to be of its own type only here, where both are in one hand.
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
