import type { Database, SqlSession } from "../Database.ts";
import { makeGate } from "../schema/gateTable.ts";
import { allTables } from "./allTables.ts";
import { type MigrateModules, migrate } from "./migrate.ts";

/** Tables of older layouts that this one has not. */
const formerTables = ["message_contents"];

/**
 * Removes all tables of an index, of this or of an older layout, and makes them again, empty: the next indexer begins
 * again. Waits for a running writer.
 */
export async function rebuild(database: Database, modules: MigrateModules): Promise<readonly number[]> {
  const lock = await database.lockWriter(modules.signal);
  try {
    if (database.layout === "distributed") await database.runAlone(makeGate);
    const names = allTables.map(({ name }) => name).concat("index_migrations", ...formerTables);
    const dropped = names.map((name) => `drop table if exists ${name} cascade`);
    const functions = [
      "attach_partition(text, bigint)",
      "make_partition(bigint)",
      "make_partitions(bigint[])",
      "choose_partition(bigint)",
      "partition_places(text)",
      "partition_from(bigint)",
      "partition_to(bigint)",
      "partition_width()",
      "note_change()",
    ];
    const ended = functions.map((name) => `drop function if exists ${name}`);
    await database.write(async (session) => {
      const loose = await listLoosePartitions(session, names);
      const partitions = loose.map((name) => `drop table "${name}"`);
      await session.run([...dropped, ...partitions, ...ended, "drop sequence if exists ingest_epochs"].join(";\n"));
    });
  } finally {
    await lock.release();
  }
  return migrate(database, modules);
}

/** Partitions that an unfinished import or a seal has not attached yet: they do not go with their table. */
async function listLoosePartitions(session: SqlSession, tableNames: readonly string[]): Promise<readonly string[]> {
  const rows = await session.query(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind = 'r'
       and substring(c.relname from '^(.+)_p[0-9]+(?:_copy)?$') = any($1::text[])
       and not exists (select 1 from pg_inherits i where i.inhrelid = c.oid)`,
    [tableNames],
  );
  return rows.map(({ name }) => String(name));
}
