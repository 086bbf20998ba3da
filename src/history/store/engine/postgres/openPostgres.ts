import { type Clock, systemClock } from "../../../../lib/clock.ts";
import type { Log } from "../../../../lib/log.ts";
import { processName } from "../../../../lib/process/processName.ts";
import { HistoryError } from "../../../errors.ts";
import type {
  Database,
  ReadOptions,
  SqlOptions,
  SqlParam,
  SqlRow,
  SqlSession,
  TableLayout,
  WriterLock,
} from "../../Database.ts";
import { closeGate, probe } from "../../schema/gateTable.ts";
import { findLayout } from "./findLayout.ts";
import { PostgresSession, readOnlyByDefault } from "./PostgresSession.ts";
import { SessionPool } from "./SessionPool.ts";
import { SnapshotGate } from "./SnapshotGate.ts";
import { isSchemaName } from "./schemaName.ts";
import {
  checkLock,
  type HeldLock,
  keepBeating,
  releaseLock,
  type WriterLockTimes,
  waitLock,
  writerLockTimes,
} from "./writerLock.ts";

export interface PostgresOptions {
  /** Number of concurrent readers (8). */
  readonly readers?: number;
  /** Number of concurrent transactions of the writer (1). */
  readonly writers?: number;
  /** Time limit for a connection (10 s). */
  readonly connectMs?: number;
  /** The schema of the tables; the default one when absent. */
  readonly schema?: string | undefined;
  /** When a writer counts as lost. */
  readonly lockTimes?: WriterLockTimes;
}

export interface PostgresModules {
  readonly log: Log;
  readonly clock?: Clock;
}

const usualConnectMs = 10_000;

/** The server ends the session of a machine that is lost after 14 seconds, not after two hours. */
const keepalive = ["set tcp_keepalives_idle = 5", "set tcp_keepalives_interval = 3", "set tcp_keepalives_count = 3"];
const common = ["set application_name = 'tongate'", "set client_min_messages = warning", ...keepalive];

/**
 * The values of a statement decide which index serves it, so plans are made for them. Statements read few rows:
 * starting parallel workers takes longer than running them.
 */
