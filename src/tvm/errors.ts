import { errorClass, errorCodes, type RoomCode } from "../lib/errors.ts";

/** Every way in which running code can fail; what the code itself does, bad or good, is an outcome and no error. */
export const tvmErrorCodes = errorCodes({
  /** The run took longer than any run may (a caller's deadline keeps its own code). */
  "tvm/timeout": "ours",
  /** A crypto thread died under the run, or could not be started. */
  "tvm/crash": "ours",
  /** The executor was closed or destroyed on purpose. */
  "tvm/closed": "ours",
  /** Invalid input: not a configuration, not a message for this account, a number too large. */
  "tvm/input": "caller",
  /** The rules give no outcome: no block can hold such a transaction, and the reference itself stops at it. */
  "tvm/undefined": "caller",
  /** A kind of transaction that no network has: split and merge of accounts. */
  "tvm/unsupported": "caller",
  /** A library with another hash than the requested one. */
  "tvm/library": "remote",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly tvm: typeof tvmErrorCodes;
  }
}

export class TvmError<Code extends RoomCode<"tvm"> = RoomCode<"tvm">> extends errorClass(tvmErrorCodes)<Code> {}
