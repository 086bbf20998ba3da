import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresUrl, startPostgres, stopPostgres } from "../../kit/history/postgres/postgresServer.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../src/history/store/migrate/migrate.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { treeCpu } from "../kit/treeCpu.ts";

const modules = { clock: systemClock, log: openLog({ level: "error" }) };

/** A PostgreSQL for the duration of a measurement. */
export interface MeasuredServer {
  /** Makes a database whose tables exist and are empty. */
  addDatabase(): Promise<MeasuredDatabase>;
  /** Makes a database with the rows of another one, whose connection is closed. */
  copyDatabase(from: MeasuredDatabase): Promise<MeasuredDatabase>;
  /** Removes a database, so that the server spends no more time on it. */
  dropDatabase(measured: MeasuredDatabase): Promise<void>;
  /** CPU time of all its processes so far, in seconds. Linux only. */
  cpuSeconds(): number;
}

/** A database of the server with an open connection. */
export interface MeasuredDatabase {
  readonly name: string;
  readonly url: string;
  readonly database: Database;
}

/** Runs work with a new PostgreSQL. */
export async function withServers<T>(work: (server: MeasuredServer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  const server = await startPostgres(folder);
  const opened = new Set<Database>();
  let made = 0;
  const open = async (name: string): Promise<MeasuredDatabase> => {
    const url = postgresUrl(server, name);
    const database = await openPostgres(url, modules);
    opened.add(database);
    return { name, url, database };
  };
  const close = async (database: Database): Promise<void> => {
    if (opened.delete(database)) await database.close();
  };
  try {
    const { database: first } = await open("postgres");
    return await work({
      addDatabase: async () => {
        const name = `measured${made++}`;
        await first.runAlone(`create database ${name}`);
        const added = await open(name);
        await migrate(added.database, modules);
        return added;
      },
      copyDatabase: async ({ name: from, database }) => {
        await close(database);
        const name = `measured${made++}`;
        await first.runAlone(`create database ${name} template ${from}`);
        return open(name);
      },
      dropDatabase: async ({ name, database }) => {
        await close(database);
        await first.runAlone(`drop database ${name} with (force)`);
      },
      cpuSeconds: () => treeCpu(Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10)),
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
