import type { Database } from "../../src/history/store/Database.ts";
import { rowWrites } from "../../src/history/store/write/rowWrites.ts";

/** An index or key that is dropped before the load and created again after it, which is much faster. */
interface Extra {
  readonly drop: string;
  readonly make: string;
}

/**
 * Drops indexes and keys; returns a function that creates them again. Commits need some of them ("forCommits"): they
 * look up item owners, messages and rows by key. Partitions follow their tables.
 */
export async function dropExtras(database: Database, which: "all" | "forCommits"): Promise<() => Promise<void>> {
  const extras = [...(await listIndexes(database, which)), ...(await listKeys(database, which))];
  for (const { drop } of extras) await database.runAlone(drop);
  return async () => {
    for (const { make } of extras) await database.runAlone(make);
  };
}

async function listIndexes(database: Database, which: "all" | "forCommits"): Promise<readonly Extra[]> {
  const needed = which === "all" ? "true" : "c.relname <> 'messages_by_hash' and t.relname <> 'nft_items'";
  const rows = await database.query(
    `select c.relname::text as name, pg_get_indexdef(i.indexrelid) as made
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where c.relnamespace = current_schema()::regnamespace and not t.relispartition and ${needed}
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  );
  // An index of a partitioned table is defined without those of its partitions.
  return rows.map(({ name, made }) => ({
    drop: `drop index ${name}`,
    make: String(made).replace(" ON ONLY ", " ON "),
  }));
}

async function listKeys(database: Database, which: "all" | "forCommits"): Promise<readonly Extra[]> {
  const tables = rowWrites
    .filter(({ table }) => which === "all" || table.conflict.onConflict === undefined)
    .map(({ table }) => table.name);
  const rows = await database.query(
    `select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as made
     from pg_constraint where contype = 'p' and conrelid::regclass::text = any($1::text[])`,
    [tables],
  );
  return rows.map(({ name, table, made }) => ({
    drop: `alter table ${table} drop constraint ${name}`,
    make: `alter table ${table} add constraint ${name} ${made}`,
  }));
}
