import { listPartitioned } from "../../../../kit/history/retention/partitionedTables.ts";
import type { Database } from "../../../../src/history/store/Database.ts";

/** Logical times of a narrow partition: about sixteen blocks of a local chain. */
export const narrowWidth: bigint = 16_777_216n;

/** Makes the partitions of empty tables so narrow that a short chain fills several. */
export async function narrowPartitions(database: Database): Promise<void> {
  await database.write((session) =>
    session.run(
      `create or replace function partition_width() returns bigint language sql immutable as 'select ${narrowWidth}'`,
    ),
  );
  const parents = await listPartitioned(database);
  await database.runAlone(parents.map((name) => `drop table ${name}_p0`).join(";"));
}
