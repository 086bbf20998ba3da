import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { writerLockTimes } from "../../../../../src/history/store/engine/postgres/writerLock.ts";
import type { Clock } from "../../../../../src/lib/clock.ts";
import { systemClock } from "../../../../../src/lib/clock.ts";
import { processName } from "../../../../../src/lib/process/processName.ts";
import { freshUrl, quietModules } from "../../../../kit/history/database.ts";
import { ManualClock } from "../../../../kit/suite/ManualClock.ts";

const hung = { beatMs: 1_000_000, silentMs: 1_000_000 };
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

  async function open(lockTimes = writerLockTimes, clock: Clock = systemClock): Promise<Database> {
    const database = await openPostgres(url, { ...quietModules, clock }, { schema, lockTimes, readers: 1 });
    opened.push(database);
    return database;
  }

  /** Lets the last report of the holder be older, instead of waiting. */
  async function grow(database: Database, byMs: number): Promise<void> {
    await database.runAlone(`update index_writer set beat_at = beat_at - ${byMs}`);
  }

  it("is taken from a writer that hangs for almost 15 seconds, which cannot write any more", async () => {
    const silent = await open(hung);
    const held = await silent.lockWriter();
    // The next writer looks once in a second.
    await grow(silent, 14_000);
    const next = await (await open()).lockWriter();
    await expect(silent.write(async () => {})).rejects.toMatchObject({ code: "history/lease" });
    expect(held.lost.aborted).toBe(true);
    await held.release();
    await expect(silent.write(async () => "not under the lock")).resolves.toBe("not under the lock");
    await next.release();
  });

  it("is taken from a writer that hangs in a transaction, which ends", async () => {
    const silent = await open(hung);
    const next = await open();
    await next.runAlone("create table things (id int)");
    const held = await silent.lockWriter();
    const writing = silent.write(async (session) => {
      await session.run("insert into things values (1)");
      await grow(next, 14_000);
      const lock = await next.lockWriter();
      await lock.release();
      await session.run("insert into things values (2)");
    });
    await expect(writing).rejects.toMatchObject({ code: "history/database" });
    expect(await next.query("select id from things")).toEqual([]);
    await held.release();
  });

  it("is reported in transactions that the database ends when the process hangs, like all that write", async () => {
    const database = await open({ ...writerLockTimes, beatMs: 20, silentMs: 700_000 });
    const held = await database.lockWriter();
    await database.runAlone(`
      create table limits (of_report text);
      create function keep_limit() returns trigger language plpgsql as $$
      begin insert into limits values (current_setting('idle_in_transaction_session_timeout')); return new; end $$;
      create trigger keep_limit before update on index_writer for each row execute function keep_limit()`);
    const seen = () => database.query("select distinct of_report from limits");
    await expect.poll(seen).toEqual([{ of_report: "700s" }]);
    await database.runAlone("drop trigger keep_limit on index_writer");
    await held.release();
    const limit = "select current_setting('idle_in_transaction_session_timeout') as limit";
    expect(await database.write((session) => session.query(limit))).toEqual([{ limit: "1min" }]);
  });

  it("is taken at once from a process that is gone", async () => {
    const database = await open({ beatMs: 1_000_000, silentMs: 1_000_000 });
    await (await database.lockWriter()).release();
    const child = spawnSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" });
    const gone = processName().replace(`:${process.pid}@`, `:${child.stdout.trim()}@`);
    await database.runAlone(`update index_writer set holder = '${gone} 1'`);
    await (await database.lockWriter()).release();
  });

  it("stays with a writer that reports as often as it should, however long another waits", async () => {
    const [own, others] = [new ManualClock(), new ManualClock()];
    const database = await open(writerLockTimes, own);
    const held = await database.lockWriter();
    const reader = await open();
    const isFresh = async () => {
      const rows = await reader.query(
        "select extract(epoch from now()) * 1000 - beat_at < 5000 as fresh from index_writer",
      );
      return rows[0]?.fresh;
    };
    const leaving = new AbortController();
    const waiting = (await open(writerLockTimes, others)).lockWriter(leaving.signal);
    waiting.catch(() => {});
    for (let beats = 0; beats < 15; beats++) {
      // The other looks only when its clock goes on: in the meantime two reports were lost, and the third arrives.
      await expect.poll(() => others.waiting).toBe(1);
      await grow(reader, 3 * writerLockTimes.beatMs);
      await own.advance(writerLockTimes.beatMs);
      await expect.poll(isFresh).toBe(true);
      await others.advance(1_000);
    }
    expect(held.lost.aborted).toBe(false);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
    await held.release();
  });

  it("is held by one process at a time", async () => {
    const each = await Promise.all(Array.from({ length: 6 }, () => open()));
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
