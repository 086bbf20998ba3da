import type { Columns, Table } from "./Table.ts";

/** Writes one value as a field of COPY's text format. */
type WriteField = (value: unknown) => string;

interface Field {
  readonly key: string;
  readonly write: WriteField;
}

const fieldsOf = new WeakMap<object, readonly Field[]>();

/** Numbers and booleans need no escapes. */
const plainTypes = new Set(["integer", "bigint", "numeric", "double precision", "boolean"]);
const special = /[\\\n\r\t]/;
const specials = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The same in pieces of whole lines, each about this many characters, so that many rows are never one text. */
export function* copyPieces<T extends Table<Columns>>(
  table: T,
  rows: readonly object[],
  most: number,
): Generator<string, void, void> {
  const [first, ...others] = getFields(table);
  if (first === undefined) return;
  let text = "";
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    text += first.write(row[first.key]);
    for (const { key, write } of others) text += `\t${write(row[key])}`;
    text += "\n";
    if (text.length < most) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** The writer of a column is chosen once for each table. */
function getFields(table: Table<Columns>): readonly Field[] {
  const known = fieldsOf.get(table);
  if (known !== undefined) return known;
  const fields = Object.entries(table.columns).map(([key, column]) => {
    // Only here the value and its column are known to have the same type.
    const write = column.write as (value: unknown) => string | null;
    return { key, write: fieldWriter(column.sql, write) };
  });
  fieldsOf.set(table, fields);
  return fields;
}

function fieldWriter(sql: string, write: (value: unknown) => string | null): WriteField {
  if (plainTypes.has(sql)) return (value) => write(value) ?? "\\N";
  // Bytes are hex behind one backslash, which must be doubled.
  if (sql === "bytea") return (value) => orNull(write(value), (text) => `\\${text}`);
  return (value) => orNull(write(value), escapeField);
}

function orNull(text: string | null, format: (text: string) => string): string {
  return text === null ? "\\N" : format(text);
}

function escapeField(text: string): string {
  return special.test(text) ? text.replace(specials, (char) => escapes[char] ?? char) : text;
}
