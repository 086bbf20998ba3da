import { type TSchema, Type } from "typebox";
import { findOpcode } from "../../../contracts/kit/opcodeText.ts";
import { contractHistory } from "../../../history/queries/kit/History.ts";
import { asText } from "../../../lib/json.ts";
import { type Arg, type OptionalArg, optional } from "../../../lib/kit/arg.ts";
import { type Address, findAddress } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { arg } from "../../declare/argument.ts";
import type { WireArg } from "../../declare/endpoint.ts";
import { refusal } from "./refusals.ts";

/*
 * The arguments of v3 by the forms of its contract, section 1.4. All are optional: an endpoint refuses a missing
 * required one with its own text.
 */

/** An argument that can be given by a header as well. */
export interface HeaderArg<T> extends Arg<T> {
  /** In lower case. */
  readonly header: string;
}

/** Makes an argument; `read` returns `undefined` for an unreadable value. */
function v3Arg<T>(
  schema: TSchema,
  allowed: string,
  read: (text: string) => T | undefined,
): OptionalArg<T | undefined> & WireArg<T | undefined, string | number | bigint | boolean> {
  return optional({
    schema,
    required: true,
    allowed,
    decode: (value, name): T => {
      const text = textOf(value);
      const found = text === undefined ? undefined : read(text);
      if (found === undefined) throw refusal("badValue", { name });
      return found;
    },
  });
}

/** A value of a JSON body is read like one of a query. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

const wholeForm = /^[+-]?[0-9]{1,40}$/;

function findWhole(text: string, min: bigint, max: bigint): bigint | undefined {
  if (!wholeForm.test(text)) return undefined;
  const whole = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return whole < min || whole > max ? undefined : whole;
}

const int32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const uint64Max = 2n ** 64n - 1n;

/** A signed 32-bit number. */
export const int32Arg = v3Arg(
  Type.Integer({ minimum: Number(int32.min), maximum: Number(int32.max) }),
  "a whole number of 32 bits",
  (text) => {
    const whole = findWhole(text, int32.min, int32.max);
    return whole === undefined ? undefined : Number(whole);
  },
);

/** A time that names something: of 32 bits, which the contract takes for signed and the chain for unsigned. */
export const momentArg = v3Arg(
  Type.Integer({ minimum: Number(int32.min), maximum: 0xffff_ffff }),
  "unix seconds, a whole number of 32 bits",
  (text) => {
    const whole = findWhole(text, int32.min, 0xffff_ffffn);
    return whole === undefined ? undefined : Number(whole);
  },
);

/** A logical time. */
export const ltArg = v3Arg(
  Type.String({ pattern: "^[0-9]+$", examples: ["34606141000001"] }),
  "a logical time, a whole number of 64 bits without sign",
  (text) => (text.startsWith("-") ? undefined : findWhole(text, 0n, uint64Max)),
);

const utimeForm = /^([0-9]{1,18})(?:\.[0-9]*)?$/;

/** A moment in unix seconds; a fraction is cut off. */
export const utimeArg = v3Arg(
  Type.Number({ minimum: 0, examples: [1700000000] }),
  "unix seconds; a fraction is cut off",
  (text) => {
    const seconds = utimeForm.exec(text)?.[1];
    // Larger numbers are not valid times anyway.
    return seconds === undefined ? undefined : Math.min(Number(seconds), Number.MAX_SAFE_INTEGER);
  },
);

const truths = new Map([
  ...["1", "t", "T", "true", "True", "TRUE", "on"].map((word): [string, boolean] => [word, true]),
  ...["0", "f", "F", "false", "False", "FALSE"].map((word): [string, boolean] => [word, false]),
]);

/** True or false. */
export const boolArg = v3Arg(Type.Boolean(), "true or false", (text) => truths.get(text));

/** The same argument with a default value. */
export function orElseArg<T>(arg: Arg<T | undefined>, fallback: T): OptionalArg<T> {
  const schema = { ...arg.schema, default: fallback };
  return {
    schema,
    required: false,
    allowed: arg.allowed,
    decode: (value, name) => arg.decode(value, name) ?? fallback,
  };
}

const hexHash = /^(?:0x)?([0-9a-fA-F]{64})$/;
const base64Hash = /^(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43}=)$/;

