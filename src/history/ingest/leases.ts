import { isProcessGone } from "../../lib/process/processName.ts";
import { HistoryError } from "../errors.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { listSegments, type Segment } from "../store/schema/checkpoint.ts";
import { findFact, setFact } from "../store/schema/indexFacts.ts";
import { ingestLeases } from "../store/schema/serviceTables.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { type FreeRange, nextRange } from "./nextRange.ts";
import type { Rates } from "./progress.ts";

export type LeaseRow = Row<typeof ingestLeases>;

/** The right to index a range until somebody else takes it over. */
export interface Lease {
  readonly segment: Segment;
  readonly lastSeqno: number;
  /** The first block of the index. */
  readonly first: number;
  readonly epoch: bigint;
}

export interface LeaseTimes {
  /** How often a holder reports that it is alive. */
  readonly beatMs: number;
  /** After this long without a report the range is given to another holder. */
  readonly silentMs: number;
}

/** A holder that died or hangs is noticed within 15 s, together with the time until the next one looks for work. */
export const leaseTimes: LeaseTimes = { beatMs: 2_000, silentMs: 10_000 };

export interface TakeOptions {
  readonly holder: string;
  /** Blocks of one range. */
  readonly rangeBlocks: number;
  readonly silentMs: number;
}

/** The fact that names the first wanted block of the index. */
const firstFact = "first_wanted";
/**
 * Whoever gives ranges out or joins segments holds this lock until the end of its transaction; ranges have positive
 * numbers.
 */
const planLock = -1;
/** The locks of a schema; the second number is that of a range, or `planLock`. */
const lockClass = "hashtext('ingest ' || current_schema())";
const databaseNow = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** Serialises everything that decides who indexes what. */
export async function lockPlan(session: SqlSession): Promise<void> {
  await endWhenHung(session);
  await session.query(`select pg_advisory_xact_lock(${lockClass}, ${planLock})`);
}

/** Lets the database end this transaction when its process hangs between two statements. */
async function endWhenHung(session: SqlSession): Promise<void> {
  await session.query("select set_config('idle_in_transaction_session_timeout', $1, true)", [
    String(leaseTimes.silentMs),
  ]);
}

export async function listLeases(session: Pick<SqlSession, "query">): Promise<readonly LeaseRow[]> {
  const rows = await session.query(
    `select ${selectList(ingestLeases, "t")} from ingest_leases t order by t.first_seqno`,
  );
  return rows.map((row) => readRow(ingestLeases, row));
}

/** Announces where the chain is followed and which block is the first wanted one; all before it may be backfilled. */
export function announceFollow(
  database: Database,
  { firstSeqno, first, holder }: { readonly firstSeqno: number; readonly first: number; readonly holder: string },
): Promise<void> {
  return database.write(async (session) => {
    await lockPlan(session);
    await setFact(session, firstFact, String(first));
    await session.query("delete from ingest_leases where kind = 'follow'");
    // A range of a former plan may begin at the same block; its holder finds it lost.
    await session.query("delete from ingest_leases where first_seqno = $1", [firstSeqno]);
    await session.query(
      `insert into ingest_leases (first_seqno, last_seqno, kind, holder, epoch, taken_at, beat_at,
         blocks_per_second, transactions_per_second)
       values ($1, null, 'follow', $2, 0, ${databaseNow}, ${databaseNow}, 0, 0)`,
      [firstSeqno, holder],
    );
  });
}

/** Nothing is missing any more: nobody has a range. */
export async function endLeases(database: Database): Promise<void> {
  if ((await listLeases(database)).length === 0 && (await findFirstSeqno(database)) === undefined) return;
  await database.write(async (session) => {
    await lockPlan(session);
    await session.query("delete from ingest_leases");
    await session.query("delete from index_facts where name = $1", [firstFact]);
  });
}

/** The first block that the index is to hold, once a process follows the chain. */
export async function findFirstSeqno(database: Pick<SqlSession, "query">): Promise<number | undefined> {
  const fact = await findFact(database, firstFact);
  return fact === undefined ? undefined : Number(fact);
}

/**
 * Takes the next range: one whose holder is silent, or the newest that nobody indexes. `undefined` when there is
 * nothing to do. A commit that a silent holder never finished is ended first, because it would keep its rows locked.
 */
export async function takeRange(database: Database, options: TakeOptions): Promise<Lease | undefined> {
  // Most of the time there is nothing to do, which needs no lock.
  if ((await findWork(database, options)) === undefined) return undefined;
  return database.write(async (session) => {
    await lockPlan(session);
    const work = await findWork(session, options);
    if (work === undefined) return undefined;
    const { first, segments } = work;
    if (work.kind === "left")
      return { ...(await takeOver(session, database, work.lease, options.holder, segments)), first };
    return { ...(await begin(session, work.range, options.holder)), first };
  });
}

type FoundWork = { readonly first: number; readonly segments: readonly Segment[] } & (
  | { readonly kind: "left"; readonly lease: LeaseRow }
  | { readonly kind: "free"; readonly range: FreeRange }
);

