import { toHex } from "../../../lib/bytes.ts";
import { type JsonValue, parseJson } from "../../../lib/json.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlParam, SqlValue } from "../Database.ts";

type Parse = (text: string) => SqlValue;

/** Stored documents may be larger than those accepted from outside. */
const storedJson = { maxLength: 256 * 1024 * 1024, maxDepth: 1000 };

const parseJsonb = (text: string): JsonValue => parseJson(text, storedJson);

/** Averages have fractions; whole numbers keep every digit. */
function parseNumeric(text: string): bigint | number {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Bytes of their text form, `\\x` and hex. */
function parseBytes(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2);
  Buffer.from(bytes.buffer).write(text.slice(2), "hex");
  return bytes;
}

const byteaType = 17;
const jsonTypes: readonly number[] = [114, 3802];

const scalars: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, (text) => text === "t"],
  [byteaType, parseBytes],
  [20, BigInt],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, parseJsonb],
  [700, Number],
  [701, Number],
  [1700, parseNumeric],
  [3802, parseJsonb],
]);

/** Array types by their item types; PostgreSQL's built-in type ids never change. */
const arrays: readonly (readonly [array: number, item: number])[] = [
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1231, 1700],
  [3807, 3802],
];

const identity: Parse = (text) => text;

const parsers: ReadonlyMap<number, Parse> = new Map([
  ...scalars,
  ...arrays.map(([array, item]): [number, Parse] => {
    const parse = scalars.get(item) ?? identity;
    return [array, (text) => parseArray(text, parse)];
  }),
]);

/** The same with bytes left as the text they come in. */
const bytesAsText: ReadonlyMap<number, Parse> = new Map([
  [byteaType, identity],
  [1001, (text) => parseArray(text, identity)],
]);

/** The ids of all types whose values are not plain text. */
export const parsedTypes: readonly number[] = [...parsers.keys()];

/** Parsers from text by type id. */
export function parserOf(type: number, bytes: "bytes" | "text" = "bytes"): Parse {
  return (bytes === "text" ? bytesAsText.get(type) : undefined) ?? parsers.get(type) ?? identity;
}

/** Readers of values that are bytes of their text, by type id. */
export function readerOf(
  type: number,
  form: "bytes" | "text",
): (buffer: Buffer, start: number, end: number) => SqlValue {
  if (type === byteaType && form === "bytes") return readBytes;
  const parse = parserOf(type, form);
  // The text of numbers, booleans and bytes is of single bytes.
  const encoding = scalars.has(type) && !jsonTypes.includes(type) ? "latin1" : "utf8";
  return (buffer, start, end) => parse(buffer.toString(encoding, start, end));
}

/** Bytes of the bytes of their text form: two digits each, without a string of them. */
function readBytes(buffer: Buffer, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array((end - start - 2) / 2);
  let from = start + 2;
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = ((digitValues[buffer[from] ?? 0] ?? 0) << 4) | (digitValues[buffer[from + 1] ?? 0] ?? 0);
    from += 2;
  }
  return bytes;
}

/** Values of hex digits by the codes of their letters; PostgreSQL writes small letters. */
const digitValues = Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, "0123456789abcdef".indexOf(String.fromCharCode(code))),
);

const bareItem = /[^,{}]+/y;
const quotedItem = /"((?:[^"\\]|\\.)*)"/sy;

/** An array in PostgreSQL's text form, of one dimension or more. */
export function parseArray(text: string, parse: Parse): readonly SqlValue[] {
  const stack: SqlValue[][] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === "{") {
      stack.push([]);
      at += 1;
    } else if (char === "}") {
      const done = stack.pop() ?? [];
      const outer = stack.at(-1);
      if (outer === undefined) return done;
      outer.push(done);
      at += 1;
    } else if (char === ",") {
      at += 1;
    } else {
      at = readItem(text, at, stack.at(-1) ?? [], parse);
    }
  }
  throw new HistoryError("history/row", "an unterminated array");
}

/** Reads one item into the list and returns the position after it. */
function readItem(text: string, at: number, into: SqlValue[], parse: Parse): number {
  const isQuoted = text[at] === '"';
  const pattern = isQuoted ? quotedItem : bareItem;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) throw new HistoryError("history/row", "an array with an unterminated item");
  if (isQuoted) into.push(parse((match[1] ?? "").replace(/\\(.)/gs, "$1")));
  else into.push(match[0] === "NULL" ? null : parse(match[0]));
  return pattern.lastIndex;
}

/** A parameter as text, which PostgreSQL casts to the type of the statement. */
export function formatParam(param: SqlParam): string | null {
  if (param === null || typeof param === "string") return param;
  if (typeof param === "boolean") return param ? "t" : "f";
  if (param instanceof Uint8Array) return `\\x${toHex(param)}`;
  return typeof param === "object" ? formatArray(param) : String(param);
}

function formatArray(items: readonly (string | null)[]): string {
  return `{${items.map((item) => (item === null ? "NULL" : `"${item.replace(/[\\"]/g, "\\$&")}"`)).join(",")}}`;
}
