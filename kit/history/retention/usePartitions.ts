import type { Database } from "../../../src/history/store/Database.ts";
import { listPartitioned } from "./partitionedTables.ts";

/** The index names the partitions of a commit by the upper bits of logical times: none is narrower than this. */
const narrowest = 1n << 24n;

/** Sets the logical time range of partitions of empty tables, to get as many partitions as a larger chain. */
export async function usePartitions(database: Database, atLeast: bigint): Promise<void> {
  const width = ((atLeast + narrowest - 1n) / narrowest) * narrowest;
  const parents = await listPartitioned(database);
  await database.write((session) =>
    session.run(
      [
        `create or replace function partition_width() returns bigint language sql immutable as 'select ${width}'`,
        ...parents.map((name) => `drop table ${name}_p0`),
        "select make_partition(0)",
      ].join(";\n"),
    ),
  );
}
