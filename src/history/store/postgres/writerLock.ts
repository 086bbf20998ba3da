import type { Clock } from "../../../lib/clock.ts";
import { crc32 } from "../../../lib/crc.ts";
import type { PostgresSession } from "./PostgresSession.ts";

type Session = Pick<PostgresSession, "query">;

/** When a writer counts as lost. */
export interface WriterLockTimes {
  /** How often the holder of the lock runs a statement on its session. */
  readonly beatMs: number;
  /** After this long without a statement the holder is taken for dead or hung, and its sessions are ended. */
  readonly silentMs: number;
}

/** A machine that is lost is noticed within 15 s, together with the time that the next writer takes to begin. */
export const writerLockTimes: WriterLockTimes = { beatMs: 2_000, silentMs: 10_000 };

/** One writer of a schema at a time holds this lock. */
const writerLock = 7_086_421;

/** Locks with one and with two numbers never collide; writers of two schemas with the same hash would take turns. */
function lockNumbers(schema: string | undefined): readonly number[] {
  return schema === undefined ? [writerLock] : [writerLock, crc32(Buffer.from(schema)) | 0];
}

/** A lock that is held. */
export interface HeldLock {
  /** The name of all sessions of the writer that holds the lock. */
  readonly name: string;
  letGo(): Promise<void>;
}

/**
 * Waits for the lock and holds it in a transaction that stays open, because behind a pooler only a transaction keeps its
 * session. It has no snapshot between its statements, so it hinders nobody.
 */
export async function holdLock(
  session: Pick<PostgresSession, "transact">,
  schema: string | undefined,
  times: WriterLockTimes,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<HeldLock> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return new Promise<HeldLock>((resolve, reject) => {
    const holding = session.transact("begin", async (own) => {
      const name = await nameWriter(own);
      await waitLock(own, schema, times, signal);
      // From here on others must see that this process lives: a commit under way may hold the session of the writer for long.
      const stopBeating = keepBeating(own, times, clock);
      const letGo = () => {
        end();
        // A session that is lost holds no lock.
        return holding.catch(() => {});
      };
      resolve({ name, letGo });
      await ended;
      stopBeating();
    });
    holding.catch(reject);
  });
}

async function nameWriter(session: Session & Pick<PostgresSession, "run">): Promise<string> {
  const [row] = await session.query("select pg_backend_pid() as pid");
  const name = `tongate writer ${row?.pid}`;
  await session.run(`set local application_name = '${name}'; set local idle_in_transaction_session_timeout = 0`);
  return name;
}

/**
 * Polls instead of waiting in the database: a waiting session looks like a reader, and `create index concurrently` of
 * the lock holder waits for all readers.
 */
async function waitLock(
  session: Session,
  schema: string | undefined,
  { silentMs }: WriterLockTimes,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = signal && { signal };
  const key = lockNumbers(schema).join(", ");
  for (;;) {
    const [row] = await session.query(`select pg_try_advisory_xact_lock(${key}) as is_ours`, [], options);
    if (row?.is_ours === true) return;
    await endSilentHolder(session, schema, silentMs);
    await session.query("select pg_sleep(0.2)", [], options);
  }
}

/**
 * Ends the sessions of a holder that has been silent for too long. A holder that was only stopped finds its lock lost
 * when it continues, and cannot commit: its other sessions are ended as well.
 */
async function endSilentHolder(session: Session, schema: string | undefined, silentMs: number): Promise<void> {
  const [first = 0, second] = lockNumbers(schema);
  // An advisory lock of one number is stored as a 64-bit number in two halves.
  // A transaction otherwise keeps what it saw of other sessions first.
  await session.query("select pg_stat_clear_snapshot()");
  const [classId, objectId, kind] = second === undefined ? [0, first, 1] : [first, second >>> 0, 2];
  await session.query(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.application_name in (
       select 'tongate writer ' || h.pid from pg_locks l join pg_stat_activity h on h.pid = l.pid
       where l.locktype = 'advisory' and l.granted
         and l.database = (select oid from pg_database where datname = current_database())
         and l.classid = $1::oid and l.objid = $2::oid and l.objsubid = $3::smallint
         and clock_timestamp() - h.state_change > $4::bigint * interval '1 millisecond'
     )`,
    [String(classId), String(objectId), String(kind), String(silentMs)],
  );
}

/** Runs a statement on the session of the lock now and then, by which others see that its process lives. */
function keepBeating(session: Session, { beatMs }: WriterLockTimes, clock: Clock): () => void {
  const stop = new AbortController();
  const beat = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(beatMs, stop.signal).catch(() => {});
      // A failure is a lost session, which is reported by the session itself.
      if (!stop.signal.aborted) await session.query("select 1").catch(() => {});
    }
  };
  void beat();
  return () => stop.abort();
}
