import type { Database } from "../../src/history/store/Database.ts";

/** The index names the partitions of a commit by the upper bits of logical times: none is narrower than this. */
const narrowest = 1n << 24n;

/** Sets the logical time range of partitions of empty tables, to get as many partitions as a larger chain. */
export async function usePartitions(database: Database, atLeast: bigint): Promise<void> {
  const width = ((atLeast + narrowest - 1n) / narrowest) * narrowest;
  // Databases of a cluster hold the tables of several tests, each in a schema of its own.
  const parents = await database.query(
    `select c.relname::text as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  await database.write((session) =>
    session.run(
      [
        `create or replace function partition_width() returns bigint language sql immutable as 'select ${width}'`,
        ...parents.map(({ name }) => `drop table ${name}_p0`),
        "select make_partition(0)",
      ].join(";\n"),
    ),
  );
}
