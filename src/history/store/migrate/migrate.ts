import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import { LibError } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { HistoryError } from "../../errors.ts";
import type { Database, SqlSession, WriterLock } from "../Database.ts";
import { makeGate } from "../schema/gateTable.ts";
import { distributeTables, listUnplaced } from "./distributeTables.ts";

/** One migration: a numbered SQL file. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export interface MigrateModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends waiting for another writer. */
  readonly signal?: AbortSignal | undefined;
}

const folder = new URL("../schema/migrations/", import.meta.url);

/** All migrations in order, from the files of the program. */
export function listMigrations(): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d+.*\.sql$/.test(name));
  const migrations = names.map((name) => ({
    number: Number.parseInt(name, 10),
    name,
    sql: readFileSync(new URL(name, folder), "utf8"),
  }));
  return migrations.sort((a, b) => a.number - b.number);
}

/**
 * Migrates the tables to the version of this program; returns the numbers of the migrations it ran. Each runs and is
 * recorded in one transaction, so the next start continues after a crash. Waits for a running writer. Throws
 * `history/foreign` for tables of a newer or another program.
 */
export async function migrate(
  database: Database,
  modules: MigrateModules,
  migrations: readonly Migration[] = listMigrations(),
): Promise<readonly number[]> {
  if (!(await isBehind(database, migrations))) return [];
  const lock = await lockWhileBehind(database, modules, migrations);
  if (lock === undefined) return [];
  try {
    // Another process may have migrated while this one waited.
    const open = await findOpen(database, migrations);
    if (database.layout === "distributed") await database.runAlone(makeGate);
    // Making new tables is no news; changing those that hold data may take long.
    const isNew = open.length === migrations.length;
    for (const migration of open) {
      modules.log[isNew ? "debug" : "info"]("migrating the tables of the index", { migration: migration.name });
      await apply(database, migration, modules.clock);
    }
    await distributeTables(database, await listUnplaced(database));
    return open.map(({ number }) => number);
  } finally {
    await lock.release();
  }
}

/** How often a process that waits for the writer looks whether that one has migrated the tables. */
const lookEveryMs = 500;

/**
 * Waits for the lock of the writer; `undefined` when another process has migrated the tables in the meantime, which may
 * write the index from then on and keep the lock.
 */
async function lockWhileBehind(
  database: Database,
  { clock, signal }: MigrateModules,
  migrations: readonly Migration[],
): Promise<WriterLock | undefined> {
  const waiting = new AbortController();
  const locked = new AbortController();
  const stopListening = onAbort(signal, (reason) => waiting.abort(reason));
  const migrated = new LibError("lib/aborted", "another process has migrated the tables");
  const watch = async (): Promise<void> => {
    do await clock.sleep(lookEveryMs, locked.signal);
    while (await isBehind(database, migrations));
    waiting.abort(migrated);
  };
  // A failed look ends the wait; after the wait nobody looks.
  const watching = watch().catch((error: unknown) => waiting.abort(error));
  try {
    return await database.lockWriter(waiting.signal);
  } catch (error) {
    if (error !== migrated) throw error;
    return undefined;
  } finally {
    stopListening();
    locked.abort();
    await watching;
  }
}

/** Whether migrations are missing, or tables of a cluster are not distributed yet. */
export async function isBehind(
  database: Pick<Database, "query" | "layout">,
  migrations: readonly Migration[] = listMigrations(),
): Promise<boolean> {
  return (await findOpen(database, migrations)).length > 0 || (await listUnplaced(database)).length > 0;
}

/** The migrations that this database lacks. */
export async function findOpen(
  database: Pick<Database, "query">,
  migrations: readonly Migration[] = listMigrations(),
): Promise<readonly Migration[]> {
  const [table] = await database.query("select to_regclass('index_migrations') is not null as is_there");
  if (table?.is_there !== true) return migrations;
  const rows = await database.query("select number, checksum from index_migrations");
  const made = new Map(rows.map(({ number, checksum }) => [Number(number), String(checksum)]));
  refuseFormer(made, migrations);
  const newest = migrations.at(-1)?.number ?? 0;
  const unknown = [...made.keys()].filter((number) => number > newest);
  if (unknown.length > 0) {
    throw new HistoryError(
      "history/foreign",
      `the tables were made by a newer version of the program (migration ${Math.max(...unknown)}; this version has ${newest})`,
      { data: { step: Math.max(...unknown), known: newest } },
    );
  }
  for (const { number, name, sql } of migrations) {
    const checksum = made.get(number);
    if (checksum !== undefined && checksum !== checksumOf(sql)) {
      throw new HistoryError(
        "history/foreign",
        `the tables were made by a different ${name} than the one of this version`,
      );
    }
  }
  return migrations.filter(({ number }) => !made.has(number));
}

/** The first migration makes the whole layout: tables of an older layout are not changed into it. */
function refuseFormer(made: ReadonlyMap<number, string>, migrations: readonly Migration[]): void {
  const first = migrations[0]?.number ?? 0;
  const former = [...made.keys()].filter((number) => number < first);
  if (former.length === 0) return;
  throw new HistoryError(
    "history/foreign",
    `the tables were made by an older version of the program (migration ${Math.max(...former)}) and cannot be ` +
      "migrated: run tongate db rebuild and index again",
    { data: { step: Math.max(...former), first } },
  );
}

async function apply(database: Database, migration: Migration, clock: Clock): Promise<void> {
  const statements = statementsAlone(migration.sql);
  if (statements !== undefined) await dropUnfinished(database, migration);
  // Statements that cannot run in a transaction must be repeatable (`if not exists`): the migration is recorded after
  // the last.
  for (const statement of statements ?? []) await database.runAlone(forEngine(database, statement));
  await database.write(async (session) => {
    if (statements === undefined) await session.run(migration.sql);
    await note(session, migration, clock);
  });
}

/** An index whose creation was interrupted exists but is invalid; it is created again. */
async function dropUnfinished(database: Database, { sql }: Migration): Promise<void> {
  const unfinished = await database.query(
    `select c.relname::text as name from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where not i.indisvalid and n.nspname = current_schema()`,
  );
  for (const { name } of unfinished) if (sql.includes(String(name))) await database.runAlone(`drop index "${name}"`);
}

async function note(session: SqlSession, { number, name, sql }: Migration, clock: Clock): Promise<void> {
  await session.run(
    "create table if not exists index_migrations " +
      "(number int primary key, name text not null, checksum text not null, made_at bigint not null)",
  );
  await session.query("insert into index_migrations (number, name, checksum, made_at) values ($1, $2, $3, $4)", [
    number,
    name,
    checksumOf(sql),
    Math.floor(clock.now() / 1000),
  ]);
}

/**
 * The statements of a migration that begins with `-- no transaction`; each ends with a semicolon at the end of a line.
 */
function statementsAlone(sql: string): readonly string[] | undefined {
  if (!sql.startsWith("-- no transaction")) return undefined;
  const statements = sql.split(/;[ \t]*(?:\n|$)/).map((each) => each.replace(/^\s*--.*$/gm, "").trim());
  return statements.filter((each) => each !== "");
}

/** The built-in engine has no concurrent sessions, and a pooler none of our own. */
function forEngine(database: Database, statement: string): string {
  return database.kind === "embedded" || database.isPooled === true
    ? statement.replace(/\bindex concurrently\b/i, "index")
    : statement;
}

function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
