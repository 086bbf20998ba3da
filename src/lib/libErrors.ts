import { CodedError, type DetailArgs, libErrorCodes } from "./errors.ts";

export type LibErrorCode = keyof typeof libErrorCodes;

/** An error of `lib`. */
export class LibError<Code extends LibErrorCode = LibErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, libErrorCodes[code], message, ...details);
  }
}
