import { supportedTypes } from "../../contracts/visibility.ts";
import type { Finality } from "../../history/queries/fill/FullTransaction.ts";
import { type Address, findAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { findProofRequest } from "../declare/proof.ts";
import type { RequestArgs, RequestHeaders } from "../declare/requestArgs.ts";
import { readHash } from "./cursor.ts";
import { StreamRefusal } from "./StreamRefusal.ts";

const eventTypes = [
  "transactions",
  "actions",
  "trace",
  "account_state_change",
  "jettons_change",
  "blocks",
  "messages",
] as const;
export type EventType = (typeof eventTypes)[number];

const finalities: readonly Finality[] = ["pending", "confirmed", "finalized"];

/** The subscription of a connection. */
export interface Subscription {
  readonly types: ReadonlySet<EventType>;
  /** All events, if the caller may subscribe to them. */
  readonly isForAll: boolean;
  readonly addresses: ReadonlySet<Address>;
  /** Every wallet of these jettons, and their masters. */
  readonly jettons: ReadonlySet<Address>;
  /** Every account with this code. */
  readonly codeHashes: ReadonlySet<Hash>;
  /** Normalized hashes of the messages whose traces are requested. */
  readonly traces: ReadonlySet<Hash>;
  readonly minFinality: Finality;
  readonly withBook: boolean;
  readonly withMetadata: boolean;
  /** Only these action types; all when empty. */
  readonly actionTypes: ReadonlySet<string>;
  /** The action types that the client supports. */
  readonly supported: ReadonlySet<string>;
  readonly bodyHash: Hash | undefined;
  readonly isPartial: boolean;
  /** Whether an empty list retracts actions that were shown and no longer exist. */
  readonly hasRetract: boolean;
  readonly hasCursor: boolean;
}

/** Where to start. */
export interface Beginning {
  readonly after: string | undefined;
  readonly fromSeqno: number | undefined;
  readonly replayExisting: boolean;
}

export interface SubscribeRequest {
  readonly subscription: Subscription;
  readonly beginning: Beginning;
}

/** What differs between the transports. */
export interface Wording {
  readonly noTypes: string;
  readonly noAddresses: string;
  readonly malformed: string;
  readonly tooManyAddresses: (given: number, max: number) => string;
}

export const sseWording: Wording = {
  noTypes: "types are required for subscription",
  noAddresses: "addresses are required for subscription",
  malformed: "invalid subscription request",
  tooManyAddresses: (given, max) => `too many addresses: ${given} > max ${max}`,
};

export const wsWording: Wording = {
  noTypes: "types are required",
  noAddresses: "addresses are required",
  malformed: "invalid subscribe request",
  tooManyAddresses: (given, max) => `address limit exceeded: current 0 + new ${given} > max ${max}`,
};

export interface SubscribeContext {
  readonly wording: Wording;
  readonly maxAddresses: number;
  readonly mayAskForAll: boolean;
  /** Those of the request that opened the connection. */
  readonly headers: RequestHeaders;
  /** The previous subscription: some omitted fields keep its values. */
  readonly before: Subscription | undefined;
}

const unproved = "events have no proof: ask v3 for the transactions, traces or blocks that they name, with proof=1";

/** Reads a request to subscribe, by the rules of the contract (streaming.md, A2 and A7). */
export function readSubscription(requestArgs: RequestArgs, context: SubscribeContext): SubscribeRequest {
  const { wording, before } = context;
  if (findProofRequest(requestArgs, context.headers) !== undefined) throw new StreamRefusal(422, unproved);
  const read = new FieldReader(requestArgs, wording.malformed);
  const types = readTypes(read.texts("types"), wording);
  const texts = read.texts("addresses");
  const isForAll = context.mayAskForAll && texts.includes("*");
  const addresses = new Set((isForAll ? [] : texts).map(readAddress));
  const jettons = new Set(read.texts("jettons").map(readAddress));
  const codeHashes = new Set(read.texts("code_hashes").map(readCodeHash));
  const traces = readTraces(read.texts("trace_external_hash_norms"), types);
  const named = addresses.size + jettons.size + codeHashes.size;
  if ([...types].some(needsAddresses) && named === 0 && !isForAll) throw new StreamRefusal(400, wording.noAddresses);
  if (named > context.maxAddresses) throw new StreamRefusal(400, wording.tooManyAddresses(named, context.maxAddresses));
  const after = read.text("after");
  const fromSeqno = read.whole("from_mc_seqno");
  const supported = read.texts("supported_action_types");
  const only = read.texts("action_types");
  const subscription: Subscription = {
    ...{ types, isForAll, addresses, jettons, codeHashes, traces },
    minFinality: readFinality(read.text("min_finality"), wording) ?? before?.minFinality ?? "finalized",
    withBook: read.flag("include_address_book") ?? before?.withBook ?? false,
    withMetadata: read.flag("include_metadata") ?? before?.withMetadata ?? false,
    actionTypes: only.length > 0 ? new Set(only) : (before?.actionTypes ?? new Set()),
    supported: supported.length > 0 ? supportedTypes(supported) : (before?.supported ?? versionTypes(context)),
    bodyHash: readBodyHash(read.text("msg_body_hash"), addresses, types),
    isPartial: read.flag("partial") ?? false,
    hasRetract: read.flag("retract") ?? false,
    hasCursor: (read.flag("cursor") ?? false) || after !== undefined || fromSeqno !== undefined,
  };
  return { subscription, beginning: { after, fromSeqno, replayExisting: read.flag("replay_existing") ?? false } };
}

/** Types that are about accounts. */
function needsAddresses(type: EventType): boolean {
  return type !== "trace" && type !== "blocks" && type !== "messages";
}

function readCodeHash(text: string): Hash {
  const hash = readHash(text);
  if (hash === undefined) throw new StreamRefusal(400, `invalid code hash: ${text.slice(0, 100)}`);
  return hash;
}

function versionTypes({ headers }: SubscribeContext): ReadonlySet<string> {
  const version = headers["x-actions-version"]?.toString() ?? "";
  return supportedTypes([version === "" ? "latest" : version]);
}

function readTypes(texts: readonly string[], wording: Wording): ReadonlySet<EventType> {
  if (texts.length === 0) throw new StreamRefusal(400, wording.noTypes);
  const known: readonly string[] = eventTypes;
  const bad = texts.find((text) => !known.includes(text) && text !== "trace_invalidated");
  if (bad !== undefined) throw new StreamRefusal(400, `invalid event type: ${bad.slice(0, 100)}`);
  return new Set(eventTypes.filter((type) => texts.includes(type)));
}

export function readAddress(text: string): Address {
  const address = findAddress(text.trim());
  if (address === undefined) throw new StreamRefusal(400, `invalid address: ${text.slice(0, 100)}`);
  return address.address;
}

export function readTraceHash(text: string): Hash {
  const hash = readHash(text);
  if (hash === undefined) throw new StreamRefusal(400, "trace_external_hash_norms contains empty value");
  return hash;
}

function readTraces(texts: readonly string[], types: ReadonlySet<EventType>): ReadonlySet<Hash> {
  if (texts.length > 0 && !types.has("trace") && !types.has("messages"))
    throw new StreamRefusal(400, 'trace_external_hash_norms requires type "trace"');
  for (const type of ["trace", "messages"] as const) {
    if (texts.length === 0 && types.has(type))
      throw new StreamRefusal(400, `trace_external_hash_norms are required for ${type} subscription`);
  }
  return new Set(texts.map(readTraceHash));
}

function readFinality(text: string | undefined, wording: Wording): Finality | undefined {
  if (text === undefined) return undefined;
  const finality = finalities.find((each) => each === text);
  if (finality === undefined)
    throw new StreamRefusal(400, `${wording.malformed}: unknown finality state: ${text.slice(0, 100)}`);
  return finality;
}

function readBodyHash(
  text: string | undefined,
  addresses: ReadonlySet<Address>,
  types: ReadonlySet<EventType>,
): Hash | undefined {
  if (text === undefined) return undefined;
  if (addresses.size === 0 || !types.has("transactions"))
    throw new StreamRefusal(400, 'msg_body_hash requires addresses and type "transactions"');
  const hash = readHash(text);
  if (hash === undefined) throw new StreamRefusal(400, "invalid msg_body_hash");
  return hash;
}

/** Decodes the fields of a request; ignores unknown ones, and null is the same as absent. */
class FieldReader {
  readonly #given: RequestArgs;
  readonly #malformed: string;

  constructor(requestArgs: RequestArgs, malformed: string) {
    this.#given = requestArgs;
    this.#malformed = malformed;
  }

  texts(name: string): readonly string[] {
    const value = this.#find(name);
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
      throw this.#wrong(name, "a list of strings");
    return value;
  }

  text(name: string): string | undefined {
    const value = this.#find(name);
    if (value !== undefined && typeof value !== "string") throw this.#wrong(name, "a string");
    return value === "" ? undefined : value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#find(name);
    if (value !== undefined && typeof value !== "boolean") throw this.#wrong(name, "true or false");
    return value;
  }

  whole(name: string): number | undefined {
    const value = this.#find(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
      throw this.#wrong(name, "a whole number");
    return value;
  }

  #find(name: string): unknown {
    return Object.hasOwn(this.#given, name) ? (this.#given[name] ?? undefined) : undefined;
  }

  #wrong(name: string, text: string): StreamRefusal {
    return new StreamRefusal(400, `${this.#malformed}: ${name} must be ${text}`);
  }
}
