import type { JsonValue } from "../../lib/json.ts";

/**
 * A value as every engine returns it: int2, int4 and float8 as number; int8 and numeric (all of ours are whole) as
 * bigint; bytea as bytes; jsonb parsed without loss of digits; arrays as arrays of these.
 */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array | readonly SqlValue[] | JsonValue;

/** A row by the names of its columns. */
export type SqlRow = { readonly [column: string]: SqlValue };

/** A parameter: text in the form of the type that the statement casts it to, such as `$1::bytea`. */
export type SqlParam = null | boolean | number | bigint | string | Uint8Array | readonly (string | null)[];

/** Whether the tables are on one machine, or distributed over the machines of a Citus cluster. */
export type TableLayout = "single" | "distributed";

/** Whether values may decide the best plan; where they never do, planning again is wasted time. */
export type PlanMode = "made" | "kept";

export interface SqlOptions {
  /**
   * Aborting ends the statement in the database, with the reason of the signal. The built-in engine cannot be
   * interrupted: the caller is free at once, and the statement ends by itself or by its timeout.
   */
  readonly signal?: AbortSignal;
  /** Who the work is for: callers share sessions, or the turns of the built-in engine, fairly. */
  readonly caller?: string | undefined;
  /** Ends the statement in the database after this time, with `history/timeout`. */
  readonly timeoutMs?: number;
  /**
   * Whether the statement is planned for these values, or once. PostgreSQL regards it within `read`; the built-in
   * engine elsewhere, where it also keeps what it parsed: it has memory for few statements.
   */
  readonly plan?: PlanMode | undefined;
  /**
   * Whether the statement cannot run in a transaction, which stands around every other one behind a pooler. There it
   * has none of our settings, so that it names the schema, and aborting does not end it.
   */
  readonly isAlone?: boolean;
}

export interface ReadOptions extends SqlOptions {
  /**
   * Leaves bytes as text, `\\x` and hex, which columns read too: most are hashes and addresses, which are hex in code.
   */
  readonly bytesAsText?: boolean;
}

/** One session: statements run one after another, in the order in which they are issued. */
export interface SqlSession {
  query(sql: string, params?: readonly SqlParam[], options?: SqlOptions): Promise<readonly SqlRow[]>;
  /** Several statements without parameters. */
  run(sql: string): Promise<void>;
  /**
   * Adds a statement whose result nobody needs. It is sent with the next one that is awaited and runs before it; when
   * it fails, that one fails. Absent where nothing is gained by it; see `runLater`.
   */
  later?(sql: string, params?: readonly SqlParam[], options?: Pick<SqlOptions, "plan">): void;
  /** `copy … from stdin` in the text format; `text` is whole lines, already escaped. */
  copy(table: string, columns: readonly string[], text: string): Promise<void>;
  /** The same in the binary format; `bytes` is all of it, from header to trailer, and may be reused afterwards. */
  copyBinary(table: string, columns: readonly string[], bytes: Uint8Array): Promise<void>;
}

/** Runs a statement whose result nobody needs, at the latest with the next one of the session. */
export async function runLater(
  session: SqlSession,
  sql: string,
  params?: readonly SqlParam[],
  options?: Pick<SqlOptions, "plan">,
): Promise<void> {
  if (session.later !== undefined) session.later(sql, params, options);
  else if (params === undefined) await session.run(sql);
  else await session.query(sql, params, options);
}

/** The right to be the only writer. */
export interface WriterLock {
  /** Aborted when the session that holds the lock ends. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * A PostgreSQL database: reached by URL, or built in. Readers have their own sessions, so that a slow statement does
 * not delay the writer; an engine with a single session lets the writer in between two statements.
 */
export interface Database {
  readonly kind: "postgres" | "embedded";
  /** Where its tables are; "single" when absent. */
  readonly layout?: TableLayout | undefined;
  /** Whether a replica answers what `read` asks. */
  readonly hasReplica?: boolean;
  /** Whether a pooler shares sessions between transactions. */
  readonly isPooled?: boolean;
  /** The schema of its tables, when it is not the default one. */
  readonly schema?: string | undefined;
  /** A statement outside of transactions. */
  query(sql: string, params?: readonly SqlParam[], options?: SqlOptions): Promise<readonly SqlRow[]>;
  /**
   * Statements that see one snapshot (repeatable read, read only); the options apply to each of them. The work may be
   * run again from its beginning, so it changes nothing.
   */
  read<T>(work: (session: SqlSession) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** Changes that are committed together or not at all. */
  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** One statement of the writer outside of transactions, for statements that cannot run inside one. */
  runAlone(sql: string): Promise<void>;
  /**
   * Waits until no other process writes this database and keeps it so until `release`. `onHeld` is called whenever
   * another process is found to write it.
   */
  lockWriter(signal?: AbortSignal, onHeld?: () => void): Promise<WriterLock>;
  /**
   * Listens to a channel of notifications; returns a function that stops, or `undefined` where none arrive. The
   * signal ends only the wait for a database that is not there yet.
   */
  listen?(
    channel: string,
    onNotify: (payload: string) => void,
    signal?: AbortSignal,
  ): Promise<(() => Promise<void>) | undefined>;
  /** Lets running statements finish. */
  close(): Promise<void>;
  /** Ends running statements with this reason; absent where none waits for a server. `close` is called as well. */
  destroy?(reason: Error): void;
}
