import { CodedError, type ErrorDetails, type ErrorKind } from "../lib/errors.ts";

/** Every way in which following the chain into tables, or asking them, can fail. */
export const historyErrorCodes = {
  /** The database cannot be reached, or ended the session. */
  "history/database": "remote",
  /** The database refused a statement that should have been right. */
  "history/sql": "ours",
  /** A statement took longer than it may. */
  "history/timeout": "remote",
  /** No room is left where the database keeps its files. */
  "history/full": "remote",
  /** Another process uses the folder of the built-in database. */
  "history/locked": "caller",
  /** A row is not what the tables say. */
  "history/row": "ours",
  /** The database was made by a newer program, or holds another network. */
  "history/foreign": "caller",
  /** A block, or a state made from one, is not what it should be by its hash. */
  "history/mismatch": "remote",
  /** What is asked for is not in the index. */
  "history/absent": "caller",
  /** The document of a token cannot be had, or is none. */
  "history/document": "remote",
  /** A question that the index cannot answer as it is put. */
  "history/question": "caller",
} as const satisfies Record<string, ErrorKind>;

export type HistoryErrorCode = keyof typeof historyErrorCodes;

export class HistoryError extends CodedError<HistoryErrorCode> {
  constructor(code: HistoryErrorCode, message: string, details?: ErrorDetails) {
    super(code, historyErrorCodes[code], message, details);
  }
}
