import { errorClass, libErrorCodes } from "./errors.ts";

export type LibErrorCode = keyof typeof libErrorCodes;

/** An error of `lib`. */
export class LibError<Code extends LibErrorCode = LibErrorCode> extends errorClass(libErrorCodes)<Code> {}
