import { CodedError, type DetailArgs, type ErrorKind, withData } from "../lib/errors.ts";

/** A connection that failed may wait before the next attempt. */
interface ConnectionDown {
  readonly retryInMs?: number;
}

/** Why no server can answer: each server the caller may use, with the reason; `mode` is the pool's way of asking. */
interface NoServer {
  readonly servers?: readonly {
    readonly name: string;
    readonly address: string;
    readonly state: string;
    readonly reason: string;
  }[];
  readonly mode?: string;
}

/** Every way in which speaking to a lite server can fail. */
export const liteErrorCodes = {
  /** The server, or the way to it, did not answer within our own limit (a caller's deadline keeps its own code). */
  "lite/timeout": withData<ConnectionDown>("remote"),
  /** This side was closed or destroyed on purpose. */
  "lite/closed": "ours",
  /** No connection could be made: refused, unreachable, no such host. */
  "lite/refused": withData<ConnectionDown>("remote"),
  /** Connected, but the other side did not prove to hold the expected key, or sent nonsense instead of proving it. */
  "lite/handshake": withData<ConnectionDown>("remote"),
  /** A frame that is too short, too long, or whose checksum is wrong. */
  "lite/frame": withData<ConnectionDown>("remote"),
  /** Bytes that are not what the TL scheme says: cut, too long, unknown constructor. */
  "lite/tl": withData<{ id?: number; left?: number; retryInMs?: number }>("remote"),
  /** A value or a declaration that the TL scheme cannot express: wrong range, field without its flag. */
  "lite/tl-value": "ours",
  /** The server answered `liteServer.error`; its number and text are in the data. */
  "lite/server": withData<{ serverCode: number; serverMessage?: string; step?: string }>("remote"),
  /** More queries wait for the server than we let wait. */
  "lite/busy": "remote",
  /** The server said something that its proof does not prove. */
  "lite/proof": withData<{ what?: string }>("remote"),
  /** No server is left to ask. */
  "lite/none": withData<NoServer>("remote"),
  /** The server does not know a block that others already know. */
  "lite/behind": "remote",
  /** The connection ended while the query was in flight; the server may or may not have acted on it. */
  "lite/lost": withData<ConnectionDown>("remote"),
  /** A recording that cannot be read, or that does not hold the query asked. */
  "lite/record": "caller",
} as const satisfies Record<string, ErrorKind>;

export type LiteErrorCode = keyof typeof liteErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly lite: typeof liteErrorCodes;
  }
}

/** The error for a query that comes after the end, with the reason of the end. */
export function closedBy(reason: Error): LiteError {
  return new LiteError("lite/closed", reason.message, { cause: reason });
}

export class LiteError<Code extends LiteErrorCode = LiteErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, liteErrorCodes[code], message, ...details);
  }
}
