import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresUrl, startPostgres, stopPostgres } from "../../kit/history/postgres/postgresServer.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../src/history/store/migrate/migrate.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";

const modules = { clock: systemClock, log: openLog({ level: "error" }) };

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings for a million transactions: most of the queried data stays in shared memory. */
export const largeServer = [
  "shared_buffers=1GB",
  "maintenance_work_mem=512MB",
  "max_wal_size=4GB",
  // No data for replicas is written.
  "wal_level=minimal",
  "max_wal_senders=0",
];

/** Runs work with a new local PostgreSQL whose tables exist and are empty. */
export function withPostgres<T>(
  work: (database: Database) => Promise<T>,
  settings: readonly string[] = [],
): Promise<T> {
  return inFolder(async (folder) => {
    const server = await startPostgres(folder, { settings });
    try {
      return await withDatabase(postgresUrl(server, "postgres"), work);
    } finally {
      await stopPostgres(server);
    }
  });
}

/** Runs work with the database at an address, whose tables are made when they are absent. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPostgres(url, modules);
  try {
    await migrate(database, modules);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The same with the embedded database. */
export function withEmbedded<T>(work: (database: Database) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const database = await openEmbedded(folder, modules);
    try {
      await migrate(database, modules);
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/** Lets several benchmarks share one run. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

/** The disk size of the database. */
export async function databaseBytes(database: Database): Promise<number> {
  const [row] = await database.query("select pg_database_size(current_database()) as bytes");
  return Number(row?.bytes);
}
