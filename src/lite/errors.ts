import { CodedError, type ErrorDetails, type ErrorKind } from "../lib/errors.ts";

/** Every way in which speaking to a lite server can fail. */
export const liteErrorCodes = {
  /** The server, or the way to it, did not answer within our own limit (a caller's deadline keeps its own code). */
  "lite/timeout": "remote",
  /** This side was closed or destroyed on purpose. */
  "lite/closed": "ours",
  /** No connection could be made: refused, unreachable, no such host. */
  "lite/refused": "remote",
  /** Connected, but the other side did not prove to hold the expected key, or sent nonsense instead of proving it. */
  "lite/handshake": "remote",
  /** A frame that is too short, too long, or whose checksum is wrong. */
  "lite/frame": "remote",
  /** Bytes that are not what the TL scheme says: cut, too long, unknown constructor. */
  "lite/tl": "remote",
  /** A value or a declaration that the TL scheme cannot express: wrong range, field without its flag. */
  "lite/tl-value": "ours",
  /** The server answered `liteServer.error`; its number and text are in the data. */
  "lite/server": "remote",
  /** More questions wait for the server than we let wait. */
  "lite/busy": "remote",
  /** The server said something that its proof does not prove. */
  "lite/proof": "remote",
  /** No server is left to ask. */
  "lite/none": "remote",
  /** The server does not know a block that others already know. */
  "lite/behind": "remote",
  /** The connection ended while the question was under way; the server may or may not have acted on it. */
  "lite/lost": "remote",
  /** A recording that cannot be read, or that does not hold the question asked. */
  "lite/record": "caller",
} as const satisfies Record<string, ErrorKind>;

export type LiteErrorCode = keyof typeof liteErrorCodes;

export class LiteError extends CodedError<LiteErrorCode> {
  constructor(code: LiteErrorCode, message: string, details?: ErrorDetails) {
    super(code, liteErrorCodes[code], message, details);
  }
}
