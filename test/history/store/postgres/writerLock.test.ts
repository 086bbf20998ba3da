import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../src/history/store/postgres/openPostgres.ts";
import { quietModules } from "../../../kit/history/database.ts";
import { postgresUrl, sharedPostgres } from "../../../kit/history/postgres/postgresServer.ts";

const hung = { beatMs: 1_000_000, silentMs: 1_000_000 };
const alive = { beatMs: 100, silentMs: 1_000 };
const schemas = [undefined, "writers_of_a_test"] as const;

describe.each(schemas)("the lock of writers in schema %s", (schema) => {
  let url: string;
  const opened: Database[] = [];
  beforeAll(async () => {
    url = postgresUrl(await sharedPostgres(), "postgres");
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
  });

  async function open(lockTimes: typeof hung): Promise<Database> {
    const database = await openPostgres(url, quietModules, { schema, lockTimes, readers: 1 });
    opened.push(database);
    return database;
  }

  it("is taken from a hanging writer, which detects the loss", async () => {
    const silent = await open(hung);
    const held = await silent.lockWriter();
    const startedAt = Date.now();
    const next = await (await open(alive)).lockWriter();
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await silent.query("select 1");
    expect(held.lost.aborted).toBe(true);
    await next.release();
    await held.release();
  });

  it("stays with a live writer, however long another waits", async () => {
    const held = await (await open(alive)).lockWriter();
    const leaving = new AbortController();
    const waiting = (await open(alive)).lockWriter(leaving.signal);
    waiting.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(held.lost.aborted).toBe(false);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
    await held.release();
  });
});
