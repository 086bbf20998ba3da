import { type TSchema, Type } from "typebox";
import { findSourceLine } from "../../contracts/abi/files/sourceText.ts";
import { fromBase64, fromBase64Url } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { asText } from "../../lib/json.ts";
import { type Arg, type OptionalArg, optional } from "../../lib/kit/arg.ts";
import { findAddress, type ParsedAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";

/*
 * The arguments of v2 by the forms of its contract, section 1.4 to 1.6. Refusals have the texts of the API, so these do
 * not use the kit's refusals.
 */

/** Texts of one argument's refusals. */
export interface ArgTexts {
  /** If it is missing; defaults to the text for an unreadable value. */
  readonly missing?: string;
  /** If it is unreadable; defaults to "failed to parse <name>". */
  readonly bad?: string;
}

/** Refuses with the text of the API. */
export function refuse(text: string, value?: unknown): ApiError {
  return new ApiError(
    "api/argument",
    text,
    value === undefined ? {} : { data: { value: asText(value).slice(0, 100) } },
  );
}

/** Makes a required argument; `read` returns `undefined` for an unreadable value. */
function v2Arg<T>(
  schema: TSchema,
  allowed: string,
  read: (value: unknown, name: string) => T | undefined,
  texts: ArgTexts = {},
): Arg<T> {
  const decode = (value: unknown, name: string): T => {
    const decoded = value === undefined ? undefined : read(value, name);
    if (decoded === undefined) {
      const { bad = `failed to parse ${name}`, missing = bad } = texts;
      throw refuse(value === undefined ? missing : bad, value);
    }
    return decoded;
  };
  return { schema, required: true, allowed, decode };
}

/** A sign is allowed; blanks, fractions and other bases are not. */
const wholeText = /^[+-]?[0-9]{1,40}$/;

function findWhole(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && wholeText.test(value)
    ? BigInt(value.startsWith("+") ? value.slice(1) : value)
    : undefined;
}

const int32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** A limit with its own text: a number above it and a text that is no number are different errors. */
export interface IntRules extends ArgTexts {
  readonly min?: number;
  readonly tooLow?: string;
  readonly max?: number;
  readonly tooHigh?: string;
}

function checkRange(whole: bigint, { min, tooLow, max, tooHigh }: IntRules, name: string): void {
  if (min !== undefined && whole < BigInt(min))
    throw refuse(tooLow ?? `${name} should be ${min === 0 ? "non-negative" : "positive"}`, whole);
  if (max !== undefined && whole > BigInt(max))
    throw refuse(tooHigh ?? `${name} should be less or equal ${max}`, whole);
}

/** A 32-bit integer, as a number. */
export function intArg(rules: IntRules = {}): Arg<number> {
  const { min = Number(int32.min), max = Number(int32.max) } = rules;
  const schema = Type.Integer({ minimum: min, maximum: max });
  const read = (value: unknown, name: string) => {
    const whole = findWhole(value);
    if (whole === undefined || whole < int32.min || whole > int32.max) return undefined;
    checkRange(whole, rules, name);
    return Number(whole);
  };
  return v2Arg(schema, `a whole number from ${min} to ${max}`, read, rules);
}

/** A 64-bit integer, as a bigint. */
export function longArg(rules: IntRules = {}): Arg<bigint> {
  const read = (value: unknown, name: string) => {
    const whole = findWhole(value);
    if (whole === undefined || whole < int64.min || whole > int64.max) return undefined;
    checkRange(whole, rules, name);
    return whole;
  };
  const schema = Type.Union([Type.String({ pattern: "^[+-]?[0-9]{1,40}$" }), Type.Integer()]);
  return v2Arg(schema, "a whole number of 64 bits", read, rules);
}

/** The seqno of a block, which starts at one. */
export const seqnoArg = intArg({ min: 1 });
/** A seqno whose absence has the same error as an invalid value. */
export const neededSeqnoArg = intArg({ min: 1, missing: "seqno should be positive" });
export const workchainArg = intArg();
/** A shard as a signed number of 64 bits. */
export const shardArg = longArg();
/** A logical time or a time, which is never negative. */
export const notNegativeArg = longArg({ min: 0 });

const boolWords = new Map([
  ...["y", "yes", "t", "true", "on", "1"].map((word): [string, boolean] => [word, true]),
  ...["n", "no", "f", "false", "off", "0"].map((word): [string, boolean] => [word, false]),
]);

/** A boolean in the many forms of queries; any nonzero number is true. */
export const boolArg: Arg<boolean> = v2Arg(Type.Boolean(), "true or false", (value) => {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return Number(value) !== 0;
  return typeof value === "string" ? boolWords.get(value.toLowerCase()) : undefined;
});

/** A boolean in exact form, where a mistake would change the result. */
export const plainBoolArg: Arg<boolean> = v2Arg(Type.Boolean(), "true or false", (value) =>
  typeof value === "boolean" ? value : undefined,
);

const maxLines = 100;

/** Lines of a source as `FILE:LINE`, joined by commas. */
export const linesArg: Arg<string> = v2Arg(Type.String({ maxLength: 4000 }), "FILE:LINE, joined by commas", (value) => {
  if (typeof value !== "string" || value.length > 4000) return undefined;
  const lines = value.split(",");
  return lines.length <= maxLines && lines.every((line) => findSourceLine(line) !== undefined) ? value : undefined;
});

/** The workchain in canonical form: no sign but minus, no leading zero, at most ten characters. */
const rawAddress = /^(?=.{1,10}:)(?:0|-?[1-9][0-9]*):[0-9a-fA-F]{64}$/;

/** An address in one of the forms of section 1.5; the alphabets of base64 may be mixed. */
export function findV2Address(value: unknown): ParsedAddress | undefined {
  if (typeof value !== "string") return undefined;
  if (value.includes(":")) return rawAddress.test(value) ? findAddress(value) : undefined;
  return value.length === 48 ? findAddress(value.replaceAll("+", "-").replaceAll("/", "_")) : undefined;
}

/** A hash, which may be base64: a `+` in a query that was not percent-encoded arrives as a space. */
interface Base64Arg<T> extends Arg<T> {
  readonly isBase64: true;
}

function base64Arg<T>(arg: Arg<T>): Base64Arg<T> {
  return { ...arg, isBase64: true };
}

/** Whether a space in a query value means `+` (contract, section 1.4); a JSON body has no such reading. */
export function mayBeBase64(arg: Arg<unknown>): boolean {
  return "isBase64" in arg;
}

const addressSchema = Type.String({
  description: "Raw (`workchain:hex`) or user-friendly address.",
  examples: ["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"],
});

/**
 * An account's address with the flags it was written with. Unlike in a hash, the reference refuses a `+` in a query
 * that was not percent-encoded: it arrives as a space.
 */
export function addressArg(texts: ArgTexts = {}): Arg<ParsedAddress> {
  return v2Arg(addressSchema, "an address, raw or user-friendly", findV2Address, {
    bad: "failed to parse address",
    ...texts,
  });
}

const hexHash = /^[0-9a-fA-F]{64}$/;
const base64Hash = /^[A-Za-z0-9+/]{43}=$/;
const base64UrlHash = /^[A-Za-z0-9_-]{43}=?$/;

/** A hash in one of the forms of section 1.6. */
export function findV2Hash(value: unknown): Hash | undefined {
  if (typeof value !== "string") return undefined;
  if (hexHash.test(value)) return value.toLowerCase() as Hash;
  return base64Hash.test(value) || base64UrlHash.test(value)
    ? (Buffer.from(value, "base64").toString("hex") as Hash)
    : undefined;
}

const hashSchema = Type.String({
  description: "32 bytes as hex, base64 or base64url.",
  examples: ["08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3"],
});

export function hashArg(texts: ArgTexts = {}): Arg<Hash> {
  return base64Arg(v2Arg(hashSchema, "32 bytes as hex, base64 or base64url", findV2Hash, texts));
}

/** A hash whose error contains the value, as only `detectHash` does. */
export const detectableHashArg: Arg<Hash> = base64Arg(
  v2Arg(
    hashSchema,
    "32 bytes as hex, base64 or base64url",
    (value) => {
      const v2Hash = findV2Hash(value);
      if (v2Hash === undefined)
        throw refuse(value === "" ? "empty hash" : `invalid hash: '${asText(value).slice(0, 200)}'`, value);
      return v2Hash;
    },
    { missing: "empty hash" },
  ),
);

/** Bytes in base64 of either alphabet; an empty text is refused as missing, unless `empty` is "bytes". */
export function bytesArg(texts: ArgTexts = {}, empty: "missing" | "bytes" = "missing"): Arg<Uint8Array> {
  return v2Arg(
    Type.String({ description: "Bytes as base64.", contentEncoding: "base64" }),
    "bytes as base64",
    (value, name) => {
      if (value === "" && empty === "missing") throw refuse(texts.missing ?? texts.bad ?? `failed to parse ${name}`);
      return typeof value === "string" ? findBase64(value) : undefined;
    },
    texts,
  );
}

function findBase64(text: string): Uint8Array | undefined {
  try {
    return /[-_]/.test(text) ? fromBase64Url(text) : fromBase64(text);
  } catch (error) {
    if (isCoded(error, "lib/base64")) return undefined;
    throw error;
  }
}

/** A list: a repeated name in a query, an array in a body. Errors of items have the list's name. */
export function listArg<T>(item: Arg<T>): Arg<readonly T[]> {
  const list = v2Arg(Type.Array(item.schema), `a list, each ${item.allowed}`, (value, name) =>
    Array.isArray(value) ? value.map((each: unknown) => item.decode(each ?? undefined, name)) : undefined,
  );
  return { ...item, ...list };
}

/** An argument that the interface accepts in any form and does not use. */
export const ignoredArg: OptionalArg<undefined> = {
  schema: Type.Unknown({ description: "Accepted and ignored." }),
  required: false,
  allowed: "anything",
  decode: () => undefined,
};

export const accountArgs = {
  address: arg("Address of the account.", addressArg(), "wallet"),
  seqno: arg(
    "Seqno of the masterchain block at which the account is read; the newest one if left out.",
    optional(seqnoArg),
  ),
};
