/** Who caused an error: the caller, the other side (a retry may help), or this program. */
export type ErrorKind = "caller" | "remote" | "ours";

/** A kind that also carries, for the compiler only, the type of the code's data. */
type KindWithData<Data> = ErrorKind & { readonly "~data": Data };

/** Declares a code whose errors carry data. A code declared by its kind alone carries none. */
export function withData<Data extends object>(kind: ErrorKind): KindWithData<Readonly<Data>> {
  // The data type exists for the compiler only; at run time the value is the kind.
  return kind as KindWithData<Readonly<Data>>;
}

/** Where a JSON text is wrong; a value that cannot be written has no position. */
interface JsonPosition {
  readonly position?: number;
  readonly line?: number;
  readonly column?: number;
}

/** Declares the codes of a room. */
export function errorCodes<const Codes extends Readonly<Record<string, ErrorKind>>>(codes: Codes): Codes {
  return codes;
}

/** The codes of `lib`. They are declared here because the registry below starts with them. */
export const libErrorCodes = errorCodes({
  "lib/hex": "caller",
  "lib/base64": "caller",
  "lib/json": withData<JsonPosition>("caller"),
  "lib/json-size": withData<{ length: number; maxLength: number }>("caller"),
  "lib/json-depth": withData<JsonPosition>("caller"),
  "lib/argument": withData<{ argument: string; value: string; allowed: string }>("caller"),
  "lib/shape": "ours",
  "lib/range": "ours",
  "lib/deadline": withData<{ delayMs?: number }>("remote"),
  "lib/aborted": "caller",
  /** The system cannot read or write a file: a full disk, a broken one, missing permission. */
  "lib/storage": withData<{ path: string; reason: string }>("ours"),
});

/**
 * The declared codes of every room. Each room's `errors.ts` adds its own with `declare module`, so that `isCoded` knows
 * all codes although `lib` imports no room.
 */
export interface ErrorRooms {
  readonly lib: typeof libErrorCodes;
}

type Declared<Room> = Room extends unknown ? { [Code in keyof Room]: Room[Code] } : never;
type AllCodes = UnionToIntersection<Declared<ErrorRooms[keyof ErrorRooms]>>;
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Every code of every room. */
export type ErrorCode = keyof AllCodes & string;

/** The codes of one room. */
export type RoomCode<Room extends keyof ErrorRooms> = keyof ErrorRooms[Room];

/** The data that errors of this code carry. */
export type ErrorData<Code extends ErrorCode> = Code extends unknown
  ? AllCodes[Code] extends { readonly "~data": infer Data }
    ? Data
    : Readonly<Record<string, never>>
  : never;

export interface ErrorDetails<Code extends ErrorCode> {
  readonly data?: ErrorData<Code>;
  readonly cause?: unknown;
}

/** The last parameter of an error's constructor: required for a code whose data has required properties. */
export type DetailArgs<Code extends ErrorCode> =
  Record<never, never> extends ErrorData<Code>
    ? readonly [details?: ErrorDetails<Code>]
    : readonly [details: ErrorDetails<Code> & { readonly data: ErrorData<Code> }];

/**
 * The base of all errors thrown on purpose. A room declares its codes with their kinds and data in its own `errors.ts`
 * and throws only its own class; a code reads `room/reason` and is what callers test, never the message.
 */
export abstract class CodedError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly kind: ErrorKind;
  readonly data: ErrorData<Code>;

  constructor(code: Code, kind: ErrorKind, message: string, ...[details = {}]: DetailArgs<Code>) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
    // `DetailArgs` requires the data where it has required properties; elsewhere nothing is valid data.
    this.data = details.data ?? ({} as ErrorData<Code>);
  }
}

/** The kind of a code. In the tables of clients, the usual kind of a room stands once, without a code. */
export function kindOf<Own extends ErrorCode>(codes: Readonly<Record<Own, ErrorKind>>, code: Own): ErrorKind {
  const kinds: Readonly<Record<string, ErrorKind>> = codes;
  return kinds[code] ?? kinds[""] ?? "ours";
}

/** The class of a room's errors without its name: it takes the kind of each code from the declared codes. */
export function errorClass<Own extends ErrorCode>(codes: Readonly<Record<Own, ErrorKind>>) {
  return class<Code extends Own> extends CodedError<Code> {
    constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
      super(code, kindOf(codes, code), message, ...details);
    }
  };
}

/** Any coded error, as a union over the codes: a comparison of `code` narrows `data`. */
export type AnyCodedError = { [Code in ErrorCode]: CodedError<Code> }[ErrorCode];

/** Narrows a thrown value to a coded error, optionally of one code. A code that no room declares does not compile. */
export function isCoded(error: unknown): error is AnyCodedError;
export function isCoded<Code extends ErrorCode>(error: unknown, code: Code): error is CodedError<Code>;
export function isCoded(error: unknown, code?: ErrorCode): boolean {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** An error of `lib`. */
export class LibError<Code extends RoomCode<"lib"> = RoomCode<"lib">> extends errorClass(libErrorCodes)<Code> {}
