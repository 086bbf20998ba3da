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
  // Databases of a cluster hold the tables of several tests, each in a schema of its own.
  const parents = await database.query(
    `select c.relname::text as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  await database.runAlone(parents.map(({ name }) => `drop table ${name}_p0`).join(";"));
}
