import { HistoryError } from "../../errors.ts";
import { runLater, type SqlSession } from "../Database.ts";
import { segments } from "./serviceTables.ts";
import { type Row, readRow } from "./Table.ts";

/** A range of masterchain blocks indexed without a gap: from `firstSeqno` up to, not including, `nextSeqno`. */
export type Segment = Row<typeof segments>;

type Queryable = Pick<SqlSession, "query">;

/** All segments in order. */
export async function listSegments(database: Queryable): Promise<readonly Segment[]> {
  const rows = await database.query("select first_seqno, next_seqno from segments order by first_seqno");
  return rows.map((row) => readRow(segments, row));
}

/**
 * The segment that began at this block, locked until the end of the transaction: itself, an earlier one that it was
 * joined with, or a new empty one. Two adjacent segments stay separate until their traces are joined. The row of
 * another segment is not locked, because somebody else may be writing it.
 */
export async function takeSegment(session: SqlSession, firstSeqno: number): Promise<Segment> {
  const own = await findLocked(session, firstSeqno);
  if (own !== undefined) return own;
  const sql = "select first_seqno, next_seqno from segments where first_seqno < $1 order by first_seqno desc limit 1";
  const [row] = await session.query(sql, [firstSeqno]);
  const earlier = row === undefined ? undefined : readRow(segments, row);
  if (earlier !== undefined && earlier.nextSeqno > firstSeqno) return lockSegment(session, earlier.firstSeqno);
  await session.query(`select pg_advisory_xact_lock_shared(${beginningLock})`);
  await session.query("insert into segments (first_seqno, next_seqno) values ($1::int, $1::int)", [firstSeqno]);
  return { firstSeqno, nextSeqno: firstSeqno };
}

/**
 * Commits into new segments hold it together: whoever removes the oldest history cannot lock a row that it does not
 * see.
 */
const beginningLock = "hashtext('history begins ' || current_schema()), 0";

/** Waits for commits into new segments and holds up others until the end of the transaction. */
export async function lockBeginning(session: SqlSession): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${beginningLock})`);
}

async function lockSegment(session: SqlSession, firstSeqno: number): Promise<Segment> {
  const locked = await findLocked(session, firstSeqno);
  if (locked === undefined)
    throw new HistoryError("history/removed", `the segment from ${firstSeqno} was joined with another one`);
  return locked;
}

async function findLocked(session: SqlSession, firstSeqno: number): Promise<Segment | undefined> {
  const sql = "select first_seqno, next_seqno from segments where first_seqno = $1 for update";
  const [row] = await session.query(sql, [firstSeqno], { plan: "kept" });
  return row === undefined ? undefined : readRow(segments, row);
}

/** Records that a segment ends before `nextSeqno`. */
export async function extendSegment(session: SqlSession, segment: Segment, nextSeqno: number): Promise<Segment> {
  const { firstSeqno } = segment;
  const sql = "update segments set next_seqno = $2 where first_seqno = $1";
  await runLater(session, sql, [firstSeqno, nextSeqno], { plan: "kept" });
  return { firstSeqno, nextSeqno };
}
