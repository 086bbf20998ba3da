import { toHex } from "../../../lib/bytes.ts";
import { formatJson, type JsonValue } from "../../../lib/json.ts";
import { type Address, accountOf, makeAddress, workchainOf } from "../../../model/Address.ts";
import { type Hash, hashFromBytes } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlValue } from "../Database.ts";
import type { CopyBuffer } from "./CopyBuffer.ts";

/**
 * One column: its SQL type, how a value is written in PostgreSQL's text format (for statements and parameters, not
 * escaped yet) and in the binary format of COPY, and how it is read.
 */
export interface Column<T> {
  readonly sql: string;
  readonly isNullable: boolean;
  write(value: T): string | null;
  /** Appends one field. */
  pack(value: T, into: CopyBuffer): void;
  read(value: SqlValue): T;
}

type Pack<T> = Column<T>["pack"];

function column<T>(sql: string, write: (value: T) => string, pack: Pack<T>, read: (value: SqlValue) => T): Column<T> {
  return { sql, isNullable: false, write, pack, read };
}

/** Ids of types that are items of arrays; PostgreSQL's built-in ids never change. */
const itemTypes = { bytea: 17, int8: 20, int4: 23, text: 25, numeric: 1700 };

function packArray<T>(type: keyof typeof itemTypes, pack: Pack<T>): Pack<readonly T[]> {
  return (items, into) => into.array(items, itemTypes[type], pack);
}

/** A column that may be null; null is `undefined` in code. */
export function nullable<T>(of: Column<T>): Column<T | undefined> {
  return {
    sql: of.sql,
    isNullable: true,
    write: (value) => (value === undefined ? null : of.write(value)),
    pack: (value, into) => (value === undefined ? into.absent() : of.pack(value, into)),
    read: (value) => (value === null ? undefined : of.read(value)),
  };
}

function unexpected(text: string, value: SqlValue): never {
  throw new HistoryError("history/row", `the database returned ${typeof value} instead of ${text}`);
}

function readNumber(value: SqlValue): number {
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : unexpected("a number", value);
}

function readBigint(value: SqlValue): bigint {
  return typeof value === "bigint" ? value : typeof value === "number" ? BigInt(value) : unexpected("a number", value);
}

function readBytes(value: SqlValue): Uint8Array {
  if (typeof value === "string" && value.startsWith("\\x")) {
    // Only rows of requests come as text: their bytes live for a moment and may share memory, which is much cheaper.
    const { buffer, byteOffset, length } = Buffer.from(value.slice(2), "hex");
    return new Uint8Array(buffer, byteOffset, length);
  }
  return value instanceof Uint8Array ? value : unexpected("bytes", value);
}

function readText(value: SqlValue): string {
  return typeof value === "string" ? value : unexpected("text", value);
}

function readArray<T>(read: (value: SqlValue) => T): (value: SqlValue) => readonly T[] {
  return (value) => (Array.isArray(value) ? value.map((item) => read(item as SqlValue)) : unexpected("a list", value));
}

/** Bytes of an account: the workchain with its sign bit flipped, then the address; byte order is account order. */
export function addressToHex(address: Address): string {
  // Nearly all accounts.
  if (address.startsWith("0:")) return `80${address.slice(2)}`;
  const workchain = workchainOf(address);
  const isShort = workchain >= -128 && workchain < 128;
  const flipped = isShort ? workchain + 0x80 : workchain + 0x80000000;
  return flipped.toString(16).padStart(isShort ? 2 : 8, "0") + accountOf(address);
}

/** The account that `addressToHex` wrote. */
export function addressFromBytes(bytes: Uint8Array): Address {
  const isShort = bytes.length === 33;
  const first = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const workchain = isShort ? first.readUInt8(0) - 0x80 : first.readUInt32BE(0) - 0x80000000;
  return makeAddress(workchain, first.toString("hex", isShort ? 1 : 4));
}

/** The text form of 32 bytes contains their hex. */
function readHash(value: SqlValue): Hash {
  if (typeof value === "string" && value.length === 66 && value.startsWith("\\x")) return value.slice(2) as Hash;
  return hashFromBytes(readBytes(value));
}

/** For nearly all accounts the text form contains their hex. */
function readAddress(value: SqlValue): Address {
  if (typeof value === "string" && value.length === 68 && value.startsWith("\\x80"))
    return makeAddress(0, value.slice(4));
  return addressFromBytes(readBytes(value));
}

/** An array in PostgreSQL's text format; only these characters need escapes. */
function writeArray(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}

/** The same for hex, which needs no escapes. */
function writeHexArray(items: readonly string[]): string {
  return items.length === 0 ? "{}" : `{"\\\\x${items.join('","\\\\x')}"}`;
}

