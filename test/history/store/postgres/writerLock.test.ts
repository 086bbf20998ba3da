import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../src/history/store/postgres/openPostgres.ts";
import { processName } from "../../../../src/lib/process/processName.ts";
import { freshUrl, quietModules } from "../../../kit/history/database.ts";

const hung = { beatMs: 1_000_000, silentMs: 1_000_000 };
const alive = { beatMs: 100, silentMs: 1_000 };
const schemas = [undefined, "writers_of_a_test"] as const;

describe.each(schemas)("the lock of writers in schema %s", (schema) => {
  let url: string;
  const opened: Database[] = [];
  beforeAll(async () => {
    url = await freshUrl("none");
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
  });

  async function open(lockTimes: typeof hung): Promise<Database> {
    const database = await openPostgres(url, quietModules, { schema, lockTimes, readers: 1 });
    opened.push(database);
    return database;
  }

  it("is taken from a hanging writer, which cannot write any more", async () => {
    const silent = await open(hung);
    const held = await silent.lockWriter();
    const startedAt = Date.now();
    const next = await (await open(alive)).lockWriter();
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await expect(silent.write(async () => {})).rejects.toMatchObject({ code: "history/lease" });
    expect(held.lost.aborted).toBe(true);
    await held.release();
    await expect(silent.write(async () => "not under the lock")).resolves.toBe("not under the lock");
    await next.release();
  });

  it("is taken from a writer that hangs in a transaction, which ends", async () => {
    const silent = await open(hung);
    const next = await open(alive);
    await next.runAlone("create table things (id int)");
    const held = await silent.lockWriter();
    const writing = silent.write(async (session) => {
      await session.run("insert into things values (1)");
      const lock = await next.lockWriter();
      await lock.release();
      await session.run("insert into things values (2)");
    });
    await expect(writing).rejects.toMatchObject({ code: "history/database" });
    expect(await next.query("select id from things")).toEqual([]);
    await held.release();
  });

  it("is taken at once from a process that is gone", async () => {
    const database = await open({ beatMs: 1_000_000, silentMs: 1_000_000 });
    await (await database.lockWriter()).release();
    const child = spawnSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" });
    const gone = processName().replace(`:${process.pid}@`, `:${child.stdout.trim()}@`);
    await database.runAlone(`update index_writer set holder = '${gone} 1'`);
    await (await database.lockWriter()).release();
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

  it("is held by one process at a time", async () => {
    const each = await Promise.all(Array.from({ length: 6 }, () => open(alive)));
    let holders = 0;
    const max: number[] = [];
    await Promise.all(
      each.map(async (database) => {
        const lock = await database.lockWriter();
        max.push(++holders);
        await database.write((session) => session.query("select 1"));
        holders -= 1;
        await lock.release();
      }),
    );
    expect(max).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
