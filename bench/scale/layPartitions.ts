import { listPartitioned } from "../../kit/history/retention/partitionedTables.ts";
import { listSealable } from "../../src/history/seal/listSealable.ts";
import { type Partition, rangeBits, tableOf } from "../../src/history/seal/Partition.ts";
import { sealPartition } from "../../src/history/seal/sealPartition.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { weighPartitions } from "../../src/history/store/schema/partitionWeight.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** More lts than this many blocks have are in each partition that is made. */
const blocksBetween = 20;

/**
 * Gives empty tables the partitions that an index of these blocks has after years: the program makes them for logical
 * times, and merges what is finished until nothing is left to merge. Returns those that it merged.
 */
export async function layPartitions(
  database: Database,
  { firstSeqno, nextSeqno }: { readonly firstSeqno: number; readonly nextSeqno: number },
): Promise<readonly Partition[]> {
  for (const parent of await listPartitioned(database)) {
    const places = await database.query("select place from partition_places($1) as place", [parent]);
    const names = places.map(({ place }) => tableOf({ parent, place: Number(place) }));
    if (names.length > 0) await database.write((session) => session.run(`drop table ${names.join(", ")}`));
  }
  await weighPartitions(database);
  await database.write((session) =>
    session.query(
      `select make_partitions(array(
         select start_lt from blocks where workchain = -1 and (seqno % $1::int = 0 or seqno in ($2::int, $3::int))
       ))`,
      [blocksBetween, firstSeqno, nextSeqno - 1],
    ),
  );
  const merged = new Map<string, Partition>();
  for (;;) {
    const sealable = await listSealable(database, { after: 0 });
    if (sealable.length === 0) return [...merged.values()];
    for (const partition of sealable) {
      await seal(database, partition);
      for (const place of partition.sources) merged.delete(tableOf({ ...partition, place }));
      merged.set(tableOf(partition), { ...partition, sources: [partition.place] });
    }
  }
}

/** Writes the rows of a partition in the order in which finished ones have them, and makes its indexes. */
export async function seal(database: Database, partition: Partition): Promise<void> {
  const { signal } = new AbortController();
  const isSealed = await sealPartition({ database, clock: systemClock, signal }, partition, { attempt: "bench" });
  if (!isSealed) throw new Error(`a partition of ${partition.parent} cannot be sealed`);
}

/** Nothing is logged of the rows of partitions that are replaced when they are sealed; their copies are logged. */
export async function unlog(database: Database, partitions: readonly Partition[]): Promise<void> {
  const each = partitions.map((partition) => `alter table "${tableOf(partition)}" set unlogged`);
  await database.write((session) => session.run(each.join(";")));
}

/**
 * Lets tables be filled without their indexes, which stay declared; returns a function that makes those of a table.
 * Without a partition of its parent, an index could only be dropped together with all others of its kind.
 */
export async function suspendIndexes(database: Database, parents: readonly string[]): Promise<readonly string[]> {
  const tables = await database.query(
    `select c.relname::text as name from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relkind = 'r' and coalesce(i.inhparent, c.oid) = any($1::text[]::regclass[])`,
    [parents],
  );
  const names = tables.map(({ name }) => String(name));
  await database.write((session) =>
    session.query(
      "update pg_index set indisready = false, indisvalid = false where indrelid = any($1::text[]::regclass[])",
      [names],
    ),
  );
  return names;
}

/** How many partitions of each width a table has, narrowest first. */
export async function describeWidths(database: Database, parent: string): Promise<string> {
  const rows = await database.query("select place from partition_places($1) as place order by partition_from(place)", [
    parent,
  ]);
  const counts = new Map<string, number>();
  for (const { place } of rows) {
    const width = `2^${rangeBits(Number(place)) ?? 42}`;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  return [...counts]
    .sort()
    .map(([width, count]) => `${count} of ${width}`)
    .join(", ");
}
