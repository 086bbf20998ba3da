import { CodedError, type ErrorDetails, type ErrorKind } from "./errors.ts";

/** Every way in which the tools of `lib` refuse. */
export const libErrorCodes = {
  "lib/hex": "caller",
  "lib/base64": "caller",
  "lib/json": "caller",
  "lib/json-size": "caller",
  "lib/json-depth": "caller",
  "lib/argument": "caller",
  "lib/shape": "ours",
  "lib/range": "ours",
  "lib/deadline": "remote",
  "lib/aborted": "caller",
} as const satisfies Record<string, ErrorKind>;

export type LibErrorCode = keyof typeof libErrorCodes;

export class LibError extends CodedError<LibErrorCode> {
  constructor(code: LibErrorCode, message: string, details?: ErrorDetails) {
    super(code, libErrorCodes[code], message, details);
  }
}
