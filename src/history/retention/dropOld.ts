import { lockPlan } from "../ingest/leases.ts";
import { cutTraces, putBack } from "../ingest/traces/cutTraces.ts";
import { takeSealLock } from "../seal/Partition.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { allTables } from "../store/migrate/allTables.ts";
import { lockBeginning } from "../store/schema/checkpoint.ts";
import { beginsFact, setFact } from "../store/schema/indexFacts.ts";
import { columnName } from "../store/schema/Table.ts";
import { readReceivedLater } from "../store/write/repeatedExternals.ts";

/**
 * Removes history older than a time, in seconds, as far as it fills whole partitions; returns the first masterchain
 * block that is kept, or `undefined` when there is nothing to remove. Latest states and entities stay. Traces are then
 * those of an index that begins where the kept history begins; a worker that remembers earlier ones is refused by its
 * next commit and starts again.
 */
export function dropOld(database: Pick<Database, "write">, keptSince: number): Promise<number | undefined> {
  return database.write(async (session) => {
    if ((await findEnd(session, keptSince)) === undefined) return undefined;
    // A partition that is being rewritten is removed the next time.
    if (!(await takeSealLock(session))) return undefined;
    await lockPlan(session);
    // Commits wait, and find the new beginning.
    await lockBeginning(session);
    await session.query("select first_seqno from segments order by first_seqno for update");
    const end = await findEnd(session, keptSince);
    if (end === undefined) return undefined;
    const first = await findFirstWhole(session, end);
    const received = [...(await cutTraces(session, end)), ...(await readReceivedLater(session, end))];
    const outdated = await listOutdated(session, end);
    for (const name of [...outdated, ...(await listCopies(session, end))]) await session.run(`drop table "${name}"`);
    await session.query("delete from sealed_partitions where name = any($1::text[])", [outdated]);
    await session.query("delete from seal_attempts where name = any($1::text[])", [outdated]);
    await putBack(session, received);
    for (const { name, retention } of allTables) {
      if (retention.kind === "seqno")
        await session.query(`delete from ${name} where ${columnName(retention.by)} < $1::int`, [first]);
    }
    await setFact(session, beginsFact, String(first));
    return first;
  });
}

/**
 * The logical time at which the first partition begins that has a block of the kept time; `undefined` when no partition
 * ends before. A thousand blocks are looked at, because those of several shards are not in the order of logical times.
 */
async function findEnd(session: SqlSession, keptSince: number): Promise<bigint | undefined> {
  const [first] = await session.query(
    `select min(b.start_lt) as lt
     from (select start_lt from blocks where gen_utime >= $1::bigint order by gen_utime limit 1000) b`,
    [keptSince],
  );
  if (first === undefined || first.lt === null) return undefined;
  // Partitions of one table may be merged, and those of another not yet: the widest decides.
  const [row] = await session.query(
    `select min(partition_from(place)) as "from" from (${partitionsSql}) p
     where partition_from(place) <= $1::bigint and partition_to(place) > $1::bigint`,
    [String(first.lt)],
  );
  const end = BigInt(String(row?.from ?? first.lt));
  const older = await session.query("select 1 as one from blocks where end_lt < $1::bigint limit 1", [end]);
  return older.length === 0 ? undefined : end;
}

/** The masterchain block after the last one that commits a block from before a logical time. */
async function findFirstWhole(session: SqlSession, end: bigint): Promise<number> {
  const [row] = await session.query(
    `select max(b.mc_block_seqno) as last
     from (select mc_block_seqno from blocks where start_lt < $1::bigint order by start_lt desc limit 1000) b`,
    [String(end)],
  );
  return Number(row?.last ?? 0) + 1;
}

/** The partitions of all tables. */
const partitionsSql = `select c.relname::text as name, substring(c.relname from '_p([0-9]+)$')::bigint as place
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_partitioned_table p on p.partrelid = i.inhparent
  where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

/** The partitions of all tables that end at or before a logical time. */
async function listOutdated(session: SqlSession, end: bigint): Promise<readonly string[]> {
  const rows = await session.query(`select name from (${partitionsSql}) p where partition_to(place) <= $1::bigint`, [
    end,
  ]);
  return rows.map(({ name }) => String(name));
}

/** The tables that attempts to seal such partitions have left. */
async function listCopies(session: SqlSession, end: bigint): Promise<readonly string[]> {
  const rows = await session.query(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind = 'r'
       and partition_to(substring(c.relname from '_p([0-9]+)_copy$')::bigint) <= $1::bigint`,
    [end],
  );
  return rows.map(({ name }) => String(name));
}
