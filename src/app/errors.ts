import { errorClass, errorCodes, type RoomCode } from "../lib/errors.ts";

/** The error codes of the program's start. */
export const appErrorCodes = errorCodes({
  "app/usage": "caller",
  /** An option that does not exist or has an invalid value. */
  "app/config": "caller",
  /** A data folder that cannot be made or written to. */
  "app/data": "caller",
  /** An address that cannot be listened on. */
  "app/listen": "caller",
  /** The node of a new configuration does not answer. */
  "app/unreachable": "remote",
  /** The doctor, a replay or an audit found a problem. */
  "app/problems": "ours",
  /** An audit could compare nothing. */
  "app/unproved": "remote",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly app: typeof appErrorCodes;
  }
}

export class AppError<Code extends RoomCode<"app"> = RoomCode<"app">> extends errorClass(appErrorCodes)<Code> {}
