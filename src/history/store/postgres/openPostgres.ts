import { crc32 } from "../../../lib/crc.ts";
import type { Log } from "../../../lib/log.ts";
import { HistoryError } from "../../errors.ts";
import type { Database, ReadOptions, SqlOptions, SqlParam, SqlRow, SqlSession, WriterLock } from "../Database.ts";
import { PostgresSession } from "./PostgresSession.ts";
import { SessionPool } from "./SessionPool.ts";
import { isSchemaName } from "./schemaName.ts";

export interface PostgresOptions {
  /** Number of concurrent readers (8). */
  readonly readers?: number;
  /** Time limit for a connection (10 s). */
  readonly connectMs?: number;
  /** The schema of the tables; the default one when absent. */
  readonly schema?: string | undefined;
}

export interface PostgresModules {
  readonly log: Log;
}

/** One writer of a schema at a time holds this lock. */
const writerLock = 7_086_421;

const common = ["set application_name = 'tongate'", "set client_min_messages = warning"];

/**
 * The values of a statement decide which index serves it, so plans are made for them. Statements read few rows:
 * starting parallel workers takes longer than running them.
 */
const readerSettings = [
  ...common,
  "set default_transaction_read_only = on",
  "set plan_cache_mode = force_custom_plan",
  "set max_parallel_workers_per_gather = 0",
  "set jit = off",
  // Most data is in memory, where many index lookups are faster than a sequential scan.
  "set random_page_cost = 1.1",
];

/**
 * A commit that is lost with the machine is indexed again, because its checkpoint is lost with it: there is no need to
 * wait for the disk. The data is always consistent.
 */
const writerSettings = [...common, "set synchronous_commit = off", "set temp_buffers = '64MB'", "set jit = off"];

/** Opens a PostgreSQL by its URL; throws `history/database` when it cannot be reached. */
export async function openPostgres(
  url: string,
  modules: PostgresModules,
  options: PostgresOptions = {},
): Promise<Database> {
  const { schema } = options;
  const at = checkUrl(url);
  const database = new PostgresDatabase(schema === undefined ? at : inSchema(at, schema), modules, options);
  try {
    await database.query("select 1");
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

class PostgresDatabase implements Database {
  readonly kind = "postgres";
  readonly schema: string | undefined;
  readonly #readers: SessionPool;
  readonly #writers: SessionPool;
  /** Cancels statements of other sessions. */
  readonly #control: SessionPool;
  readonly #locks = new Set<PostgresSession>();
  #isClosing = false;
  readonly #open: (settings: readonly string[], onLost?: () => void) => PostgresSession;

  constructor(url: string, { log }: PostgresModules, { readers = 8, connectMs = 10_000, schema }: PostgresOptions) {
    this.schema = schema;
    const cancel = (pid: number) => this.#cancel(pid);
    const warn = () => this.#isClosing || log.warn("a connection to the database ended");
    this.#open = (settings, onLost = warn) => new PostgresSession({ url, connectMs, settings, cancel, onLost });
    this.#readers = new SessionPool(Array.from({ length: readers }, () => this.#open(readerSettings)));
    this.#writers = new SessionPool([this.#open(writerSettings)]);
    this.#control = new SessionPool([this.#open(common)]);
  }

  query(sql: string, params?: readonly SqlParam[], options: SqlOptions = {}): Promise<readonly SqlRow[]> {
    return this.#readers.use((session) => session.query(sql, params, options), options);
  }

  read<T>(work: (session: SqlSession) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    const begin = "begin isolation level repeatable read read only";
    return this.#readers.use((session) => session.transactReading(begin, work, options), options);
  }

  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#writers.use((session) => session.transact("begin", work));
  }

  runAlone(sql: string): Promise<void> {
    return this.#writers.use((session) => session.run(sql));
  }

  async lockWriter(signal?: AbortSignal): Promise<WriterLock> {
    const lost = new AbortController();
    const session = this.#open(common, () => {
      if (!this.#locks.has(session)) return;
      lost.abort(new HistoryError("history/database", "the session that held the writer's lock ended"));
    });
    this.#locks.add(session);
    const release = async () => {
      this.#locks.delete(session);
      await session.close();
    };
    try {
      await waitLock(session, lockKey(this.schema), signal);
      return { lost: lost.signal, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#locks].map((session) => session.close()));
    await Promise.all([this.#readers.close(), this.#writers.close()]);
    await this.#control.close();
  }

  async #cancel(pid: number): Promise<void> {
    await this.#control.use((session) => session.query("select pg_cancel_backend($1::int)", [pid]));
  }
}

/**
 * Polls instead of waiting in the database: a waiting session looks like a reader, and `create index concurrently` of
 * the lock holder waits for all readers.
 */
async function waitLock(session: PostgresSession, key: string, signal: AbortSignal | undefined): Promise<void> {
  const options = signal && { signal };
  for (;;) {
    const [row] = await session.query(`select pg_try_advisory_lock(${key}) as is_ours`, [], options);
    if (row?.is_ours === true) return;
    await session.query("select pg_sleep(0.2)", [], options);
  }
}

/** Locks with one and with two numbers never collide; writers of two schemas with the same hash would take turns. */
function lockKey(schema: string | undefined): string {
  return schema === undefined ? String(writerLock) : `${writerLock}, ${crc32(Buffer.from(schema)) | 0}`;
}

/** Part of the startup message, so that no connection ever uses another schema. */
function inSchema(url: string, schema: string): string {
  if (!isSchemaName(schema)) throw new HistoryError("history/database", `a schema cannot be called "${schema}"`);
  const at = new URL(url);
  at.searchParams.set("search_path", `"${schema}"`);
  return at.href;
}

function checkUrl(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new HistoryError(
      "history/database",
      "the address of a database reads postgres://user:password@host:port/name",
    );
  return url;
}
