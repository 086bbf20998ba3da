import { parseJson } from "../../lib/json.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { findFact, setFact } from "../store/schema/indexFacts.ts";
import type { IndexManifest, SnapshotFile } from "./IndexManifest.ts";
import { exportedTables } from "./IndexManifest.ts";
import { importIndexesFact } from "./importState.ts";

type Queryable = Pick<SqlSession, "query">;

/** The numbers of a table's partitions, in order; none for a table that is not partitioned. */
export async function listPartitions(session: Queryable, table: string): Promise<readonly number[]> {
  const rows = await session.query(
    `select substring(c.relname from '_p([0-9]+)$')::bigint as number
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass($1) and c.relkind = 'r' order by 1`,
    [table],
  );
  return rows.map(({ number }) => Number(number));
}

/*
 * Many rows are loaded into tables without indexes, because to make an index at the end takes a fraction of the time.
 * Partitions are made apart and attached when they are full: attaching makes their indexes. Tables without partitions
 * keep their primary key; their other indexes are removed and made again.
 */

/** How rows are loaded. */
export interface TableLoader {
  /** Prepares the empty tables. */
  prepare(session: SqlSession): Promise<void>;
  /** The table that takes the rows of a file. */
  target(session: SqlSession, file: SnapshotFile): Promise<string>;
  /** Called after the last file of a partition. */
  fill(session: SqlSession, table: string, partition: number): Promise<void>;
}

/** Loads without indexes, on a single machine. */
const bulkLoader: TableLoader = { prepare: prepareTables, target: loadTarget, fill: attachPartition };

/** A cluster distributes rows as they come, so tables are filled as they are. */
const plainLoader: TableLoader = {
  prepare: async () => {},
  target: async (session, { table, partition }) => {
    if (partition !== undefined) await makePartition(session, partition);
    return table;
  },
  fill: async () => {},
};

export function chooseLoader({ layout }: Pick<Database, "layout">): TableLoader {
  return layout === "distributed" ? plainLoader : bulkLoader;
}

async function makePartition(session: SqlSession, partition: number): Promise<void> {
  await session.query("select make_partition($1::bigint)", [partition]);
}

/** Prepares empty tables: no partitions, and no indexes but primary keys. */
async function prepareTables(session: SqlSession): Promise<void> {
  const names = [...exportedTables.keys()];
  for (const name of names) {
    for (const partition of await listPartitions(session, name)) await session.run(`drop table ${name}_p${partition}`);
  }
  const rows = await session.query(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.oid = any(select to_regclass(n)::oid from unnest($1::text[]) n) and c.relkind = 'r' and not i.indisprimary
     order by 1`,
    [names],
  );
  await setFact(session, importIndexesFact, JSON.stringify(rows.map(({ definition }) => definition)));
  for (const { name } of rows) await session.run(`drop index ${name}`);
}

async function loadTarget(session: SqlSession, { table, partition }: SnapshotFile): Promise<string> {
  if (partition === undefined) return table;
  const name = `${table}_p${partition}`;
  await session.run(`create table if not exists ${name} (like ${table} including defaults including storage)`);
  return name;
}

/** Makes a full partition a part of its table. */
async function attachPartition(session: SqlSession, table: string, partition: number): Promise<void> {
  await session.query("select attach_partition($1, $2::bigint)", [table, partition]);
}

/** Makes what is missing when all rows are loaded: partitions without rows, indexes and statistics. */
export async function finishTables(database: Pick<Database, "write">, { files }: IndexManifest): Promise<void> {
  const partitions = new Set([0, ...files.flatMap(({ partition }) => partition ?? [])]);
  await database.write(async (session) => {
    for (const partition of partitions) await makePartition(session, partition);
    const definitions = parseJson((await findFact(session, importIndexesFact)) ?? "[]");
    for (const definition of Array.isArray(definitions) ? definitions : []) await session.run(String(definition));
    await setFact(session, importIndexesFact, "[]");
    await session.run([...exportedTables.keys()].map((name) => `analyze ${name}`).join(";\n"));
  });
}
