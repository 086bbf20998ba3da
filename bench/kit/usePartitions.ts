import type { Database } from "../../src/history/store/Database.ts";

/** Sets the logical time range of partitions of empty tables, to get as many partitions as a larger chain. */
export async function usePartitions(database: Database, width: bigint): Promise<void> {
  const parents = await database.query("select partrelid::regclass::text as name from pg_partitioned_table");
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
