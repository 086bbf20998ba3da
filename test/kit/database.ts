import { randomUUID } from "node:crypto";
import type { Database } from "../../src/history/store/Database.ts";
import { migrate } from "../../src/history/store/migrate.ts";
import { openPostgres } from "../../src/history/store/postgres/openPostgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { openFromTemplate } from "./databaseTemplate.ts";
import { postgresUrl, sharedPostgres } from "./postgresServer.ts";

/** Both engines: every test of the index runs on each. */
export const engines = ["postgres", "embedded"] as const;
export type Engine = (typeof engines)[number];

export const quietModules = { clock: systemClock, log: openLog({ level: "silent" }) };

/** A fresh database with no tables in it; closing it is the caller's. */
export async function openEmpty(engine: Engine): Promise<Database> {
  return engine === "embedded" ? openFromTemplate("none") : openPostgres(await freshUrl(), quietModules);
}

/** A fresh database with all tables; closing it is the caller's. */
export async function openFresh(engine: Engine): Promise<Database> {
  if (engine === "embedded") return openFromTemplate("all");
  const database = await openEmpty(engine);
  await migrate(database, quietModules);
  return database;
}

/** The URL of a new, empty database on the PostgreSQL that the tests share. */
export async function freshUrl(): Promise<string> {
  const server = await sharedPostgres();
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const first = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
  await first.runAlone(`create database ${name}`);
  await first.close();
  return postgresUrl(server, name);
}
