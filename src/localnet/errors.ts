import { CodedError, type DetailArgs, type ErrorKind, withData } from "../lib/errors.ts";

/** What can go wrong in a chain of our own. */
export const localnetErrorCodes = {
  /** A recorded chain that cannot be read or does not fit together. */
  "localnet/import": "caller",
  /** A block that does not follow from what is there. */
  "localnet/block": "ours",
  /** Something that the ledger does not have. */
  "localnet/missing": "caller",
  /** A query that is answered with an error; the number a node gives it is in the data. */
  "localnet/refusal": withData<{ serverCode: number }>("caller"),
  /** A wallet that cannot do what it is told. */
  "localnet/wallet": "caller",
  /** More coins than are given at once, or none. */
  "localnet/amount": "caller",
  /** A data folder that cannot be used, or holds another chain than the one asked for. */
  "localnet/data": "caller",
  /** Another process uses the data folder. */
  "localnet/locked": withData<{ pid?: number }>("caller"),
  /** A way through time that nobody can go. */
  "localnet/time": "caller",
  /** The chain was closed or destroyed on purpose. */
  "localnet/closed": "ours",
} as const satisfies Record<string, ErrorKind>;

export type LocalnetErrorCode = keyof typeof localnetErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly localnet: typeof localnetErrorCodes;
  }
}

export class LocalnetError<Code extends LocalnetErrorCode = LocalnetErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, localnetErrorCodes[code], message, ...details);
  }
}