const packHash: Pack<Hash> = (value, into) => into.hex(value);

const packAddress: Pack<Address> = (value, into) =>
  // Nearly all accounts: the hex behind `0:`.
  value.startsWith("0:") ? into.hex(value, 2, 0x80) : into.hex(addressToHex(value));

const packText: Pack<string> = (value, into) => into.text(withoutNul(value));

/** A signed number of 32 bits. */
export const int4: Column<number> = column("integer", String, (value, into) => into.int4(value), readNumber);
/** A number that needs more than 31 bits and less than 53: seconds, unsigned counters. */
export const int53: Column<number> = column("bigint", String, (value, into) => into.int53(value), readNumber);
/** Logical times, shards (as signed numbers), orders of insertion. */
export const int8: Column<bigint> = column("bigint", String, (value, into) => into.int8(value), readBigint);
/** A shard, unsigned here and signed in the database. */
export const shard: Column<bigint> = column(
  "bigint",
  (value) => String(BigInt.asIntN(64, value)),
  (value, into) => into.int8(value),
  (value) => BigInt.asUintN(64, readBigint(value)),
);
/** Amounts and other numbers of up to 256 bits. */
export const amount: Column<bigint> = column("numeric", String, (value, into) => into.numeric(value), readBigint);
export const double: Column<number> = column(
  "double precision",
  String,
  (value, into) => into.double(value),
  readNumber,
);
export const bool: Column<boolean> = column(
  "boolean",
  (value) => (value ? "t" : "f"),
  (value, into) => into.bool(value),
  (value) => (typeof value === "boolean" ? value : unexpected("a boolean", value)),
);
export const hash: Column<Hash> = column("bytea", (value) => `\\x${value}`, packHash, readHash);
export const address: Column<Address> = column(
  "bytea",
  (value) => `\\x${addressToHex(value)}`,
  packAddress,
  readAddress,
);
export const bytes: Column<Uint8Array> = column(
  "bytea",
  (value) => `\\x${toHex(value)}`,
  (value, into) => into.bytes(value),
  readBytes,
);
/** Accounts as a parameter that is `bytea[]`. */
export function addressList(list: Iterable<Address>): readonly (string | null)[] {
  return [...list].map((each) => address.write(each));
}

/** Hashes as a parameter that is `bytea[]`. */
export function hashList(list: Iterable<Hash>): readonly string[] {
  return [...list].map(hash.write as (value: Hash) => string);
}

export const hashes: Column<readonly Hash[]> = column(
  "bytea[]",
  writeHexArray,
  packArray("bytea", packHash),
  readArray(readHash),
);
export const addresses: Column<readonly Address[]> = column(
  "bytea[]",
  (values) => writeHexArray(values.map(addressToHex)),
  packArray("bytea", packAddress),
  readArray(readAddress),
);
export const ints: Column<readonly number[]> = column(
  "integer[]",
  (values) => `{${values.join(",")}}`,
  packArray("int4", int4.pack),
  readArray(readNumber),
);
export const int8s: Column<readonly bigint[]> = column(
  "bigint[]",
  (values) => `{${values.join(",")}}`,
  packArray("int8", int8.pack),
  readArray(readBigint),
);
export const amounts: Column<readonly bigint[]> = column(
  "numeric[]",
  (values) => `{${values.join(",")}}`,
  packArray("numeric", amount.pack),
  readArray(readBigint),
);
export const texts: Column<readonly string[]> = column(
  "text[]",
  (values) => writeArray(values.map(withoutNul)),
  packArray("text", packText),
  readArray(readText),
);

/** PostgreSQL text cannot hold NUL characters; the contract removes them. */
function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** A text; `T` narrows it to the possible values. */
export function text<T extends string = string>(): Column<T> {
  return column<T>("text", withoutNul, packText, (value) => readText(value) as T);
}

/** Escapes that `jsonb` cannot hold: NUL and lone surrogates, except behind an escaped backslash. */
const unholdable = /(?<!\\)((?:\\\\)*)\\u(?:(0000)|d[89a-f][0-9a-f]{2})/g;

function writeJson(value: JsonValue): string {
  const written = formatJson(value);
  if (!written.includes("\\u")) return written;
  return written.replace(
    unholdable,
    (_, before: string, nul?: string) => `${before}${nul === undefined ? "\ufffd" : ""}`,
  );
}

/** JSON of type `T`. NUL characters are removed, lone surrogates become U+FFFD. */
export function json<T extends JsonValue = JsonValue>(): Column<T> {
  return column<T>(
    "jsonb",
    writeJson,
    (value, into) => into.json(writeJson(value)),
    (value) => value as T,
  );
}
