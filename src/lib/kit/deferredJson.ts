import { LibError } from "../errors.ts";
import { formatJson, type JsonInput, type JsonValue, parseJson } from "../json.ts";
import { runAtOnce, type Steps } from "../sharing/steps.ts";

/** Where JSON text is written; `add` throws when there is more of it than allowed. */
export interface JsonSink {
  add(text: string): void;
  /** The size limit of one part whose size a contract decides, such as the stack of a get-method. */
  readonly maxPartBytes: number;
  /** Texts that are made once for the whole text and may be written often, by key, in pieces. */
  readonly texts: Map<unknown, readonly string[]>;
}

/** The default limits of one text. */
export const defaultJsonLimits = { maxBytes: 64 << 20, maxPartBytes: 8 << 20 } as const;

let madeCount = 0;

/**
 * How many deferred parts were made so far: a value that was made in the meantime has none if the number did not
 * change.
 */
export function countDeferred(): number {
  return madeCount;
}

/**
 * A part of a JSON value that is written in steps, because it may be large. Encoders return it in the place of the
 * value; whoever does not write in steps gets the value by `toJSON`.
 */
export class DeferredJson {
  readonly #write: (sink: JsonSink) => Steps<void>;

  constructor(write: (sink: JsonSink) => Steps<void>) {
    madeCount++;
    this.#write = write;
  }

  write(sink: JsonSink): Steps<void> {
    return this.#write(sink);
  }

  toJSON(): unknown {
    const sink = new TextSink();
    runAtOnce(this.#write(sink));
    return JSON.parse(sink.text);
  }
}

/** A deferred part, typed as the value that it stands for: types of answers do not show how they are written. */
export function deferJson<Out>(write: (sink: JsonSink) => Steps<void>): Out {
  return new DeferredJson(write) as unknown as Out;
}

/**
 * A value whose text the platform writes at once, also beside parts that are written in steps; as it is with such parts
 * in it.
 */
export function deferPlain<Out>(encode: () => Out): Out {
  const before = countDeferred();
  const value = encode();
  return countDeferred() === before ? deferJson((sink) => writeEncoded(sink, () => value)) : value;
}

class TextSink implements JsonSink {
  text = "";
  readonly maxPartBytes = defaultJsonLimits.maxPartBytes;
  readonly texts = new Map<unknown, readonly string[]>();

  add(text: string): void {
    this.text += text;
    if (this.text.length > defaultJsonLimits.maxBytes) throw tooLong(this.text.length);
  }
}

function tooLong(length: number): LibError {
  const { maxBytes: maxLength } = defaultJsonLimits;
  return new LibError("lib/json-size", `JSON of more than ${maxLength} characters`, { data: { length, maxLength } });
}

/** The JSON of a value with deferred parts, written at once. */
export function formatDeferred(value: unknown): string {
  const sink = new TextSink();
  runAtOnce(writeMixed(sink, value));
  return sink.text;
}

/**
 * The JSON of a value with deferred parts, as who reads its text has it; several times faster than by way of that text,
 * and with the same bound of its length.
 */
export function readDeferred(value: unknown): JsonValue {
  return readWithin({ length: 0 }, value);
}

/** The characters read so far, without names and marks. */
interface ReadText {
  length: number;
}

function readWithin(read: ReadText, value: unknown): JsonValue {
  if (typeof value === "string") {
    count(read, value.length);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => readWithin(read, item ?? null));
  if (typeof value === "object" && value !== null)
    return value instanceof DeferredJson ? readWritten(read, value) : readFields(read, value);
  count(read, 1);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "number") return readNumber(value);
  return typeof value === "boolean" ? value : null;
}

function readWritten(read: ReadText, value: DeferredJson): JsonValue {
  const text = formatDeferred(value);
  count(read, text.length);
  return parseJson(text, wholeText);
}

/** Filled by assignment, which takes a quarter of the time of entries that are made an object. */
function readFields(read: ReadText, fields: object): JsonValue {
  const filled: Record<string, JsonValue> = {};
  for (const [name, item] of Object.entries(fields)) {
    if (item === undefined) continue;
    const own = readWithin(read, item);
    if (name === "__proto__") Object.defineProperty(filled, name, { ...ownProperty, value: own });
    else filled[name] = own;
  }
  return filled;
}

