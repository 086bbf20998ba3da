import type { Database } from "../../../src/history/store/Database.ts";

/**
 * Names of the partitioned tables. A database of a cluster holds those of several tests, each in a schema of its own.
 */
export async function listPartitioned(database: Pick<Database, "query">): Promise<readonly string[]> {
  const rows = await database.query(
    `select c.relname::text as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  return rows.map(({ name }) => String(name));
}
