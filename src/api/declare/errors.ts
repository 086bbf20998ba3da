import { CodedError, type DetailArgs, type ErrorKind, kindOf, withData } from "../../lib/errors.ts";

/** A refusal with its own text: its name in the table of its API version, and the values in the text. */
interface Refused {
  readonly refusal: string;
  readonly data: Readonly<Record<string, string | number | bigint>>;
}

/** The state of a caller's rate limit. */
interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
  readonly remaining: number;
  readonly retryMs: number;
  readonly resetMs: number;
}

/** The error codes of the HTTP interface; the tables of `v2` and `v3` have their answers. */
export const apiErrorCodes = {
  /** An argument or a set of arguments that is not allowed; the message is the text of the interface. */
  "api/argument": withData<{ value?: string }>("caller"),
  /** A refusal of an API version; the data says which one. */
  "api/refusal": withData<Refused>("caller"),
  /** A request body that is not a JSON object, or has an unknown property. */
  "api/body": "caller",
  /** A request body with a content type that the path does not accept. */
  "api/media-type": "caller",
  /** A refused stream request; the message is the text of the API. */
  "api/stream": "caller",
  /** A bag of cells in an argument that cannot be read; `field` is in the data. */
  "api/boc": withData<{ field: string }>("caller"),
  /** A message that could not be sent; the message is the text of the API. */
  "api/send": "caller",
  /** A stack entry of a type that get-methods cannot accept. */
  "api/stack-entry": "caller",
  /** A stack entry whose value cannot be read; the message is the text of the interface. */
  "api/stack-value": "caller",
  /** A masterchain block that no lite server has; the message is the text of the interface. */
  "api/no-block": "remote",
  /** A proof that cannot be given; the message says why. */
  "api/no-proof": "caller",
  /** A list that leaves out rows between others, or has rows that were not asked for. */
  "api/incomplete": "caller",
  /** A token that cannot be shown completely. */
  "api/token": "caller",
  /** No such path. */
  "api/not-found": "caller",
  /** An existing path with another HTTP method; the data has the allowed ones. */
  "api/method": withData<{ method: string; allowed: string }>("caller"),
  /** No such JSON-RPC method. */
  "api/rpc-method": "caller",
  /** An invalid JSON-RPC request: no method, an empty or too long batch. */
  "api/rpc": "caller",
  /** A URL with invalid percent-encoding, or a request that is not HTTP. */
  "api/url": "caller",
  "api/body-size": "caller",
  "api/url-size": "caller",
  "api/header-size": "caller",
  /** The request did not arrive completely in time. */
  "api/slow-request": "caller",
  /** No such key. */
  "api/key": "caller",
  /** A key that may not be used on this network. */
  "api/network": withData<{ network: string; allowed: readonly string[] }>("caller"),
  /** A request that changes the local network and does not come from this machine. */
  "api/local-controls": "caller",
  /** Too many requests; the rate and the time to retry are in the data. */
  "api/limit": withData<RateLimit>("caller"),
  /** An answer, or the answers of a batch, with more bytes than allowed; the message says what to do. */
  "api/answer-size": withData<{ maxBytes: number }>("caller"),
  /** More requests wait for an answer than allowed. */
  "api/busy": "remote",
  /** This server cannot answer now: no lite server, or it is stopping. */
  "api/unready": "remote",
  /** The file of keys cannot be read or written. */
  "api/key-file": "ours",
  /** Another server answered our client with an error; its status and text are in the data. */
  "api/refused": withData<{ status: number; error: string; url?: string }>("remote"),
  /** Another server could not be reached by our client, or its answer is not of this API. */
  "api/unreachable": withData<{ url?: string }>("remote"),
  /** A get-method that our client ran by an ABI failed; `error` has the words of the ABI. */
  "api/exit-code": withData<{ exitCode: number; error?: string }>("caller"),
  /** The chain does not take a message that our client sent: its account refuses it, or it expired. */
  "api/message": withData<{ url: string; error: string; hash: string; exitCode?: number }>("caller"),
  /** The trace of a message that our client sent did not come in time; it may come later. */
  "api/no-trace": withData<{ url: string; hash: string }>("remote"),
} as const satisfies Record<string, ErrorKind>;

export type ApiErrorCode = keyof typeof apiErrorCodes;

declare module "../../lib/errors.ts" {
  interface ErrorRooms {
    readonly api: typeof apiErrorCodes;
  }
}

export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, kindOf(apiErrorCodes, code), message, ...details);
  }
}
