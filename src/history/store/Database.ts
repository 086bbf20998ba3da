import type { JsonValue } from "../../lib/json.ts";

/**
 * A value as every engine gives it: int2, int4 and float8 as number; int8 and numeric (whole ones are all we have) as
 * bigint; bytea as bytes; jsonb parsed without loss of digits; arrays as arrays of these.
 */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array | readonly SqlValue[] | JsonValue;

/** A row by the names of its columns. */
export type SqlRow = { readonly [column: string]: SqlValue };

/** A parameter: text is taken as text of whatever type the statement asks for, so `$1::bytea` and the like are fine. */
export type SqlParam = null | boolean | number | bigint | string | Uint8Array | readonly (string | null)[];

/** Values may decide which way is the best; where they never do, looking at each of them again is lost time. */
export type PlanMode = "made" | "kept";

export interface SqlOptions {
  /**
   * Ends the statement in the database when it is aborted, with the signal's reason. The built-in engine cannot be
   * interrupted: there the caller is free at once, and the statement ends by itself or by its timeout.
   */
  readonly signal?: AbortSignal;
  /** Ends the statement in the database after this time, with `history/timeout`. */
  readonly timeoutMs?: number;
  /** Whether the plan is made for these very values, or once and kept; counts within `read`, where the engine plans. */
  readonly plan?: PlanMode | undefined;
}

export interface ReadOptions extends SqlOptions {
  /**
   * Leaves bytes as the text they come in, `\\x` and hex, which columns read as well: hashes and addresses, which most
   * of them are, are hex in code too.
   */
  readonly bytesAsText?: boolean;
}

/** One session: statements one after another; those asked at once are answered in the order in which they were asked. */
export interface SqlSession {
  query(sql: string, params?: readonly SqlParam[], options?: SqlOptions): Promise<readonly SqlRow[]>;
  /** Several statements without parameters. */
  run(sql: string): Promise<void>;
  /** `copy … from stdin` in the text format; `text` is whole lines, already escaped. */
  copy(table: string, columns: readonly string[], text: string): Promise<void>;
}

/** The right to be the only writer. */
export interface WriterLock {
  /** Aborted when the session that held the lock ended. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * A PostgreSQL: one reached by URL, or the one built in. Reading has sessions of its own, so that a slow question does
 * not hold up the writing; the engine that has one session only gives way to the writer between two questions.
 */
export interface Database {
  readonly kind: "postgres" | "embedded";
  /** The schema its tables are in, when that is not the one the database itself says. */
  readonly schema?: string | undefined;
  /** A question outside of transactions. */
  query(sql: string, params?: readonly SqlParam[], options?: SqlOptions): Promise<readonly SqlRow[]>;
  /** Questions that see one state of the database (repeatable read, read only); options hold for each of them. */
  read<T>(work: (session: SqlSession) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** Changes that come to be together or not at all. */
  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** One statement of the writer outside of transactions, for the few that refuse to be in one. */
  runAlone(sql: string): Promise<void>;
  /** Waits until no other process writes this database and keeps it so until `release`. */
  lockWriter(signal?: AbortSignal): Promise<WriterLock>;
  close(): Promise<void>;
}
