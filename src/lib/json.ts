import { LibError } from "./errors.ts";
import { namesTwice, parseJsonText, type ReadSteps } from "./jsonReader.ts";

/** A JSON value; whole numbers beyond 2^53 - 1 are bigints. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/**
 * The text of a value that came as JSON, as `String` has it for ordinary values. `String` itself throws at an object
 * with a field `toString`, which anybody may send.
 */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => (each === null ? "" : asText(each))).join(",");
  return typeof value === "object" && value !== null ? "[object Object]" : String(value);
}

/** A JSON object with keys of any name. */
export type JsonObject = { readonly [key: string]: JsonValue };

export interface JsonLimits {
  /** The largest nesting depth of arrays and objects (128). */
  readonly maxDepth?: number;
  /** The largest number of characters (16 Mi). */
  readonly maxLength?: number;
  /** Whether an object with a repeated key is refused, or the last value counts (the default). */
  readonly repeatedKeys?: "last" | "refused";
}

const defaultLimits = { maxDepth: 128, maxLength: 16 * 1024 * 1024, repeatedKeys: "last" as const };

/** Sixteen digits in a row are the fewest that can pass 2^53 - 1. */
const longDigits = /[0-9]{16}/;

/**
 * Parses one JSON text as `JSON.parse` does, except that a whole number beyond ±(2^53 - 1), written without fraction
 * or exponent, becomes a bigint instead of losing digits. A refusal has the code "lib/json", "lib/json-size" or
 * "lib/json-depth" and the position in `data`. A key `__proto__` is an own property like any other.
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  const steps = parseAny(text, limits);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps: a text of many values, which anybody may send, does not hold the thread. */
export function* parseJsonInSteps(text: string, limits: JsonLimits = {}): ReadSteps<JsonValue> {
  return yield* parseAny(text, limits, maxPlainParts);
}

/** Values of one step of the platform's parser: a millisecond or two. */
const maxPlainParts = 4096;

function* parseAny(text: string, limits: JsonLimits, maxParts = Number.POSITIVE_INFINITY): ReadSteps<JsonValue> {
  const { maxDepth, maxLength, repeatedKeys } = { ...defaultLimits, ...limits };
  if (text.length > maxLength) {
    const data = { length: text.length, maxLength };
    throw new LibError("lib/json-size", `JSON of ${text.length} characters; the limit is ${maxLength}`, { data });
  }
  const isShort = text.length <= maxParts || countUpTo(text, ",", maxParts) <= maxParts;
  const isPlain = isShort && !(repeatedKeys === "refused" && namesTwice(text));
  const plain = isPlain ? plainJson(text, maxDepth) : undefined;
  return (plain ?? (yield* parseJsonText(text, { maxDepth, repeatedKeys }))) as JsonValue;
}

/**
 * The platform's parser is several times faster, so it parses every text that certainly has no large number and no deep
 * nesting. Returns `undefined` for all other and for faulty texts; our own parser handles those and reports the
 * position.
 */
function plainJson(text: string, maxDepth: number): unknown {
  if (longDigits.test(text) || !opensAtMost(text, maxDepth)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts opening brackets anywhere, also in strings: a text with few of them cannot be deep. */
function opensAtMost(text: string, count: number): boolean {
  return countUpTo(text, "[", count) + countUpTo(text, "{", count) <= count;
}

function countUpTo(text: string, mark: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1 && count <= limit; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The input of `formatJson`: a JSON value in which a property may be absent. */
export type JsonInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonInput[]
  | { readonly [key: string]: JsonInput | undefined };

/**
 * Writes JSON text; a bigint becomes a bare number, an `undefined` property is left out, NaN and infinity are refused.
 * An object with a method `toJSON` is written as what that gives, as by the platform.
 */
export function formatJson(value: JsonInput): string {
  return formatAt(value, 0);
}

/** Deeper than any real value: this one contains itself. */
const maxFormatDepth = 1000;

function formatAt(value: JsonInput, depth: number): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value))
    throw new LibError("lib/json", `JSON cannot contain ${value}`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { toJSON: convert } = value as { readonly toJSON?: unknown };
  if (typeof convert === "function") return formatAt(convert.call(value), depth);
  if (depth >= maxFormatDepth)
    throw new LibError("lib/json-depth", `a value is nested too deep for JSON; the limit is ${maxFormatDepth}`);
  return isList(value)
    ? `[${value.map((item) => formatAt(item, depth + 1)).join(",")}]`
    : `{${formatProperties(value, depth + 1).join(",")}}`;
}

function formatProperties(value: { readonly [key: string]: JsonInput | undefined }, depth: number): string[] {
  const parts: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${formatAt(item, depth)}`);
  }
  return parts;
}

/** `Array.isArray` does not narrow a readonly list out of a union. */
function isList(value: object): value is readonly JsonInput[] {
  return Array.isArray(value);
}
