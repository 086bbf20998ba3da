import { CopyBuffer } from "../schema/CopyBuffer.ts";
import type { Columns, Table } from "../schema/Table.ts";

interface Field {
  readonly key: string;
  readonly pack: (value: unknown, into: CopyBuffer) => void;
}

const fieldsOf = new WeakMap<object, readonly Field[]>();

/** Bytes after which others may use the thread. */
const stepBytes = 1 << 15;

/**
 * Rows in COPY's binary format, in pieces of about this many bytes, so that many rows are never one piece. A piece is
 * valid until the next one is taken. At every step without a piece others may use the thread.
 */
export function* copyRows<T extends Table<Columns>>(
  table: T,
  rows: readonly object[],
  max: number,
): Generator<Uint8Array | undefined, void, void> {
  if (rows.length === 0) return;
  const fields = getFields(table);
  const buffer = new CopyBuffer();
  buffer.begin();
  let left = rows.length;
  let paused = 0;
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    buffer.row(fields.length);
    for (const { key, pack } of fields) pack(row[key], buffer);
    left -= 1;
    if (buffer.length < max && left > 0) {
      if (buffer.length < paused + stepBytes) continue;
      paused = buffer.length;
      yield undefined;
    } else {
      yield buffer.end();
      buffer.begin();
      paused = 0;
    }
  }
}

/** The fields of a table are listed once. */
function getFields(table: Table<Columns>): readonly Field[] {
  const known = fieldsOf.get(table);
  if (known !== undefined) return known;
  const fields = Object.entries(table.columns).map(([key, column]) => {
    // Only here the value and its column are known to have the same type.
    return { key, pack: column.pack as Field["pack"] };
  });
  fieldsOf.set(table, fields);
  return fields;
}
