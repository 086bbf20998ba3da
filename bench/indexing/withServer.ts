import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/history/store/Database.ts";
import { migrate } from "../../src/history/store/migrate.ts";
import { openPostgres } from "../../src/history/store/postgres/openPostgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { postgresUrl, startPostgres, stopPostgres } from "../../test/kit/history/postgres/postgresServer.ts";

const modules = { clock: systemClock, log: openLog({ level: "error" }) };

/** Runs work with a new PostgreSQL whose tables exist and are empty; passes its URL and an open connection. */
export async function withServer<T>(work: (url: string, database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  const server = await startPostgres(folder);
  const url = postgresUrl(server, "postgres");
  const database = await openPostgres(url, modules);
  try {
    await migrate(database, modules);
    return await work(url, database);
  } finally {
    await database.close();
    await stopPostgres(server);
    rmSync(folder, { recursive: true, force: true });
  }
}
