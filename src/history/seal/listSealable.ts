import { findFirstSeqno } from "../ingest/leases.ts";
import type { SqlSession } from "../store/Database.ts";
import { listSegments } from "../store/schema/checkpoint.ts";
import type { Partition } from "./Partition.ts";

type Queryable = Pick<SqlSession, "query">;

/** Masterchain blocks after the end of a range until it is regarded as finished: shards may be far behind. */
const blocksAfter = 1_000;

/**
 * The partitions that get no more rows and are not sealed yet, oldest first: a segment begins before them and continues
 * behind them, and no trace that begins in them is open or waits for its actions.
 */
export async function listSealable(database: Queryable, after = blocksAfter): Promise<readonly Partition[]> {
  const waiting = await listUnsealed(database);
  if (waiting.length === 0) return [];
  const extents = await listExtents(database, after);
  const sealable: Partition[] = [];
  const open = new Map<number, boolean>();
  for (const partition of waiting) {
    const { place, from, to } = partition;
    if (!extents.some(({ first, last }) => first <= from && last >= to)) continue;
    const isOpen = open.get(place) ?? (await hasOpen(database, partition));
    open.set(place, isOpen);
    if (!isOpen) sealable.push(partition);
  }
  return sealable;
}

async function listUnsealed(database: Queryable): Promise<readonly Partition[]> {
  const rows = await database.query(
    `select p.relname::text as parent, a.attname::text as "column", partition_width() as width,
       substring(c.relname from '_p([0-9]+)$')::bigint as place
     from pg_partitioned_table t join pg_class p on p.oid = t.partrelid
     join pg_attribute a on a.attrelid = p.oid and a.attnum = t.partattrs[0]
     join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
     where p.relnamespace = (select oid from pg_namespace where nspname = current_schema())
       and not exists (select 1 from sealed_partitions s where s.name = c.relname)
     order by place, parent`,
  );
  return rows.map(({ parent, column, width, place }) => {
    const [at, size] = [BigInt(String(place)), BigInt(String(width))];
    const range = { from: at === 0n ? 0n : at * size, to: (at + 1n) * size };
    return { parent: String(parent), column: String(column), place: Number(at), ...range };
  });
}

interface Extent {
  readonly first: bigint;
  readonly last: bigint;
}

/** The logical times that segments have without a gap. Nothing is missing before the first segment of a whole index. */
async function listExtents(database: Queryable, after: number): Promise<readonly Extent[]> {
  const isWhole = (await findFirstSeqno(database)) === undefined;
  const extents: Extent[] = [];
  for (const [at, { firstSeqno, nextSeqno }] of (await listSegments(database)).entries()) {
    const first = isWhole && at === 0 ? 0n : await findStart(database, firstSeqno);
    const last = await findStart(database, nextSeqno - 1 - after);
    if (first !== undefined && last !== undefined) extents.push({ first, last });
  }
  return extents;
}

async function findStart(database: Queryable, seqno: number): Promise<bigint | undefined> {
  const [row] = await database.query(
    "select start_lt from blocks where workchain = -1 and shard = (-9223372036854775808)::bigint and seqno = $1::int",
    [seqno],
  );
  return row === undefined ? undefined : BigInt(String(row.start_lt));
}

async function hasOpen(database: Queryable, { from, to }: Partition): Promise<boolean> {
  const inRange = "start_lt >= $1::bigint and start_lt < $2::bigint";
  const rows = await database.query(
    `(select 1 from traces where state = 'pending' and ${inRange} limit 1) union all
     (select 1 from traces where state = 'complete' and classification_state = 'unclassified' and ${inRange} limit 1)
     union all (select 1 from undecided_traces where start_lt < $2::bigint limit 1)`,
    [String(from), String(to)],
  );
  return rows.length > 0;
}
