import { Type } from "typebox";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { StateOverride } from "../../chain/run/stateOverrides.ts";
import type { WalletOrder } from "../../chain/run/walletMessage.ts";
import { contractHistory } from "../../history/queries/kit/History.ts";
import { isCoded } from "../../lib/errors.ts";
import { asText } from "../../lib/json.ts";
import { type Arg, type OptionalArg, withDefault } from "../../lib/kit/arg.ts";
import { objectSchema } from "../../lib/kit/shape.ts";
import { type Address, findAddress } from "../../model/Address.ts";
import { StateInit } from "../../model/StateInit.ts";
import { ApiError } from "../declare/errors.ts";
import type { RequestArgs } from "../declare/requestArgs.ts";

/**
 * The limits of one run: transactions and depth as in the contract, and as many messages as an answer of v3 may have,
 * because each transaction may send hundreds.
 */
export const emulationLimits = {
  maxTransactions: 256,
  maxDepth: 32,
  maxMessages: contractHistory.maxMessages,
} as const;

/** The messages of one order of a wallet. */
export const maxMessages = 4;
/** The limits of the machine's log for one trace. */
export const maxLogBytes = 1 << 20;
/** The bags of all messages of one answer together, each as often as it is shown: more fit in no answer. */
export const maxBagBytes = 48 << 20;
export const maxOverrides = 64;

/** Refuses a request with the texts of the contract (emulate.md §6). */
export function invalid(reason: string): ApiError {
  return new ApiError("api/argument", `invalid request: ${reason}`);
}

/** A required argument, read from JSON. */
function makeArg<T>(schema: Arg<T>["schema"], allowed: string, decode: Arg<T>["decode"]): Arg<T> {
  return { schema, required: true, allowed, decode };
}

function mayLack<T>(arg: Arg<T>): OptionalArg<T | undefined> {
  const decode = (value: unknown, name: string) =>
    value === undefined || value === null ? undefined : arg.decode(value, name);
  return { ...arg, required: false, decode };
}

const bool = makeArg(Type.Boolean(), "true or false", (value, name): boolean => {
  if (typeof value !== "boolean") throw invalid(`${name} must be true or false`);
  return value;
});

export const flag = withDefault(bool, false);

function wholeArg(allowed: string, min: number): Arg<number> {
  return makeArg(Type.Integer({ minimum: min }), allowed, (value, name) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min)
      throw invalid(`${name} must be ${allowed}`);
    return value;
  });
}

export const seqnoArg = mayLack(wholeArg("the seqno of a masterchain block", 1));
export const unixArg = mayLack(wholeArg("unix time in seconds", 0));
export const offsetArg = mayLack(wholeArg("a number of seconds", -(2 ** 40)));

const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Strict base64; the error gives the position. */
function readBytes(text: string): Uint8Array {
  if (!base64Text.test(text)) {
    const at = /[^A-Za-z0-9+/]/.exec(text.replace(/={1,2}$/, ""))?.index ?? text.length;
    throw invalid(`invalid boc: illegal base64 data at input byte ${at}`);
  }
  return Buffer.from(text, "base64");
}

/** An invalid bag is reported later than invalid base64, like by the run. */
export interface BagArg {
  readonly bytes: Uint8Array;
}

export const bocArg: OptionalArg<BagArg | undefined> = mayLack(
  makeArg(Type.String({ contentEncoding: "base64" }), "a bag of cells with one root as base64", (value) => {
    if (typeof value !== "string" || value === "") throw invalid("boc is required");
    return { bytes: readBytes(value) };
  }),
);

/** The root of a bag, or the reason why it is invalid. */
function readCell(value: unknown, wrong: (reason: string) => ApiError): Cell {
  try {
    if (typeof value !== "string" || !base64Text.test(value)) throw wrong("it is no base64");
    return readRoot(Buffer.from(value, "base64"));
  } catch (cause) {
    throw isCoded(cause) && cause.code.startsWith("cell/") ? wrong(cause.message) : cause;
  }
}

function readInit(value: unknown, wrong: (reason: string) => ApiError): StateInit {
  const cell = readCell(value, wrong);
  try {
    return loadCell(StateInit, cell);
  } catch (cause) {
    throw isCoded(cause) ? wrong(cause.message) : cause;
  }
}

const isObject = (value: unknown): value is RequestArgs =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";

function readAmount(value: unknown, wrong: (reason: string) => ApiError): bigint {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !/^[0-9]{1,20}$/.test(text)) throw wrong("it is no decimal number");
  const amount = BigInt(text);
  if (amount >= 2n ** 64n) throw wrong("it is more than 64 bits hold");
  return amount;
}

/** One message of a wallet; with a raw address it bounces. */
function readOrder(value: unknown, at: number): WalletOrder {
  if (!isObject(value) || !isGiven(value.address)) throw invalid(`message at index ${at} cannot be empty`);
  if (!isGiven(value.amount)) throw invalid(`amount in message at index ${at} cannot be empty`);
  const address = findAddress(asText(value.address));
  if (address === undefined)
    throw invalid(`invalid address in message at index ${at}: ${asText(value.address).slice(0, 100)}`);
  const wrong = (what: string) => (reason: string) => invalid(`${what} at index ${at}: ${reason}`);
  return {
    to: address.address,
    bounce: address.flags?.bounceable ?? true,
    amount: readAmount(value.amount, wrong("invalid amount in message")),
    body: isGiven(value.payload) ? readCell(value.payload, wrong("invalid message payload")) : undefined,
    init: isGiven(value.stateInit) ? readInit(value.stateInit, wrong("invalid message stateInit")) : undefined,
  };
}

