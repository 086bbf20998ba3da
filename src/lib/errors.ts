/** Whose fault an error is: the caller's, the other side's (asking again may help), or ours. */
export type ErrorKind = "caller" | "remote" | "ours";

export interface ErrorDetails {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The one base of all errors thrown on purpose. A room declares its codes with their kinds in its own `errors.ts`
 * and throws only its own class; a code reads `room/reason` and is what callers test, never the message.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly kind: ErrorKind;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: Code, kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
    this.data = details.data ?? {};
  }
}

/** Narrows an unknown thrown value to a coded error, optionally of one code. */
export function isCoded(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}
