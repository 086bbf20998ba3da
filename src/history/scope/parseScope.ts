import { isCoded } from "../../lib/errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../lib/json.ts";
import { type Address, findAddress } from "../../model/Address.ts";
import { findHash, type Hash } from "../../model/Hash.ts";
import { HistoryError } from "../errors.ts";
import { formatBound, limitsAccounts, type Scope, type ScopeBound } from "./Scope.ts";

/** Characters of a scope file, and entries of one of its lists. */
const maxLength = 16 << 20;
const maxEntries = 100_000;

const fields: readonly string[] = ["accounts", "jettons", "collections", "code_hashes", "from", "until"];

export interface ScopeNetwork {
  /** Whether user-friendly addresses for test networks only are accepted. */
  readonly isTest: boolean;
}

/** Parses the text of a scope file; throws "history/scope" with what is wrong and what is allowed. */
export function parseScope(text: string, { isTest }: ScopeNetwork): Scope {
  const jsonObject = readObject(text);
  const unknown = Object.keys(jsonObject).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw wrong(`unknown field ${show(unknown)}; use one of: ${fields.join(", ")}`);
  const account = (item: string): Read<Address> => readAccount(item, isTest);
  const scope: Scope = {
    accounts: readList(jsonObject, "accounts", account),
    jettons: readList(jsonObject, "jettons", account),
    collections: readList(jsonObject, "collections", account),
    codeHashes: readList(jsonObject, "code_hashes", readCode),
    from: readBound(jsonObject, "from"),
    until: readBound(jsonObject, "until"),
  };
  refuseUseless(scope);
  return scope;
}

/** A value, or why the text is none. */
type Read<T> = { readonly value: T } | { readonly why: string };

function readObject(text: string): JsonObject {
  const given = readJson(text);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong('it must be one object, such as { "accounts": ["0:…"] }');
  return given as JsonObject;
}

function readJson(text: string): JsonValue {
  try {
    return parseJson(text, { maxLength: maxLength, repeatedKeys: "refused" });
  } catch (cause) {
    throw isCoded(cause) ? new HistoryError("history/scope", cause.message, { cause }) : cause;
  }
}

function readList<T>(jsonObject: JsonObject, name: string, read: (item: string) => Read<T>): readonly T[] {
  const list = Object.hasOwn(jsonObject, name) ? jsonObject[name] : [];
  if (!Array.isArray(list)) throw wrong(`"${name}" must be a list of texts`);
  if (list.length > maxEntries) throw wrong(`"${name}" has ${list.length} entries; the limit is ${maxEntries}`);
  const values = list.map((item: JsonValue, index) => {
    const found: Read<T> = typeof item === "string" ? read(item.trim()) : { why: "is no text" };
    if ("why" in found) throw wrong(`"${name}"[${index}], ${show(item)}, ${found.why}`);
    return found.value;
  });
  return [...new Set(values)];
}

function readAccount(text: string, isTest: boolean): Read<Address> {
  const address = findAddress(text);
  if (address === undefined) return { why: "is not an address: give a raw or a user-friendly one" };
  if (address.flags?.testOnly === true && !isTest)
    return { why: "has the flag for test networks, and this is the main network: give it without that flag, or raw" };
  return { value: address.address };
}

function readCode(text: string): Read<Hash> {
  const value = findHash(text);
  return value === undefined ? { why: "is not a hash: give 32 bytes in hex or base64" } : { value };
}

const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/;

function readBound(jsonObject: JsonObject, name: string): ScopeBound | undefined {
  const value = Object.hasOwn(jsonObject, name) ? jsonObject[name] : undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value < 2 ** 31)
    return { kind: "block", seqno: value };
  const at = typeof value === "string" && timeForm.test(value) ? Date.parse(value) / 1_000 : Number.NaN;
  if (Number.isInteger(at) && at > 0) return { kind: "time", at };
  const allowed = 'the seqno of a masterchain block, or a time in UTC as "2024-06-30" or "2024-06-30T12:00:00Z"';
  throw wrong(`"${name}" cannot be ${show(value)}; give ${allowed}`);
}

function refuseUseless(scope: Scope): void {
  const { from, until } = scope;
  if (!limitsAccounts(scope) && from === undefined && until === undefined)
    throw wrong(`it limits nothing; give at least one of ${fields.join(", ")}`);
  if (from === undefined || until === undefined || from.kind !== until.kind) return;
  const isAfter = from.kind === "block" && until.kind === "block" ? from.seqno > until.seqno : isLater(from, until);
  if (isAfter) throw wrong(`"from" ${show(formatBound(from))} is after "until" ${show(formatBound(until))}`);
}

function isLater(from: ScopeBound, until: ScopeBound): boolean {
  return from.kind === "time" && until.kind === "time" && from.at > until.at;
}

function show(value: JsonValue): string {
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function wrong(message: string): HistoryError {
  return new HistoryError("history/scope", message);
}
