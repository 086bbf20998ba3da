import { CodedError, type DetailArgs, type ErrorKind } from "../lib/errors.ts";

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

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly app: typeof appErrorCodes;
  }
}

export class AppError<Code extends AppErrorCode = AppErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, appErrorCodes[code], message, ...details);
  }
}
