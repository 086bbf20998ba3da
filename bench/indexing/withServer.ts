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

/** A PostgreSQL for the duration of a measurement. */
export interface MeasuredServer {
  /** Makes a database whose tables exist and are empty; returns its URL and an open connection. */
  addDatabase(): Promise<{ readonly url: string; readonly database: Database }>;
}

/** Runs work with a new PostgreSQL. */
export async function withServers<T>(work: (server: MeasuredServer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  const server = await startPostgres(folder);
  const opened: Database[] = [];
  const open = async (name: string) => {
    const url = postgresUrl(server, name);
    const database = await openPostgres(url, modules);
    opened.push(database);
    return { url, database };
  };
  try {
    const { database: first } = await open("postgres");
    return await work({
      addDatabase: async () => {
        const name = `measured${opened.length}`;
        await first.runAlone(`create database ${name}`);
        const added = await open(name);
        await migrate(added.database, modules);
        return added;
      },
    });
  } finally {
    for (const database of opened) await database.close();
    await stopPostgres(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same with one database; passes its URL and an open connection. */
export function withServer<T>(work: (url: string, database: Database) => Promise<T>): Promise<T> {
  return withServers(async (server) => {
    const { url, database } = await server.addDatabase();
    return work(url, database);
  });
}
