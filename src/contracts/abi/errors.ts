import { errorClass, errorCodes, type RoomCode, withData } from "../../lib/errors.ts";

/** The error codes of ABIs and of the values that they describe. */
export const abiErrorCodes = errorCodes({
  /** The ABI is not of the form; `path` names the part, and `line` is its line where the ABI is a file. */
  "abi/form": withData<{ path: string; line?: number }>("caller"),
  /** A type contains itself. */
  "abi/recursive": withData<{ path: string; line?: number }>("caller"),
  /** An ABI, a value or a cell is beyond the limits. */
  "abi/too-large": "caller",
  /** A value cannot be encoded as its type says. */
  "abi/value": withData<{ path: string }>("caller"),
  /** Cells or stack values are not what the ABI says. */
  "abi/data": "caller",
  /** The ABI has no such method, message, storage or error. */
  "abi/unknown": "caller",
});

declare module "../../lib/errors.ts" {
  interface ErrorRooms {
    readonly abi: typeof abiErrorCodes;
  }
}

export class AbiError<Code extends RoomCode<"abi"> = RoomCode<"abi">> extends errorClass(abiErrorCodes)<Code> {}
