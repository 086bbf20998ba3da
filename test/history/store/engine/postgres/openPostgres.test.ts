import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  launchPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../../../../kit/history/postgres/postgresServer.ts";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../../../../src/history/store/migrate/migrate.ts";
import { openLog } from "../../../../../src/lib/log.ts";
import { commitBatch } from "../../../../kit/history/commitBatch.ts";
import { freshUrl, openEmpty, quietModules } from "../../../../kit/history/database.ts";
import { batchOf } from "../../../../kit/history/databaseRows.ts";

/** The number of sleeping statements in other sessions of the same database. */
async function sleepers(database: Database): Promise<bigint> {
  const [row] = await database.query(
    `select count(*) from pg_stat_activity where datname = current_database() and state = 'active'
     and pid <> pg_backend_pid() and query like '%pg_sleep%'`,
  );
  return row?.count as bigint;
}

describe("a statement", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmpty("postgres");
  });
  afterAll(() => database.close());

  it("ends in the database at its timeout", async () => {
    const late = database.query("select pg_sleep(600)", [], { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ code: "history/timeout" });
    expect(await sleepers(database)).toBe(0n);
    const within = database.read((session) => session.query("select pg_sleep(600)"), { timeoutMs: 50 });
    await expect(within).rejects.toMatchObject({ code: "history/timeout" });
    const own = database.read((session) => session.query("select pg_sleep(600)", [], { timeoutMs: 50 }));
    await expect(own).rejects.toMatchObject({ code: "history/timeout" });
    expect(await sleepers(database)).toBe(0n);
  });

  it("that the database warns of is logged with the warning, one that it only remarks on is not", async () => {
    const lines: unknown[] = [];
    const log = openLog({ level: "info", destination: { write: (line) => lines.push(JSON.parse(line)) } });
    const single = await openPostgres(await freshUrl(), { log });
    const say = (level: string) =>
      single.write((session) =>
        session.run(`do $$ begin raise ${level} 'of %', '${level}' using hint = 'look'; end $$`),
      );
    await say("notice");
    await say("warning");
    await single.close();
    expect(lines).toEqual([
      { level: "warn", time: expect.any(String), msg: "the database warns", warning: "of warning", hint: "look" },
    ]);
  });

  it("does not pass its limit on to the next", async () => {
    const single = await openEmpty("postgres");
    await single.query("select 1", [], { timeoutMs: 300_000 });
    await single.read((session) => session.query("select 1", [], { timeoutMs: 200_000 }), { timeoutMs: 400_000 });
    for (let count = 0; count < 10; count++)
      expect(await single.query("select current_setting('statement_timeout') as t")).toEqual([{ t: "0" }]);
    await single.close();
  });

  it("ends in the database when its caller aborts", async () => {
    const leaving = new AbortController();
    const left = database.query("select pg_sleep(600)", [], { signal: leaving.signal });
    left.catch(() => {});
    while ((await sleepers(database)) === 0n);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "lib/aborted" });
    expect(await sleepers(database)).toBe(0n);
    expect(await Promise.all(Array.from({ length: 16 }, () => database.query("select 1 as one")))).toEqual(
      Array.from({ length: 16 }, () => [{ one: 1 }]),
    );
  });

  it("is not sent if its caller has already aborted", async () => {
    const rows = database.query("select 1", [], { signal: AbortSignal.abort() });
    await expect(rows).rejects.toMatchObject({ code: "lib/aborted" });
  });
});

describe("a missing database", () => {
  it.each(["nonsense", "http://127.0.0.1/", "postgres://127.0.0.1:1/none"])("is rejected: %s", async (url) => {
    await expect(openPostgres(url, quietModules)).rejects.toMatchObject({ code: "history/database" });
  });
});

describe("a server that restarts", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres(mkdtempSync(join(tmpdir(), "tongate-restart-")));
    database = await openPostgres(postgresUrl(server, "postgres"), quietModules);
    await migrate(database, quietModules);
  });
  afterAll(async () => {
    await database.close();
    await stopPostgres(server);
    rmSync(server.folder, { recursive: true, force: true });
  });

  it("fails running statements, and nothing after that", async () => {
    const segment = { firstSeqno: 1 };
    await commitBatch(database, batchOf(1), segment);
    const lock = await database.lockWriter();
    const cut = database.write(async (session) => {
      await session.run("insert into index_facts values ('cut', 'short')");
      await stopPostgres(server);
      await launchPostgres(server);
      await session.run("insert into index_facts values ('second', 'half')");
    });
    await expect(cut).rejects.toMatchObject({ code: "history/database" });
    expect(await commitBatch(database, batchOf(2), segment)).toMatchObject({ kind: "committed" });
    expect(await database.query("select name from index_facts")).toEqual([]);
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
    await (await database.lockWriter()).release();
  });

  it("fails a statement that is sent while its connection ends", async () => {
    const other = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
    const waits = [
      async () => {},
      () => new Promise((resolve) => setImmediate(resolve)),
      () => new Promise((resolve) => setTimeout(resolve, 2)),
    ];
    for (const [turn, wait] of [...waits, ...waits, ...waits, ...waits].entries()) {
      const cut = database.write(async (session) => {
        const [row] = await session.query("select pg_backend_pid() as pid");
        await other.runAlone(`select pg_terminate_backend(${row?.pid})`);
        await wait();
        if (turn % 2 === 0) await session.run("select 1");
        else await session.query("select $1::int", [turn]);
      });
      await expect(cut).rejects.toMatchObject({ code: "history/database" });
    }
    await other.close();
  });

  it("is reported while it is unavailable", async () => {
    await stopPostgres(server);
    await expect(database.query("select 1")).rejects.toMatchObject({ code: "history/database" });
    await expect(database.write((session) => session.run("select 1"))).rejects.toMatchObject({
      code: "history/database",
    });
    await launchPostgres(server);
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    await database.write((session) => session.run("select 1"));
  });
});
