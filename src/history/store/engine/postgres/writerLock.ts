import { onAbort } from "../../../../lib/abort.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { throwIfAborted } from "../../../../lib/deadline.ts";
import { isProcessGone } from "../../../../lib/process/processName.ts";
import { HistoryError } from "../../../errors.ts";
import type { SqlRow, SqlSession } from "../../Database.ts";
import { hasState } from "../../databaseErrors.ts";

/** When a writer counts as lost. */
export interface WriterLockTimes {
  /** How often the holder of the lock reports that it lives. */
  readonly beatMs: number;
  /** After this long without a report, another process takes the lock. */
  readonly silentMs: number;
}

/** Another process writes within 15 s after a machine is lost. */
export const writerLockTimes: WriterLockTimes = { beatMs: 2_000, silentMs: 10_000 };

/** The lock that this process holds; every holder has its own epoch. */
export interface HeldLock {
  readonly epoch: string;
  readonly lost: AbortController;
}

type Session = Pick<SqlSession, "query" | "run">;

/** How often to check whether the lock is free: soon at first, because it may have been released just now. */
const lookEveryMs = { first: 200, later: 1_000 };
const firstLooks = 10;
const now = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
/** The transactions of a writer hold this lock, by which the next writer finds those that hang. */
const lockKey = "hashtext('writer ' || current_schema()), 0";

/** The part of a database that the lock needs. */
export interface LockParts {
  /** Runs a transaction, on a session that no running commit uses. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  readonly clock: Clock;
  readonly times: WriterLockTimes;
  readonly schema: string | undefined;
}

/**
 * Waits until no other process has the lock, or the one that has it is gone or silent, and takes it. The lock is a row
 * with an epoch: it needs no session, so that poolers can be used, and it survives a restart of the database.
 */
export async function waitLock(
  { use, clock, times, schema }: LockParts,
  holder: string,
  signal: AbortSignal | undefined,
  onHeld: () => void = () => {},
): Promise<HeldLock> {
  await use((session) => makeTable(session, schema)).catch((error: unknown) => {
    // Two processes may create it at the same time; one fails.
    if (!hasState(error, /^(?:23505|42P0[67])$/)) throw error;
  });
  for (let looks = 1; ; looks++) {
    throwIfAborted(signal);
    const epoch = await use((session) => tryLock(session, holder, times));
    if (epoch !== undefined) return { epoch, lost: new AbortController() };
    onHeld();
    await clock.sleep(looks < firstLooks ? lookEveryMs.first : lookEveryMs.later, signal);
  }
}

async function tryLock(session: Session, holder: string, { silentMs }: WriterLockTimes): Promise<string | undefined> {
  const [row] = await session.query(`select holder, epoch, ${now} - beat_at as silent_ms from index_writer`);
  if (row !== undefined && row.holder !== null) {
    if (Number(row.silent_ms) <= silentMs && !isProcessGone(String(row.holder))) return undefined;
    await session.query(endTransactions);
  }
  const [taken] = await session.query(
    `insert into index_writer as w (id, holder, epoch, beat_at) values (1, $1, 1, ${now})
     on conflict (id) do update set holder = excluded.holder, epoch = w.epoch + 1, beat_at = excluded.beat_at
       where w.epoch = $2::bigint and w.holder is not distinct from $3
     returning epoch`,
    [holder, String(row?.epoch ?? 0), heldBy(row)],
  );
  return taken === undefined ? undefined : String(taken.epoch);
}

function heldBy(row: SqlRow | undefined): string | null {
  return row === undefined || row.holder === null ? null : String(row.holder);
}

/**
 * Created by the first writer, because tables are created under the lock. The epoch is part of a key, so that a change
 * of it waits for transactions.
 */
async function makeTable(session: Session, schema: string | undefined): Promise<void> {
  const [table] = await session.query("select to_regclass('index_writer') is not null as is_there");
  if (table?.is_there === true) return;
  if (schema !== undefined) await makeSchema(session, schema);
  const sql =
    "create table if not exists index_writer " +
    "(id int primary key, holder text, epoch bigint not null, beat_at bigint not null, unique (id, epoch))";
  await session.run(sql);
}

/** A user without the right to create schemas may be given one: it is created only if it is absent. */
async function makeSchema(session: Session, schema: string): Promise<void> {
  const rows = await session.query("select from pg_namespace where nspname = $1", [schema]);
  if (rows.length === 0) await session.run(`create schema if not exists "${schema}"`);
}

/** Transactions that the holder never finished would keep their rows locked. */
const endTransactions = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and pid <> pg_backend_pid() and objsubid = 2 and objid = 0
    and database = (select oid from pg_database where datname = current_database())
    and classid = (hashtext('writer ' || current_schema())::bigint & 4294967295)::oid`;

/**
 * The first statement of every transaction under the lock: refuses one of a former holder, and lets the next holder
 * wait for the end of this one, or end it when its process hangs.
 */
export async function checkLock(
  session: Pick<SqlSession, "query">,
  { epoch, lost }: HeldLock,
  { silentMs }: WriterLockTimes,
): Promise<void> {
  const rows = await session.query(
    `select pg_advisory_xact_lock_shared(${lockKey}), set_config('idle_in_transaction_session_timeout', $2, true)
     from index_writer where id = 1 and epoch = $1::bigint for key share`,
    [epoch, String(silentMs)],
  );
  if (rows.length > 0) return;
  lost.abort(lockLost());
  throw lockLost();
}

function lockLost(): HistoryError {
  return new HistoryError("history/lease", "another process took over writing this index");
}

/** Reports now and then that the holder lives, until the lock is released. */
export function keepBeating(
  { use, clock, times }: Omit<LockParts, "schema">,
  { epoch, lost }: HeldLock,
): () => Promise<void> {
  const stop = new AbortController();
  const stopListening = onAbort(lost.signal, () => stop.abort());
  const sql = `update index_writer set beat_at = ${now} where id = 1 and epoch = $1::bigint returning 1 as one`;
  const beat = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(times.beatMs, stop.signal).catch(() => {});
      if (stop.signal.aborted) return;
      // The database may be unreachable for a while; the next report shows whether another process has the lock.
      const rows = await use((session) => session.query(sql, [epoch])).catch(() => undefined);
      if (rows?.length === 0) lost.abort(lockLost());
    }
  };
  const beating = beat();
  return async () => {
    stopListening();
    stop.abort();
    await beating;
  };
}

/** Releases the lock; if that fails, the next writer takes it after a while without reports. */
export async function releaseLock(session: Session, { epoch }: HeldLock): Promise<void> {
  await session.query("update index_writer set holder = null where id = 1 and epoch = $1::bigint", [epoch]);
}