async function findWork(
  session: Pick<SqlSession, "query">,
  { holder, rangeBlocks, silentMs }: TakeOptions,
): Promise<FoundWork | undefined> {
  const leases = await listLeases(session);
  const follow = leases.find(({ kind }) => kind === "follow");
  if (follow === undefined) return undefined;
  const first = await findFirstSeqno(session);
  if (first === undefined) return undefined;
  const [row] = await session.query(`select ${databaseNow} as now`);
  const now = Number(row?.now);
  const segments = await listSegments(session);
  const ranges = leases.filter(({ kind }) => kind === "backfill");
  // A holder that asks for work has left what it had.
  const isLeft = (each: LeaseRow) =>
    each.holder === holder || now - each.beatAt > silentMs || isProcessGone(each.holder);
  const lease = ranges.findLast(isLeft);
  if (lease !== undefined) return { kind: "left", lease, first, segments };
  const range = nextRange({ segments, leases: ranges, first, end: follow.firstSeqno, rangeBlocks });
  return range && { kind: "free", range, first, segments };
}

async function takeOver(
  session: SqlSession,
  { kind }: Database,
  { firstSeqno, lastSeqno, holder: former }: LeaseRow,
  holder: string,
  segments: readonly Segment[],
): Promise<Omit<Lease, "first">> {
  if (kind === "postgres" && former !== holder) await session.query(endCommits, [firstSeqno]);
  const [row] = await session.query(
    `update ingest_leases set holder = $2, epoch = nextval('ingest_epochs'), taken_at = ${databaseNow},
       beat_at = ${databaseNow}, blocks_per_second = 0, transactions_per_second = 0
     where first_seqno = $1 returning epoch`,
    [firstSeqno, holder],
  );
  const segment = segments.find((each) => each.firstSeqno === firstSeqno) ?? { firstSeqno, nextSeqno: firstSeqno };
  return { segment, lastSeqno: lastSeqno ?? firstSeqno, epoch: ingestLeases.columns.epoch.read(row?.epoch ?? null) };
}

/** Ends the transactions that commit into a range. */
const endCommits = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and pid <> pg_backend_pid() and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid = (${lockClass}::bigint & 4294967295)::oid and objid = $1::int::oid`;

async function begin(
  session: SqlSession,
  { segment, lastSeqno }: FreeRange,
  holder: string,
): Promise<Omit<Lease, "first">> {
  const [row] = await session.query(
    `insert into ingest_leases (first_seqno, last_seqno, kind, holder, epoch, taken_at, beat_at,
       blocks_per_second, transactions_per_second)
     values ($1, $2, 'backfill', $3, nextval('ingest_epochs'), ${databaseNow}, ${databaseNow}, 0, 0)
     returning epoch`,
    [segment.firstSeqno, lastSeqno, holder],
  );
  return { segment, lastSeqno, epoch: ingestLeases.columns.epoch.read(row?.epoch ?? null) };
}

/** Reports that the holder is alive and how fast it is; returns whether it still holds the range. */
export async function beatLease(database: Database, lease: Lease, rates: Rates): Promise<boolean> {
  return database.write(async (session) => {
    const rows = await session.query(
      `update ingest_leases set beat_at = ${databaseNow}, blocks_per_second = $3, transactions_per_second = $4
       where first_seqno = $1 and epoch = $2 returning 1 as one`,
      [...keyOf(lease), rates.blocksPerSecond, rates.transactionsPerSecond],
    );
    return rows.length > 0;
  });
}

/** Reports the rates of whoever follows the chain. */
export async function beatFollow(database: Database, rates: Rates): Promise<void> {
  await database.write(async (session) => {
    await session.query(
      `update ingest_leases set beat_at = ${databaseNow}, blocks_per_second = $1, transactions_per_second = $2
       where kind = 'follow'`,
      [rates.blocksPerSecond, rates.transactionsPerSecond],
    );
  });
}

/**
 * Refuses a commit of a holder that lost its range; runs in the transaction of the commit. The lock of the row lets the
 * holder report in the meantime and makes whoever takes the range over wait; by the other one the transaction is found.
 */
export async function guardLease(session: SqlSession, lease: Lease): Promise<void> {
  await endWhenHung(session);
  await session.query(`select pg_advisory_xact_lock_shared(${lockClass}, $1::int)`, [lease.segment.firstSeqno]);
  const rows = await session.query(
    "select 1 as one from ingest_leases where first_seqno = $1 and epoch = $2 for key share",
    keyOf(lease),
  );
  if (rows.length === 0) throw leaseLost(lease);
}

export function leaseLost({ segment, lastSeqno }: Lease): HistoryError {
  return new HistoryError(
    "history/lease",
    `the range from ${segment.firstSeqno} to ${lastSeqno} is now indexed by another process`,
  );
}

/** Gives a range back, finished or not. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.write(async (session) => {
    await session.query("delete from ingest_leases where first_seqno = $1 and epoch = $2", keyOf(lease));
  });
}

function keyOf({ segment, epoch }: Lease): [number, string] {
  return [segment.firstSeqno, String(epoch)];
}
