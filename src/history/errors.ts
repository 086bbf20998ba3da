import { CodedError, type DetailArgs, type ErrorKind, withData } from "../lib/errors.ts";

/** Every way in which following the chain into tables, or asking them, can fail. */
export const historyErrorCodes = {
  /** The database cannot be reached, or ended the session. */
  "history/database": withData<{ state?: string }>("remote"),
  /** The database refused a statement that should have been right. */
  "history/sql": withData<{ state?: string }>("ours"),
  /** A statement took longer than it may. */
  "history/timeout": withData<{ state?: string }>("remote"),
  /** No room is left where the database keeps its files. */
  "history/full": withData<{ state?: string }>("remote"),
  /** Another process uses the folder of the built-in database. */
  "history/locked": withData<{ pid?: number }>("caller"),
  /** A row is not what the tables say. */
  "history/row": "ours",
  /** The database was made by a newer program, or holds another network. */
  "history/foreign": withData<object>("caller"),
  /** A block, or a state made from one, is not what it should be by its hash. */
  "history/mismatch": "remote",
  /** What is asked for is not in the index. */
  "history/absent": "caller",
  /** The document of a token cannot be had, or is none. */
  "history/document": withData<{ isFinal?: boolean }>("remote"),
  /** A question that the index cannot answer as it is put. */
  "history/question": withData<{ cursor?: string }>("caller"),
} as const satisfies Record<string, ErrorKind>;

export type HistoryErrorCode = keyof typeof historyErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly history: typeof historyErrorCodes;
  }
}

export class HistoryError<Code extends HistoryErrorCode = HistoryErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, historyErrorCodes[code], message, ...details);
  }
}