/** A hash in one of the forms of the contract. */
export function findV3Hash(text: string): Hash | undefined {
  const hex = hexHash.exec(text)?.[1];
  if (hex !== undefined) return hex.toLowerCase() as Hash;
  return base64Hash.test(text) ? (Buffer.from(text, "base64").toString("hex") as Hash) : undefined;
}

const hashSchema = Type.String({ examples: ["CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM="] });
const hashWords = "32 bytes as hex, base64 or base64url";

/** A hash. */
export const hashArg = v3Arg(hashSchema, hashWords, findV3Hash);

/** An address in one of the forms of the contract, without its flags. */
export function findV3Address(text: string): Address | undefined {
  return findAddress(text)?.address;
}

const addressSchema = Type.String({ examples: ["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"] });
const addressWords = "an address, raw or user-friendly";

/** An account's address. */
export const addressArg = v3Arg(addressSchema, addressWords, findV3Address);

/** An account's address, or `null` for items without one. */
export const nullableAddressArg = v3Arg(
  addressSchema,
  `${addressWords}, or null`,
  (text): Address | null | undefined => (text === "null" ? null : findV3Address(text)),
);

const hexShard = /^(?:0[xX])?([0-9a-fA-F]{1,16})$/;

/** A shard; hex is tried first. */
export const shardArg = v3Arg(
  Type.String({ examples: ["8000000000000000"] }),
  "a shard in hex, or as a signed decimal number",
  (text) => {
    const hex = hexShard.exec(text)?.[1];
    if (hex !== undefined) return BigInt(`0x${hex}`);
    const whole = findWhole(text, int64.min, int64.max);
    return whole === undefined ? undefined : BigInt.asUintN(64, whole);
  },
);

/** An opcode as the signed number in the tables; hex is tried first. */
export const opcodeArg = v3Arg(Type.String({ examples: ["0x0f8a7ea5"] }), "an opcode, in hex or decimal", (text) => {
  const opcode = findOpcode(text);
  return opcode === undefined ? undefined : opcode | 0;
});

/** The seqno of a masterchain block; anything unreadable counts as zero, which no block has. */
export const seqnoOrZeroArg: OptionalArg<number> = {
  schema: Type.Integer(),
  required: false,
  allowed: "the number of a masterchain block",
  decode: (value) => Number(findWhole(textOf(value) ?? "", int32.min, int32.max) ?? 0),
};

/** Any text. */
export const textArg = v3Arg(Type.String(), "text", (text) => text);

export type Sort = "asc" | "desc";
const sorts = new Map<string, Sort>([
  ["asc", "asc"],
  ["a", "asc"],
  ["desc", "desc"],
  ["d", "desc"],
]);

/** The direction of a list, where the default has its own meaning. */
export const maybeSortArg: OptionalArg<Sort | undefined> = {
  schema: Type.Union([Type.Literal("asc"), Type.Literal("desc")]),
  required: false,
  allowed: "asc or desc",
  decode: (value) => {
    if (value === undefined || value === null) return undefined;
    const sort = sorts.get(asText(value).toLowerCase());
    if (sort === undefined) throw refusal("badSort");
    return sort;
  },
};

/** The direction as it is given; the endpoint reads it after it has checked other arguments. */
export const lateSortArg: OptionalArg<Sort | string | undefined> = {
  schema: maybeSortArg.schema,
  required: false,
  allowed: maybeSortArg.allowed,
  decode: (value) => (value === undefined || value === null ? undefined : asText(value)),
};

/** The direction of a list, newest first by default. */
export const sortArg = arg(
  "Order: `desc` begins with the newest, `asc` with the oldest.",
  orElseArg<Sort>(maybeSortArg, "desc"),
);

/** Which side of a message is meant. */
export const directionArg: OptionalArg<"in" | "out" | undefined> = {
  schema: Type.Union([Type.Literal("in"), Type.Literal("out")]),
  required: false,
  allowed: "in or out",
  decode: (value) => {
    if (value === undefined || value === null) return undefined;
    if (value !== "in" && value !== "out") throw refusal("badDirection");
    return value;
  },
};

/** Several values of one name; skips empty ones, and defaults to an empty list. */
function arrayArg<T>(
  item: TSchema,
  allowed: string,
  read: (text: string) => readonly T[] | undefined,
): OptionalArg<readonly T[]> & WireArg<readonly T[], readonly string[]> {
  return {
    schema: Type.Array(item),
    required: false,
    allowed: `a list, each ${allowed}`,
    decode: (value, name) => {
      const given = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
      return given.flatMap((each: unknown, index) => {
        const text = textOf(each);
        if (text === "") return [];
        const found = text === undefined ? undefined : read(text);
        if (found === undefined) throw refusal("badItem", { name, index });
        return found;
      });
    },
  };
}

