import { type Hash, zeroHash } from "../../../model/Hash.ts";
import type { SqlSession } from "../Database.ts";
import type { Segment } from "../schema/checkpoint.ts";
import { hash as hashColumn, hashList } from "../schema/columns.ts";
import { type Row, readRow, selectList } from "../schema/Table.ts";
import * as tables from "../schema/tables.ts";
import type { BatchRows } from "./BatchRows.ts";

type MessageRow = Row<typeof tables.messages>;

/**
 * Leaves out external messages that an earlier block has brought already. Such a message may be received several
 * times, and its lt is that of the first receiver, so the key of the table does not find the row of the others. Where a
 * later block was indexed first, there are two rows until the segments are joined.
 */
export async function leaveOutRepeated(
  session: SqlSession,
  batches: readonly BatchRows[],
): Promise<readonly BatchRows[]> {
  const firsts = new Map<Hash, bigint>();
  const externals = batches.flatMap(({ messages }) => messages.filter(({ createdLt }) => createdLt === undefined));
  for (const { hash, lt } of externals) if (!firsts.has(hash)) firsts.set(hash, lt);
  if (firsts.size === 0) return batches;
  // A hash names one message, so the rows are those of external messages. A condition that says so would offer an
  // index of all of them, which PostgreSQL without statistics prefers to that of hashes.
  const sql = "select hash, lt from messages where hash = any($1::bytea[])";
  const stored = await session.query(sql, [[...firsts.keys()].map(hashColumn.write)]);
  for (const row of stored) {
    const [hash, lt] = [hashColumn.read(row.hash ?? null), BigInt(String(row.lt))];
    if (lt < (firsts.get(hash) ?? lt)) firsts.set(hash, lt);
  }
  const isKept = ({ hash, lt, createdLt }: BatchRows["messages"][number]) =>
    createdLt !== undefined || firsts.get(hash) === lt;
  return batches.map((batch) => {
    return batch.messages.every(isKept) ? batch : { ...batch, messages: batch.messages.filter(isKept) };
  });
}

/**
 * Blocks of several shards are not in the order of logical times: those of this many masterchain blocks are looked at.
 */
const unordered = 16;

/**
 * Deletes all but the first row of external messages that two adjacent segments have both received; runs in the
 * transaction that joins them. The messages of the smaller one are looked up.
 */
export async function dropRepeated(session: SqlSession, earlier: Segment, later: Segment): Promise<void> {
  const isLaterSmaller = later.nextSeqno - later.firstSeqno < earlier.nextSeqno - earlier.firstSeqno;
  const { firstSeqno, nextSeqno } = isLaterSmaller ? later : earlier;
  const [bounds] = await session.query(
    `select (select min(start_lt) from blocks where mc_block_seqno >= $1::int and mc_block_seqno < $1::int + ${unordered}) as first,
       (select max(end_lt) from blocks where mc_block_seqno >= $2::int - ${unordered} and mc_block_seqno < $2::int) as last`,
    [firstSeqno, nextSeqno],
  );
  if (bounds === undefined || bounds.first === null || bounds.last === null) return;
  const looked = isLaterSmaller ? "m" : "e";
  // The condition that finds external messages is one that no index offers: PostgreSQL without statistics would read
  // all of them. The other message has the same hash, so it is the same one.
  await session.query(
    `delete from messages m using messages e
     where m.hash = e.hash and e.lt < m.lt
       and coalesce(${looked}.created_lt, 0) = 0 and ${looked}.lt between $1::bigint and $2::bigint`,
    [String(bounds.first), String(bounds.last)],
  );
}

/** Messages that are looked up at once. */
const pageSize = 10_000;

/**
 * External messages whose row is older than a logical time, and which a later transaction has received as well: as
 * the rows of their first receiver from then on. Without them a removal of older history would leave it without its
 * message. Each statement reads one table, because tables may be distributed by different columns.
 */
export async function readReceivedLater(session: SqlSession, end: bigint): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = [];
  let after: Pick<MessageRow, "lt" | "hash"> = { lt: -1n, hash: zeroHash };
  for (;;) {
    const raw = await session.query(
      `select lt, hash from messages where created_lt is null and lt < $1::bigint and (lt, hash) > ($2::bigint, $3::bytea)
       order by lt, hash limit ${pageSize}`,
      [String(end), String(after.lt), hashColumn.write(after.hash)],
    );
    const page = raw.map((row) => ({ lt: BigInt(String(row.lt)), hash: hashColumn.read(row.hash ?? null) }));
    rows.push(...(await readOfLater(session, page, end)));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return rows;
    after = last;
  }
}

async function readOfLater(
  session: SqlSession,
  page: readonly Pick<MessageRow, "hash">[],
  end: bigint,
): Promise<readonly MessageRow[]> {
  const receivers = await session.query(
    `select in_msg_hash as hash, min(lt) as lt from transactions
     where in_msg_hash = any($1::bytea[]) and lt >= $2::bigint group by in_msg_hash`,
    [hashList(page.map(({ hash }) => hash)), String(end)],
  );
  if (receivers.length === 0) return [];
  const firsts = new Map(receivers.map((row) => [hashColumn.read(row.hash ?? null), BigInt(String(row.lt))]));
  const raw = await session.query(
    `select ${selectList(tables.messages, "m")} from messages m where m.hash = any($1::bytea[])`,
    [hashList([...firsts.keys()])],
  );
  const stored = raw.map((row) => readRow(tables.messages, row));
  // Segments that are not joined yet have a row each.
  const kept = new Set(stored.filter(({ lt }) => lt >= end).map(({ hash }) => hash));
  return stored.filter(({ hash }) => !kept.has(hash)).map((row) => ({ ...row, lt: firsts.get(row.hash) ?? row.lt }));
}
