import { CodedError, type ErrorDetails, type ErrorKind } from "../lib/errors.ts";

/** Every way in which the program can be started wrongly. */
export const appErrorCodes = {
  "app/usage": "caller",
  /** An option that does not exist or cannot have the value it was given. */
  "app/config": "caller",
  /** A folder for data that cannot be made or written to. */
  "app/data": "caller",
  /** An address that cannot be listened on. */
  "app/listen": "caller",
  /** A node that a configuration is to be made for, and that does not answer. */
  "app/unreachable": "remote",
  /** The doctor found something that is not as it should be. */
  "app/problems": "ours",
} as const satisfies Record<string, ErrorKind>;

export type AppErrorCode = keyof typeof appErrorCodes;

export class AppError extends CodedError<AppErrorCode> {
  constructor(code: AppErrorCode, message: string, details?: ErrorDetails) {
    super(code, appErrorCodes[code], message, details);
  }
}
