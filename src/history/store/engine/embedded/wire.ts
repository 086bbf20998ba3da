import { Buffer } from "node:buffer";
import type { EngineRows } from "./protocol.ts";

// The engine's answers are messages of PostgreSQL's protocol: one letter, a length that counts itself, and a body.

/** What a statement failed with. */
export interface StatementFailure {
  /** The SQL state. */
  readonly code: string | undefined;
  readonly message: string;
}

/** A whole answer: rows, or the first failure. */
export interface ReadAnswer {
  readonly found: EngineRows;
  readonly failure: StatementFailure | undefined;
}

const rowDescription = letter("T");
const dataRow = letter("D");
const errorResponse = letter("E");

/** Reads what an answer says of its rows. The rows themselves stay bytes, for `readRows`. */
export function readAnswer(bytes: Uint8Array<ArrayBuffer>): ReadAnswer {
  const buffer = viewOf(bytes);
  let columns: EngineRows["columns"] = [];
  let failure: StatementFailure | undefined;
  for (let at = 0; at < buffer.length; at = messageEnd(buffer, at)) {
    if (buffer[at] === rowDescription) columns = readColumns(buffer, at + headerBytes);
    else if (buffer[at] === errorResponse) failure ??= readFailure(buffer, at + headerBytes);
  }
  return { found: { columns, bytes }, failure };
}

/** The positions of all rows of an answer, each after its number of fields. */
export function* listRows(buffer: Buffer): Generator<number> {
  for (let at = 0; at < buffer.length; at = messageEnd(buffer, at))
    if (buffer[at] === dataRow) yield at + headerBytes + countBytes;
}

const headerBytes = 5;
const countBytes = 2;
/**
 * Of a column, behind its name: the table's id, the number of the column, the type, and its length, modifier and form.
 */
const typeAt = 6;
const describedBytes = 18;

function messageEnd(buffer: Buffer, at: number): number {
  return at + 1 + buffer.readInt32BE(at + 1);
}

function readColumns(buffer: Buffer, start: number): EngineRows["columns"] {
  let at = start + countBytes;
  return Array.from({ length: buffer.readUInt16BE(start) }, () => {
    const nameEnd = buffer.indexOf(0, at);
    const name = buffer.toString("utf8", at, nameEnd);
    at = nameEnd + 1 + describedBytes;
    return { name, type: buffer.readUInt32BE(nameEnd + 1 + typeAt) };
  });
}

/** Fields of a failure are a letter and text that ends with a zero byte. */
function readFailure(buffer: Buffer, start: number): StatementFailure {
  const fields = new Map<number, string>();
  for (let at = start; buffer[at] !== 0; ) {
    const end = buffer.indexOf(0, at + 1);
    fields.set(buffer[at] ?? 0, buffer.toString("utf8", at + 1, end));
    at = end + 1;
  }
  return { code: fields.get(letter("C")), message: fields.get(letter("M")) ?? "a statement failed" };
}

/** The same bytes as a Buffer. */
export function viewOf(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function letter(text: string): number {
  return text.charCodeAt(0);
}
