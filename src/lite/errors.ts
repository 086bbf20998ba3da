import { errorClass, errorCodes, type RoomCode, withData } from "../lib/errors.ts";

/** A failed connection may wait before the next attempt. */
interface ConnectionDown {
  readonly retryInMs?: number;
}

/**
 * Why no server can answer: the reason of each server that the caller may use; `mode` is how the pool selects servers.
 */
interface NoServer {
  readonly servers?: readonly {
    readonly name: string;
    readonly address: string;
    readonly state: string;
    readonly reason: string;
  }[];
  readonly mode?: string;
}

/** Faults of a proof that a receiver tells apart. */
export type ProofFault = "weight" | "signature" | "block";

/** The error codes of the communication with lite servers. */
export const liteErrorCodes = errorCodes({
  /** The server did not answer within our own limit (a caller's deadline keeps its own code). */
  "lite/timeout": withData<ConnectionDown>("remote"),
  /** This side was closed or destroyed. */
  "lite/closed": "ours",
  /** No connection: refused, unreachable, no such host. */
  "lite/refused": withData<ConnectionDown>("remote"),
  /** Connected, but the other side did not prove that it holds the expected key. */
  "lite/handshake": withData<ConnectionDown>("remote"),
  /** A frame that is too short, too long, or whose checksum is wrong. */
  "lite/frame": withData<ConnectionDown>("remote"),
  /** Bytes that do not fit the TL scheme: cut, too long, unknown constructor. */
  "lite/tl": withData<{ id?: number; left?: number; retryInMs?: number }>("remote"),
  /** A value or a declaration that does not fit the TL scheme: out of range, field without its flag. */
  "lite/tl-value": "ours",
  /** The server answered `liteServer.error`; its number and text are in the data. */
  "lite/server": withData<{ serverCode: number; serverMessage?: string; step?: string }>("remote"),
  /** Too many queries wait for the server. */
  "lite/busy": "remote",
  /** The answer does not follow from its proof. */
  "lite/proof": withData<{ what?: string; reason?: ProofFault }>("remote"),
  /** No server is left. */
  "lite/none": withData<NoServer>("remote"),
  /** The server does not know a block that other servers know. */
  "lite/behind": "remote",
  /** The connection ended while the query was in flight; the server may have processed it. */
  "lite/lost": withData<ConnectionDown>("remote"),
  /** A recording that cannot be read, or does not contain the query. */
  "lite/record": "caller",
  /** More answers were to be kept for one proof than allowed. */
  "lite/record-size": "caller",
  /** More answers were to be kept for all proofs than allowed. */
  "lite/record-full": "remote",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly lite: typeof liteErrorCodes;
  }
}

/** The error of a query after the end, with the reason of the end. */
export function closedBy(reason: Error): LiteError {
  return new LiteError("lite/closed", reason.message, { cause: reason });
}

export class LiteError<Code extends RoomCode<"lite"> = RoomCode<"lite">> extends errorClass(liteErrorCodes)<Code> {}
