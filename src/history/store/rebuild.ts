import { entityList } from "../entities/indexedEntities.ts";
import type { Database } from "./Database.ts";
import { type MigrateModules, migrate } from "./migrate.ts";
import * as tables from "./tables.ts";

/** Tables of older layouts that this one has not. */
const formerTables = ["message_contents"];

/**
 * Removes all tables of an index, of this or of an older layout, and makes them again, empty: the next indexer begins
 * anew. Waits for a running writer.
 */
export async function rebuild(database: Database, modules: MigrateModules): Promise<readonly number[]> {
  const lock = await database.lockWriter(modules.signal);
  try {
    const declared = [...Object.values(tables), ...entityList.map(([, { table }]) => table)];
    const names = declared.map(({ name }) => name).concat("index_migrations", ...formerTables);
    const dropped = names.map((name) => `drop table if exists ${name} cascade`);
    const functions = ["make_partition(bigint)", "make_partitions(bigint[])", "partition_width()"];
    const ended = functions.map((name) => `drop function if exists ${name}`);
    await database.write((session) => session.run([...dropped, ...ended].join(";\n")));
  } finally {
    await lock.release();
  }
  return migrate(database, modules);
}
