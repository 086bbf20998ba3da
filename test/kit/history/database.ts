import { randomUUID } from "node:crypto";
import { openFromTemplate } from "../../../kit/history/databaseTemplate.ts";
import { type PostgresServer, postgresUrl, sharedPostgres } from "../../../kit/history/postgres/postgresServer.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../../src/history/store/migrate/migrate.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openLog } from "../../../src/lib/log.ts";
import { someOf } from "../suite/everything.ts";
import { findCitus, openCitus } from "./cluster/citus.ts";

export type Engine = "postgres" | "embedded" | "citus";

/** Every test of the index runs on both engines. */
export const engines = ["postgres", "embedded"] as const;

/** Tests of what is in the tables run on a cluster as well, where they are given one. */
export const enginesOfTables: readonly Engine[] = findCitus() === undefined ? engines : [...engines, "citus"];

/** For rules of statements that both engines run alike: PostgreSQL in the ordinary run, all of them with everything. */
export const enginesOfStatements: readonly Engine[] = someOf(enginesOfTables, (engine) => engine !== "embedded");

/** A busy machine may be ten times slower than an idle one. */
const patience = { connectMs: 120_000 };

export const quietModules = { clock: systemClock, log: openLog({ level: "silent" }) };

/** A new database without tables; the caller closes it. */
export async function openEmpty(engine: Engine): Promise<Database> {
  if (engine === "citus") return openCitus("none");
  return engine === "embedded" ? openFromTemplate("none") : openPostgres(await freshUrl(), quietModules, patience);
}

/** A new database with all tables; the caller closes it. */
export async function openFresh(engine: Engine): Promise<Database> {
  if (engine === "citus") return openCitus("all");
  return engine === "embedded" ? openFromTemplate("all") : openPostgres(await freshUrl("all"), quietModules, patience);
}

/** The URL of a new database on the shared test PostgreSQL, empty or with all tables. */
export function freshUrl(contents: "none" | "all" = "none"): Promise<string> {
  return createDatabase(async (server, first) => {
    if (contents === "none") return "template1";
    await makeTemplate(server, first);
    return withTables;
  });
}

/** The URL of a new database with the rows of another one, to which nothing is connected. */
export function copyUrl(url: string): Promise<string> {
  return createDatabase(async () => new URL(url).pathname.slice(1));
}

async function createDatabase(findTemplate: (server: PostgresServer, first: Database) => Promise<string>) {
  const server = await sharedPostgres();
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const first = await openPostgres(postgresUrl(server, "postgres"), quietModules, { ...patience, readers: 1 });
  try {
    await first.runAlone(`create database ${name} template ${await findTemplate(server, first)}`);
  } finally {
    await first.close();
  }
  return postgresUrl(server, name);
}

/** The template database: copying tables is several times faster than creating them. */
const withTables = "with_tables";

/** Creates the template unless it exists; the lock lets only one of several test files do it. */
async function makeTemplate(server: PostgresServer, first: Database): Promise<void> {
  await first.write(async (session) => {
    await session.query("select pg_advisory_xact_lock(1)");
    const rows = await session.query("select from pg_database where datname = $1", [withTables]);
    if (rows.length > 0) return;
    const maker = await openPostgres(postgresUrl(server, "postgres"), quietModules, { ...patience, readers: 1 });
    const half = `half_${randomUUID().replaceAll("-", "")}`;
    await maker.runAlone(`create database ${half}`);
    const made = await openPostgres(postgresUrl(server, half), quietModules, { ...patience, readers: 1 });
    await migrate(made, quietModules);
    await made.close();
    // Gets its final name only when complete.
    await maker.runAlone(`alter database ${half} rename to ${withTables}`);
    await maker.close();
  });
}