/** By assignment this name would be something else than a property. */
const ownProperty = { configurable: true, enumerable: true, writable: true } as const;

function count(read: ReadText, characters: number): void {
  read.length += characters;
  if (read.length > defaultJsonLimits.maxBytes) throw tooLong(read.length);
}

/** Neither "not a number" nor -0 is JSON, and digits beyond 2^53 are read as a bigint. */
function readNumber(value: number): number | bigint | null {
  if (!Number.isFinite(value)) return null;
  const hasDigits = Number.isInteger(value) && Math.abs(value) < 1e21;
  return hasDigits && !Number.isSafeInteger(value) ? BigInt(String(value)) : value + 0;
}

/** A text of our own: no longer than any that is written, and as deep as a stack may be. */
const wholeText = { maxDepth: 2048, maxLength: defaultJsonLimits.maxBytes };

/** Lists and maps of more items are written in steps. */
export const deferFrom = 32;

/** How values become JSON, as a value and, several times faster, as text. */
export interface JsonForm<V> {
  encode(value: V): unknown;
  /**
   * The JSON text of what `encode` gives; `undefined` without a value. Where a deferred part would be in it, it notes
   * that with `noteDeferred`, and the text is not used.
   */
  format?(value: V): string | undefined;
}

/** Says that the text that is being made cannot be made at once. */
export function noteDeferred(): undefined {
  madeCount++;
}

/** The text of a form that has only an encoder. */
export function formatEncoded(encoded: () => unknown): string | undefined {
  const before = countDeferred();
  const value = encoded();
  return value === undefined || countDeferred() !== before ? undefined : formatPlain(value);
}

/** Writes a list, whose items are encoded one by one. */
export function* writeList<V>(sink: JsonSink, values: Iterable<V>, form: JsonForm<V>): Steps<void> {
  let before = "[";
  for (const value of values) {
    sink.add(before);
    yield* writeFormed(sink, form, value);
    before = ",";
  }
  sink.add(before === "[" ? "[]" : "]");
}

/** Writes an object, whose values are encoded one by one. */
export function* writeMap<V>(sink: JsonSink, entries: Iterable<readonly [string, V]>, form: JsonForm<V>): Steps<void> {
  let before = "{";
  for (const [name, value] of entries) {
    sink.add(`${before}${JSON.stringify(name)}:`);
    yield* writeFormed(sink, form, value);
    before = ",";
  }
  sink.add(before === "{" ? "{}" : "}");
}

/** Writes a value, as text where it has no deferred parts. */
function* writeFormed<V>(sink: JsonSink, form: JsonForm<V>, value: V): Steps<void> {
  const before = countDeferred();
  const text = form.format?.(value);
  if (text === undefined || countDeferred() !== before) {
    yield* writeEncoded(sink, () => form.encode(value));
    return;
  }
  sink.add(text);
  yield;
}

/** Writes what an encoder gives, with its deferred parts. */
export function* writeEncoded(sink: JsonSink, encode: () => unknown): Steps<void> {
  const before = countDeferred();
  const value = encode();
  if (countDeferred() === before) {
    sink.add(formatPlain(value));
    yield;
    return;
  }
  yield* writeMixed(sink, value);
}

/** Writes a value with deferred parts somewhere in it. */
export function* writeMixed(sink: JsonSink, value: unknown): Steps<void> {
  if (value instanceof DeferredJson) {
    yield* value.write(sink);
  } else if (Array.isArray(value)) {
    let before = "[";
    for (const item of value) {
      sink.add(before);
      yield* writeMixed(sink, item ?? null);
      before = ",";
    }
    sink.add(before === "[" ? "[]" : "]");
  } else if (typeof value === "object" && value !== null) {
    let before = "{";
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      sink.add(`${before}${JSON.stringify(name)}:`);
      yield* writeMixed(sink, item);
      before = ",";
    }
    sink.add(before === "{" ? "{}" : "}");
  } else {
    sink.add(formatPlain(value));
    yield;
  }
}

/**
 * The platform's writer is much faster than ours but refuses bigints, which only few shapes have; there is no way to
 * customise that before `JSON.rawJSON`, which Node 20 does not have.
 */
export function formatPlain(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return formatJson(value as JsonInput);
  }
}