export const fromArg = makeArg(Type.String(), "the address of a wallet", (value): Address => {
  if (!isGiven(value)) throw invalid("from address is required for emulation");
  if (typeof value !== "string") throw invalid("from must be a string");
  const address = findAddress(value);
  if (address === undefined) throw new ApiError("api/send", `Invalid address format: ${value.slice(0, 100)}`);
  return address.address;
});

const maybeBag = Type.Optional(Type.Union([Type.String({ contentEncoding: "base64" }), Type.Null()]));
const orderSchema = objectSchema({
  address: ["Address of the receiver.", Type.String()],
  amount: ["Coins to send, in nanocoins.", Type.String({ pattern: "^[0-9]+$" })],
  payload: ["Body as a bag of cells in base64; none if left out.", maybeBag],
  stateInit: ["Code and data that the message deploys, as a bag of cells in base64; none if left out.", maybeBag],
});

export const ordersArg = makeArg(
  Type.Array(orderSchema, { minItems: 1, maxItems: maxMessages }),
  `a list of 1 to ${maxMessages} messages`,
  (value): readonly WalletOrder[] => {
    if (!Array.isArray(value) || value.length === 0) throw invalid("messages array cannot be empty");
    if (value.length > maxMessages) throw invalid(`messages array cannot contain more than ${maxMessages} messages`);
    return value.map(readOrder);
  },
);

/** Seconds; other units are recognised by their size. */
export const untilArg = mayLack(
  makeArg(Type.Integer(), "unix time in seconds", (value, name): number => {
    if (typeof value !== "number" && typeof value !== "bigint") throw invalid(`${name} must be a number`);
    const given = Number(value);
    const unit = given >= 1e18 ? 1e9 : given >= 1e15 ? 1e6 : given >= 1e12 ? 1e3 : 1;
    return Math.max(0, Math.floor(given / unit)) % 2 ** 32;
  }),
);

/** An internal message by its fields. */
export interface MessageFields extends WalletOrder {
  readonly from: Address;
}

export const messageArg = mayLack(
  makeArg(
    objectSchema({
      from: ["Address of the sender.", Type.String()],
      to: ["Address of the receiver.", Type.String()],
      value: ["Coins that the message carries, in nanocoins.", Type.String({ pattern: "^[0-9]+$" })],
      body: [
        "Body as a bag of cells in base64; empty if left out.",
        Type.Optional(Type.String({ contentEncoding: "base64" })),
      ],
      bounce: ["Whether the message returns if the receiver fails; true if left out.", Type.Optional(Type.Boolean())],
    }),
    "an internal message by its fields",
    (value): MessageFields => {
      if (!isObject(value)) throw invalid("message must be an object");
      const [from, to] = [findAddress(asText(value.from)), findAddress(asText(value.to))];
      if (from === undefined || to === undefined) throw invalid("message needs the addresses from and to");
      const wrong = (what: string) => (reason: string) => invalid(`invalid ${what} of message: ${reason}`);
      return {
        from: from.address,
        to: to.address,
        bounce: value.bounce !== false,
        amount: readAmount(value.value, wrong("value")),
        body: isGiven(value.body) ? readCell(value.body, wrong("body")) : undefined,
        init: undefined,
      };
    },
  ),
);

const overrideSchema = objectSchema({
  balance: [
    "Balance in nanocoins; that of the chain if left out.",
    Type.Optional(Type.String({ pattern: "^[0-9]+$" })),
  ],
  code: [
    "Code as a bag of cells in base64; that of the chain if left out.",
    Type.Optional(Type.String({ contentEncoding: "base64" })),
  ],
  data: [
    "Data as a bag of cells in base64; that of the chain if left out.",
    Type.Optional(Type.String({ contentEncoding: "base64" })),
  ],
});

export const overridesArg: OptionalArg<ReadonlyMap<Address, StateOverride>> = {
  schema: Type.Record(Type.String(), overrideSchema),
  required: false,
  allowed: `at most ${maxOverrides} accounts with their replaced states`,
  decode: (value) => {
    if (value === undefined || value === null) return new Map();
    const entries = isObject(value) ? Object.entries(value) : [];
    if (!isObject(value) || entries.length > maxOverrides)
      throw invalid(`state_overrides must have at most ${maxOverrides} accounts`);
    return new Map(entries.map(([text, given]) => [readAccount(text), readOverride(text, given)]));
  },
};

function readAccount(text: string): Address {
  const address = findAddress(text);
  if (address === undefined) throw invalid(`invalid address in state_overrides: ${text.slice(0, 100)}`);
  return address.address;
}

function readOverride(account: string, value: unknown): StateOverride {
  if (!isObject(value)) throw invalid(`state_overrides of ${account} must be an object`);
  const wrong = (reason: string) => invalid(`invalid state_overrides of ${account}: ${reason}`);
  return {
    balance: isGiven(value.balance) ? readAmount(value.balance, wrong) : undefined,
    code: isGiven(value.code) ? readCell(value.code, wrong) : undefined,
    data: isGiven(value.data) ? readCell(value.data, wrong) : undefined,
  };
}
