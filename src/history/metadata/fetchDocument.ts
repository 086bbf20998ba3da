import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { abortReason, orAborted } from "../../lib/abort.ts";
import { concatBytes } from "../../lib/bytes.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { findIp } from "../../lib/ip.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../lib/json.ts";
import { HistoryError } from "../errors.ts";
import type { AddressPolicy } from "./AddressPolicy.ts";
import { checkUrl, type DocumentLocation } from "./documentUrl.ts";

export interface DocumentLimits {
  readonly maxBytes: number;
  /** For everything, from the first DNS lookup to the last byte. */
  readonly maxMs: number;
  readonly maxRedirects: number;
}

/** The default limits of one document. It is parsed on the main thread: 1 MB takes some milliseconds, 10 MB seconds. */
export const documentLimits: DocumentLimits = { maxBytes: 1024 * 1024, maxMs: 20_000, maxRedirects: 5 };

export interface DocumentModules {
  readonly clock: Clock;
  readonly allows: AddressPolicy;
  /** All addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
}

/** Addresses from the system resolver. */
export async function resolveHost(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

/** Fetches a JSON object; every failure is `history/document`, unless the signal is aborted. */
export async function fetchDocument(
  location: DocumentLocation,
  limits: DocumentLimits,
  modules: DocumentModules,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    const work = (own: AbortSignal) => orAborted(follow(location, limits, modules, own), own);
    return await runWithin(modules.clock, limits.maxMs, (own) => work(own.signal), signal);
  } catch (cause) {
    if (signal.aborted) throw abortReason(signal);
    if (isCoded(cause, "history/document")) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new HistoryError("history/document", `${location.url.host}: ${message}`, { cause });
  }
}

async function follow(
  location: DocumentLocation,
  limits: DocumentLimits,
  modules: DocumentModules,
  signal: AbortSignal,
): Promise<JsonObject> {
  let { url, isGateway } = location;
  for (let redirects = 0; redirects <= limits.maxRedirects; redirects++) {
    const addresses = await findAddresses(url, modules, isGateway, signal);
    const answer = await ask(url, addresses, signal);
    const next = answer.headers.location;
    if (next === undefined || !isRedirect(answer.statusCode)) return readObject(answer, limits.maxBytes);
    answer.destroy();
    if (!URL.canParse(next, url.href))
      throw refused(`${url.host} redirects to "${next.slice(0, 100)}", which is not a URL`);
    url = new URL(next, url);
    checkUrl(url);
    isGateway = false;
  }
  throw refused(`more than ${limits.maxRedirects} redirects`);
}

function isRedirect(status = 0): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * The addresses that are connected to: a name is resolved once, so that it cannot change before the connection is made.
 * The URL parser has normalized literal addresses.
 */
async function findAddresses(
  url: URL,
  { resolve, allows }: DocumentModules,
  isGateway: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = findIp(name) === undefined ? await orAborted(resolve(name), signal) : [name];
  if (addresses.length === 0) throw refused(`${name} has no address`);
  for (const address of isGateway ? [] : addresses) {
    const ip = findIp(address);
    if (ip === undefined || !allows(ip)) {
      throw refused(
        `${name} has the private or reserved address ${address}; documents are fetched only from public addresses`,
      );
    }
  }
  return addresses;
}

type LookupAnswer = (
  error: Error | null,
  found: string | { readonly address: string; readonly family: number }[],
  family?: number,
) => void;

function ask(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const answer = (_name: string, { all }: { readonly all?: boolean | undefined }, callback: LookupAnswer) =>
    all === true ? callback(null, found) : callback(null, found[0]?.address ?? "", found[0]?.family ?? 4);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  // Compressed data may expand without limit, so none is accepted.
  const headers = { accept: "application/json, */*;q=0.5", "accept-encoding": "identity", "user-agent": "tongate" };
  return new Promise((resolve, reject) => {
    request(url, { agent: false, lookup: answer, signal, headers, maxHeaderSize: 16_384 })
      .once("response", resolve)
      .once("error", reject)
      .end();
  });
}

async function readObject(answer: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode < 200 || statusCode > 299) throw refused(`status ${statusCode}`);
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding !== "identity") throw refused(`unexpected encoding ${encoding}`);
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw refused(`more than ${maxBytes} bytes`);
    return parseObject(await readBytes(answer, maxBytes));
  } finally {
    answer.destroy();
  }
}

async function readBytes(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer) {
    const bytes: Uint8Array = part;
    length += bytes.length;
    if (length > maxBytes) throw refused(`more than ${maxBytes} bytes`);
    parts.push(bytes);
  }
  return concatBytes(parts);
}

function parseObject(bytes: Uint8Array): JsonObject {
  const value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused("not a JSON object");
  if (!canBeStored(value)) throw refused("a number that is too large");
  return value as JsonObject;
}

/** Infinity cannot be stored as JSON, and a document that is never stored would be fetched forever. */
function canBeStored(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(canBeStored);
}

function refused(why: string): HistoryError {
  return new HistoryError("history/document", why);
}