/** One value, or several with commas between them. */
function commaList<T>(find: (text: string) => T | undefined): (text: string) => readonly T[] | undefined {
  return (text) => {
    const one = find(text);
    if (one !== undefined) return [one];
    if (!text.includes(",")) return undefined;
    const found = text.split(",").flatMap((part) => (part === "" ? [] : [find(part)]));
    return found.every((each) => each !== undefined) ? found : undefined;
  };
}

/** Addresses, repeated or with commas. */
export const addressesArg = arrayArg(addressSchema, addressWords, commaList(findV3Address));
/** Hashes, repeated or with commas. */
export const hashesArg = arrayArg(hashSchema, hashWords, commaList(findV3Hash));
/** Texts, repeated; a comma is a character like any other. */
export const textsArg = arrayArg(Type.String(), "text", (text) => [text]);

/** The same argument, marked as required; the endpoint refuses a missing one with its own text. */
export function needed<A extends Arg<unknown>>(arg: A): Omit<A, "required"> & { readonly required: true } {
  return { ...arg, required: true };
}

/** A time range, both ends included. */
export const utimeArgs = {
  start_utime: arg("Earliest time in Unix seconds, included.", utimeArg),
  end_utime: arg("Latest time in Unix seconds, included.", utimeArg),
};
/** A range of logical times, both ends included. */
export const ltArgs = {
  start_lt: arg("Earliest logical time, included.", ltArg),
  end_lt: arg("Latest logical time, included.", ltArg),
};
/** Any number is read; a larger one than the documented is refused with the way to go on. */
const offsetArg = { ...int32Arg, schema: Type.Integer({ minimum: 0, maximum: contractHistory.maxOffset }) };
/** The requested part of a list. The limit of `limit` is configurable. */
export const pageArgs = {
  limit: arg("Largest number of items in the answer: 10 if left out, at most 1000.", int32Arg, { value: 3 }),
  offset: arg("Number of items to skip. Large offsets are slow and limited: use `cursor` for long lists.", offsetArg),
};
/** The end of the previous page: the `X-Next-Cursor` of its answer. */
export const cursorArgs = {
  cursor: arg(
    "Where the next page begins: the value of the header `X-Next-Cursor` of the page before. An answer without that header is the last page; one with it may have fewer items than `limit`, even none, when no index serves the filters together and the search ended for now.",
    textArg,
  ),
};

/** The same argument, which a header can override. */
export function byHeader<T>(arg: OptionalArg<T>, header: string): OptionalArg<T> & HeaderArg<T> {
  return { ...arg, header, allowed: `${arg.allowed}; or by the header ${header}` };
}

/** The common arguments of all v3 endpoints. */
export const controlArgs = {
  x_no_address_book: arg(
    "Leave `address_book` empty, for a smaller and faster answer.",
    byHeader(orElseArg(boolArg, false), "x-no-address-book"),
  ),
  x_no_metadata: arg(
    "Leave `metadata` empty, for a smaller and faster answer.",
    byHeader(orElseArg(boolArg, false), "x-no-metadata"),
  ),
  x_timeout: arg("Longest time for this request, in milliseconds.", byHeader(int32Arg, "x-timeout")),
  x_debug_request: arg(
    "Write the statements of this request into the server's log; needs a key.",
    byHeader(orElseArg(boolArg, false), "x-debug-request"),
  ),
  x_seen_seqno: arg(
    "Newest masterchain block that the caller has seen: the answer is never from an older state.",
    byHeader(int32Arg, "x-seen-seqno"),
  ),
};

const hexOpcode = /^[0-9a-fA-F]{1,8}$/;
const decimalOpcode = /^[+-]?[0-9]{1,10}$/;

/** An opcode of `/decode`: hex of 32 bits first, then a decimal number with or without sign. */
export function readOpcode(text: string, index: number): number {
  const digits = text.replace(/^0x/i, "");
  if (hexOpcode.test(digits)) return Number.parseInt(digits, 16);
  const value = decimalOpcode.test(digits) ? Number(digits) : Number.NaN;
  if (value >= -(2 ** 31) && value < 2 ** 32) return value >>> 0;
  throw refusal("badOpcode", { index, value: text });
}
