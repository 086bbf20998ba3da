import { errorClass, errorCodes, type RoomCode, withData } from "../lib/errors.ts";

/** All failures of indexing and of queries. */
export const historyErrorCodes = errorCodes({
  /** The database cannot be reached, or ended the session. */
  "history/database": withData<{ state?: string }>("remote"),
  /** The database is being opened. It is not a failure, so requests that meet it are not logged. */
  "history/opening": "caller",
  /** The database cannot be opened yet. Its opener logs the reason once, so requests that meet it are not logged. */
  "history/away": "caller",
  /** The database refused a statement that should be valid. */
  "history/sql": withData<{ state?: string }>("ours"),
  /** A statement exceeded its time limit. */
  "history/timeout": withData<{ state?: string }>("remote"),
  /** This member or version of a Citus cluster cannot be used. */
  "history/cluster": "caller",
  /** The index has not reached a block that the caller has seen. */
  "history/behind": withData<{ seen?: number }>("remote"),
  /** The disk of the database is full. */
  "history/full": withData<{ state?: string }>("remote"),
  /** Files or pages of the database are damaged. */
  "history/damaged": withData<{ state?: string }>("remote"),
  /** Tables of the index are missing or have other columns: somebody changed them. */
  "history/tables": withData<{ state?: string }>("remote"),
  /** The database accepts no writes now, or its files cannot be written. */
  "history/read-only": withData<{ state?: string }>("remote"),
  /** The role, or the user of this process, lacks a right. */
  "history/denied": withData<{ state?: string }>("remote"),
  /** Another process uses the folder of the built-in database. */
  "history/locked": withData<{ pid?: number }>("caller"),
  /** A row does not match its table. */
  "history/row": "ours",
  /** The database was made by a newer program, or belongs to another network. */
  "history/foreign": withData<object>("caller"),
  /** A block, or a state derived from one, does not match its hash. */
  "history/mismatch": "remote",
  /** Another process took over the range of blocks that this one was indexing. */
  "history/lease": "remote",
  /** Old history was removed while rows were made that continue it; they are made again. */
  "history/removed": "remote",
  /** The requested item is not indexed. */
  "history/absent": "caller",
  /** The document of a token is unavailable or invalid. */
  "history/document": withData<{ isFinal?: boolean }>("remote"),
  /** The files of an exported index are missing or wrong, or cannot be imported into this database. */
  "history/snapshot": "caller",
  /** No index serves all filters of a request together, and too many rows would have to be searched. */
  "history/unsearched": "caller",
  /** The transactions of an answer have too many messages. */
  "history/answer-size": withData<{ maxMessages: number }>("caller"),
  /** A scope file is wrong, or an index was made with another scope. */
  "history/scope": "caller",
  /** The request is about something that the scope of the index leaves out, or may leave out. */
  "history/outside-scope": "caller",
  /** A request that the index cannot answer. */
  "history/request": withData<{ cursor?: string }>("caller"),
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly history: typeof historyErrorCodes;
  }
}

export class HistoryError<Code extends RoomCode<"history"> = RoomCode<"history">> extends errorClass(
  historyErrorCodes,
)<Code> {}

const addresses = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi,
  /\[[0-9a-f:.]+\](?::\d+)?/gi,
  /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?::\d+)?(?![\w:])/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b[a-z0-9](?:[\w-]*[a-z0-9])?(?:\.[a-z0-9](?:[\w-]*[a-z0-9])?)*:\d{1,5}\b/gi,
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOENT|EACCES)\s)\S+/g,
] as const;

/** A text for strangers: addresses of other systems, by name or number, and paths of sockets are left out. */
export function withoutAddresses(text: string): string {
  return addresses.reduce((rest, pattern) => rest.replaceAll(pattern, "…"), text);
}
