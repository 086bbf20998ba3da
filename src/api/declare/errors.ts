import { CodedError, type DetailArgs, type ErrorKind, withData } from "../../lib/errors.ts";

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
  /** A request body of a type that the path does not take. */
  "api/media-type": "caller",
  /** A request to a stream that is refused; the message is the text of the interface. */
  "api/stream": "caller",
  /** A bag of cells in an argument that cannot be read; `field` is in the data. */
  "api/boc": withData<{ field: string }>("caller"),
  /** A message that could not be sent; the message is the text of the API. */
  "api/send": "caller",
  /** A stack entry of a type that no get-method can be given. */
  "api/stack-entry": "caller",
  /** A stack entry whose value cannot be read; the message is the text of the interface. */
  "api/stack-value": "caller",
  /** A token that was found, and of which something cannot be shown. */
  "api/token": "caller",
  /** No such path. */
  "api/not-found": "caller",
  /** An existing path with another HTTP method; the data has the allowed ones. */
  "api/method": withData<{ method: string; allowed: string }>("caller"),
  /** No such JSON-RPC method. */
  "api/rpc-method": "caller",
  /** A JSON-RPC request that is none: no method, an empty or too long batch. */
  "api/rpc": "caller",
  /** A URL whose percent-encoding is broken, or a request that is no HTTP. */
  "api/url": "caller",
  "api/body-size": "caller",
  "api/url-size": "caller",
  "api/header-size": "caller",
  /** The request did not arrive whole in time. */
  "api/slow-request": "caller",
  /** No such key. */
  "api/key": "caller",
  /** A key that may not be used on this network. */
  "api/network": withData<{ network: string; allowed: readonly string[] }>("caller"),
  /** A request that changes the local network and does not come from this machine. */
  "api/local-controls": "caller",
  /** Too many requests; the rate and when to come back are in the data. */
  "api/limit": withData<RateLimit>("caller"),
  /** More requests wait for an answer than we let wait. */
  "api/busy": "remote",
  /** This server cannot answer now: no lite server, or it stops. */
  "api/unready": "remote",
  /** The file of keys cannot be read or written. */
  "api/key-file": "ours",
  /** Another server answered our client with an error; its status and text are in the data. */
  "api/refused": withData<{ status: number; error: string; url?: string }>("remote"),
  /** Another server could not be reached by our client, or answered something else than this interface. */
  "api/unreachable": withData<{ url?: string }>("remote"),
} as const satisfies Record<string, ErrorKind>;

export type ApiErrorCode = keyof typeof apiErrorCodes;

declare module "../../lib/errors.ts" {
  interface ErrorRooms {
    readonly api: typeof apiErrorCodes;
  }
}

export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, apiErrorCodes[code], message, ...details);
  }
}