const readerSettings = [
  ...common,
  readOnlyByDefault,
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
const writerSettings = [
  ...common,
  "set synchronous_commit = off",
  "set temp_buffers = '64MB'",
  "set jit = off",
  endedWhenIdle(60_000),
];

/** Lets the database end transactions of a process that hangs: others would wait for their rows for ever. */
function endedWhenIdle(idleMs: number): string {
  return `set idle_in_transaction_session_timeout = ${idleMs}`;
}

/**
 * On a cluster a session uses one connection to each machine, so that it has one snapshot there and finds its own
 * changes, and changes the rows of one machine after another.
 */
const clusterSettings = [
  "set citus.max_adaptive_executor_pool_size = 1",
  "set citus.multi_shard_modify_mode = 'sequential'",
  // The coordinator keeps its plans for statements of one machine by itself.
  "set plan_cache_mode = auto",
];

/** Opens a PostgreSQL by its URL; throws `history/database` when it cannot be reached. */
export async function openPostgres(
  url: string,
  modules: PostgresModules,
  options: PostgresOptions = {},
): Promise<Database> {
  const { schema } = options;
  checkUrl(url);
  if (schema !== undefined) checkSchema(schema);
  const database = new PostgresDatabase(url, await inspect(url, options), modules, options);
  try {
    await database.query("select 1");
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What a server says of itself before it is used. */
interface Inspected {
  readonly layout: TableLayout;
  readonly isPooled: boolean;
}

async function inspect(url: string, { connectMs = usualConnectMs }: PostgresOptions): Promise<Inspected> {
  const session = new PostgresSession({
    url,
    connectMs,
    settings: [],
    isPooled: true,
    cancel: () => Promise.resolve(),
  });
  try {
    return { isPooled: await session.findPooler(), layout: await findLayout(session) };
  } finally {
    await session.close();
  }
}

class PostgresDatabase implements Database {
  readonly kind = "postgres";
  readonly layout: TableLayout;
  readonly isPooled: boolean;
  readonly schema: string | undefined;
  /** The writer's lock, while this process holds it. */
  #held: HeldLock | undefined;
  #locks = 0;
  readonly #readers: SessionPool;
  readonly #writers: SessionPool;
  /** Cancels statements of other sessions. */
  readonly #control: SessionPool;
  readonly #listeners = new Set<PostgresSession>();
  /** Keeps new snapshots and commits of a cluster apart. */
  readonly #gate: SnapshotGate | undefined;
  readonly #gateSession: PostgresSession | undefined;
  #isClosing = false;
  readonly #clock: Clock;
  readonly #lockTimes: WriterLockTimes;
  readonly #open: (settings: readonly string[], onLost?: () => void) => PostgresSession;

  constructor(
    url: string,
    { layout, isPooled }: Inspected,
    { log, clock = systemClock }: PostgresModules,
    { readers = 8, writers = 1, connectMs = usualConnectMs, schema, lockTimes = writerLockTimes }: PostgresOptions,
  ) {
    this.schema = schema;
    this.layout = layout;
    this.isPooled = isPooled;
    const place = schema === undefined ? [] : [`set search_path = "${schema}"`];
    const more = [...place, ...(layout === "distributed" ? clusterSettings : [])];
    this.#clock = clock;
    this.#lockTimes = lockTimes;
    const cancel = (pid: number) => this.#cancel(pid);
    const warn = () => this.#isClosing || log.warn("a connection to the database ended");
    // A cluster may answer less than it should, and says so nowhere else.
    const onNotice = ({ severity, message: warning, detail, hint }: Readonly<Record<string, string | undefined>>) =>
      severity === "WARNING" && log.warn("the database warns", { warning, detail, hint });
    this.#open = (settings, onLost = warn) =>
      new PostgresSession({
        ...{ url, connectMs, isPooled, cancel, onLost, onNotice },
        settings: [...settings, ...more],
        keepsPlans: layout === "single",
      });
    this.#readers = new SessionPool(Array.from({ length: readers }, () => this.#open(readerSettings)));
    this.#writers = new SessionPool(Array.from({ length: writers }, () => this.#open(writerSettings)));
    this.#control = new SessionPool([this.#open([...common, endedWhenIdle(lockTimes.silentMs)])]);
    this.#gateSession = layout === "distributed" ? this.#open(common) : undefined;
    this.#gate = this.#gateSession && new SnapshotGate(this.#gateSession);
  }

  query(sql: string, params?: readonly SqlParam[], options: SqlOptions = {}): Promise<readonly SqlRow[]> {
    const runBare = async (session: PostgresSession): Promise<readonly SqlRow[]> => {
      await session.run(sql);
      return [];
    };
    const isBare = this.isPooled && options.isAlone === true;
    return this.#readers.use((session) => (isBare ? runBare(session) : session.query(sql, params, options)), options);
  }

  read<T>(work: (session: SqlSession) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    const begin = "begin isolation level repeatable read read only";
    const gate = this.#gate;
    const gated = async (session: SqlSession): Promise<T> => {
      await gate?.pass(() => session.query(probe));
      return work(session);
    };
    return this.#readers.use((session) => session.transactReading(begin, gate ? gated : work, options), options);
  }

  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const end = this.layout === "distributed" ? `${closeGate}; commit` : "commit";
    const locked = async (session: SqlSession): Promise<T> => {
      const held = this.#held;
      if (held !== undefined) await checkLock(session, held, this.#lockTimes);
      return work(session);
    };
    return this.#writers.use((session) => session.transact("begin", locked, { end }));
  }

  /** Behind a pooler only a transaction has our settings. */
  runAlone(sql: string): Promise<void> {
    if (this.isPooled) return this.#writers.use((session) => session.transact("begin", (own) => own.run(sql)));
    return this.#writers.use((session) => session.run(sql));
  }

  async lockWriter(signal?: AbortSignal, onHeld?: () => void): Promise<WriterLock> {
    const parts = {
      use: <T>(work: (session: SqlSession) => Promise<T>) =>
        this.#control.use((session) => session.transact("begin", work)),
      clock: this.#clock,
      times: this.#lockTimes,
      schema: this.schema,
    };
    const held = await waitLock(parts, `${processName()} ${++this.#locks}`, signal, onHeld);
    this.#held = held;
    const stopBeating = keepBeating(parts, held);
    const release = async () => {
      await stopBeating();
      if (this.#held === held) this.#held = undefined;
      await parts.use((session) => releaseLock(session, held)).catch(() => {});
    };
    return { lost: held.lost.signal, release };
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<(() => Promise<void>) | undefined> {
    // The connection that listens may be another one at once.
    if (this.isPooled) return undefined;
    const session = this.#open(common, () => {});
    this.#listeners.add(session);
    await session.listen(this.channelOf(channel), onNotify);
    return async () => {
      this.#listeners.delete(session);
      await session.close();
    };
  }

  /** Channels belong to the database, and each schema has its own. */
  channelOf(channel: string): string {
    return this.schema === undefined ? channel : `${channel}_${this.schema}`;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#listeners].map((session) => session.close()));
    await Promise.all([this.#readers.close(), this.#writers.close(), this.#gateSession?.close()]);
    await this.#control.close();
  }

  destroy(reason: Error): void {
    this.#isClosing = true;
    for (const session of this.#listeners) session.destroy(reason);
    for (const pool of [this.#readers, this.#writers, this.#control]) pool.destroy(reason);
    this.#gateSession?.destroy(reason);
  }

  async #cancel(pid: number): Promise<void> {
    await this.#control.use((session) => session.query("select pg_cancel_backend($1::int)", [pid]));
  }
}

function checkSchema(schema: string): void {
  if (!isSchemaName(schema)) throw new HistoryError("history/database", `a schema cannot be called "${schema}"`);
}

function checkUrl(url: string): void {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new HistoryError(
      "history/database",
      "the address of a database has the form postgres://user:password@host:port/name",
    );
  }
}
