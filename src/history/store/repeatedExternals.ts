import type { Hash } from "../../model/Hash.ts";
import type { BatchRows } from "./BatchRows.ts";
import type { Segment } from "./checkpoint.ts";
import { hash as hashColumn } from "./columns.ts";
import type { SqlSession } from "./Database.ts";

/**
 * Leaves out messages from outside that an earlier block has brought already. Such a message may be received several
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
  // A hash names one message, so the rows are those of messages from outside. A condition that says so would offer an
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

/** Blocks of several shards are not in the order of logical times: those of so many masterchain blocks are looked at. */
const unordered = 16;

/**
 * Deletes all but the first row of messages from outside that two adjacent segments have both received; runs in the
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
  await session.query(
    `delete from messages m using messages e
     where m.created_lt is null and e.created_lt is null and m.hash = e.hash and e.lt < m.lt
       and ${looked}.lt between $1::bigint and $2::bigint`,
    [String(bounds.first), String(bounds.last)],
  );
}
