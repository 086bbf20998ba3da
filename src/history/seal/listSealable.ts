import { findFirstSeqno } from "../ingest/leases.ts";
import type { SqlSession } from "../store/Database.ts";
import { listSegments } from "../store/schema/checkpoint.ts";
import { findMerges } from "./findMerges.ts";
import { isByWeight, type LtRange, type Partition, type StoredPartition } from "./Partition.ts";

type Queryable = Pick<SqlSession, "query">;

/** Masterchain blocks after the end of a range until it is regarded as finished: shards may be far behind. */
const blocksAfter = 1_000;

export interface SealableOptions {
  /** Masterchain blocks after the end of a range until it is finished. */
  readonly after?: number;
  /** How long history is kept. Partitions are removed whole, so one gets a sixteenth of this time at most. */
  readonly keptSeconds?: number | undefined;
}

/**
 * What can be sealed, oldest first: partitions of a fixed width that are not sealed yet, and small ones that are
 * merged. They get no more rows: a segment begins before them and continues behind them, and no trace that begins in
 * them is open or waits for its actions.
 */
export async function listSealable(
  database: Queryable,
  { after = blocksAfter, keptSeconds }: SealableOptions = {},
): Promise<readonly Partition[]> {
  const stored = await listStored(database);
  const waiting = stored.filter((each) => isByWeight(each) || !each.isSealed);
  if (waiting.length === 0) return [];
  const extents = await listExtents(database, after);
  const known = new Map<string, Promise<boolean>>();
  const isFinished = (range: LtRange): Promise<boolean> => {
    if (!extents.some(({ first, last }) => first <= range.from && last >= range.to)) return Promise.resolve(false);
    const name = `${range.from} ${range.to}`;
    const answer = known.get(name) ?? hasOpen(database, range).then((isOpen) => !isOpen);
    known.set(name, answer);
    return answer;
  };
  const sealable: Partition[] = [];
  for (const { isSealed: _, ...partition } of waiting.filter((each) => !isByWeight(each)))
    if (await isFinished(partition)) sealable.push({ ...partition, sources: [partition.place] });
  const isMergeable = async (range: LtRange) =>
    (await isFinished(range)) && (keptSeconds === undefined || (await lasts(database, range)) <= keptSeconds / 16);
  return [...sealable, ...(await findMerges(stored, isMergeable))];
}

async function listStored(database: Queryable): Promise<readonly StoredPartition[]> {
  const rows = await database.query(
    `select l.*, partition_from(l.place) as "from", partition_to(l.place) as "to"
     from (
       select p.relname::text as parent, a.attname::text as "column", s.name is not null as is_sealed,
         substring(c.relname from '_p([0-9]+)$')::bigint as place
       from pg_partitioned_table t join pg_class p on p.oid = t.partrelid
       join pg_attribute a on a.attrelid = p.oid and a.attnum = t.partattrs[0]
       join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
       left join sealed_partitions s on s.name = c.relname
       where p.relnamespace = (select oid from pg_namespace where nspname = current_schema())
     ) l order by "from", parent`,
  );
  return rows.map(({ parent, column, is_sealed: isSealed, place, from, to }) => ({
    ...{ parent: String(parent), column: String(column), place: Number(place), isSealed: isSealed === true },
    ...{ from: BigInt(String(from)), to: BigInt(String(to)) },
  }));
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

/** The seconds between the first blocks at both ends of a finished range. */
async function lasts(database: Queryable, { from, to }: LtRange): Promise<number> {
  const time = (place: string) => `(select gen_utime from blocks where start_lt >= ${place} order by start_lt limit 1)`;
  const [row] = await database.query(`select ${time("$2::bigint")} - ${time("$1::bigint")} as seconds`, [
    String(from),
    String(to),
  ]);
  return Number(row?.seconds ?? 0);
}

async function hasOpen(database: Queryable, { from, to }: LtRange): Promise<boolean> {
  const inRange = "start_lt >= $1::bigint and start_lt < $2::bigint";
  const rows = await database.query(
    `(select 1 from traces where state = 'pending' and ${inRange} limit 1) union all
     (select 1 from traces where state = 'complete' and classification_state = 'unclassified' and ${inRange} limit 1)
     union all (select 1 from undecided_traces where start_lt < $2::bigint limit 1)`,
    [String(from), String(to)],
  );
  return rows.length > 0;
}
