import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyTemplate } from "../../../../../kit/history/databaseTemplate.ts";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openEmbedded } from "../../../../../src/history/store/engine/embedded/openEmbedded.ts";
import { systemClock } from "../../../../../src/lib/clock.ts";
import { openLog } from "../../../../../src/lib/log.ts";
import { quietModules } from "../../../../kit/history/database.ts";

/** Minutes of work for the engine, without a table. */
const endless = "select count(*) from generate_series(1, 100000000) a, generate_series(1, 100000000) b";

describe("the built-in database", () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tongate-embedded-"));
    await copyTemplate("none", folder);
    database = await openEmbedded(folder, quietModules, { patienceMs: 1 });
    await database.runAlone("create table things (id int primary key)");
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it("keeps a second process out of its folder", async () => {
    await expect(openEmbedded(folder, quietModules)).rejects.toMatchObject({
      code: "history/locked",
      data: { pid: process.pid },
    });
  });

  it("ends a statement at its time limit, and keeps committed data", async () => {
    await database.write((session) => session.run("insert into things values (1)"));
    const late = database.query(endless, [], { timeoutMs: 100 });
    const waiting = database.write((session) => session.run("insert into things values (2)"));
    await expect(late).rejects.toMatchObject({ code: "history/timeout" });
    await waiting;
    const within = database.read((session) => session.query(endless), { timeoutMs: 100 });
    await expect(within).rejects.toMatchObject({ code: "history/timeout" });
    expect(await database.query("select id from things order by id")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("lets a caller leave at once", async () => {
    const leaving = new AbortController();
    const left = database.query("select pg_sleep(0.3)", [], { signal: leaving.signal });
    const next = database.query("select pg_sleep(0.3)", [], { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "lib/aborted" });
    await expect(next).rejects.toMatchObject({ code: "lib/aborted" });
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("is not ended by a caller with a short deadline, which leaves at once", async () => {
    const lines: string[] = [];
    const log = openLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
    await database.close();
    database = await openEmbedded(folder, { clock: systemClock, log });
    const hurried = database.read((session) => session.query("select pg_sleep(0.3)"), { timeoutMs: 1 });
    const next = database.query("select 1 as one");
    await expect(hurried).rejects.toMatchObject({ code: "history/timeout" });
    expect(await next).toEqual([{ one: 1 }]);
    expect(lines).toEqual([]);
  });

  it("vacuums its tables, like a server", async () => {
    await database.runAlone("create table busy (id int primary key, name text)");
    await database.write((session) => session.run("insert into busy select g, 'x' from generate_series(1, 5000) g"));
    const tended = async () => {
      const [row] = await database.query(
        "select last_vacuum is not null as is_clean, last_analyze is not null as is_counted from pg_stat_user_tables where relname = 'busy'",
      );
      return row?.is_clean === true && row?.is_counted === true;
    };
    while (!(await tended())) await database.write((session) => session.run("update busy set name = name || '.'"));
    expect(await database.query("select count(*) from busy")).toEqual([{ count: 5000n }]);
  });

  it("keeps its data when it is reopened", async () => {
    await database.close();
    database = await openEmbedded(folder, quietModules);
    expect(await database.query("select count(*) from things")).toEqual([{ count: 2n }]);
  });
});

describe("the files of a built-in database", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tongate-embedded-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are moved into place when complete, whatever an earlier attempt left or still writes", async () => {
    const [left, written] = ["1", "2"].map((name) => join(folder, `database.unfinished-${name}`)) as [string, string];
    mkdirSync(join(folder, "database"));
    mkdirSync(join(left, "base"), { recursive: true });
    writeFileSync(join(left, "PG_VERSION"), "");
    const writes = `const { mkdirSync, writeFileSync } = require("node:fs");
      const write = (at) => { mkdirSync(process.argv[1], { recursive: true }); writeFileSync(process.argv[1] + "/" + at, ""); };
      setInterval(() => { for (let at = 0; at < 50; at++) write(at); }, 50);`;
    const orphan = spawn(process.execPath, ["--eval", writes, written], { stdio: "ignore" });
    const gone = once(orphan, "exit");
    try {
      await expect.poll(() => existsSync(join(written, "49"))).toBe(true);
      const database = await openEmbedded(folder, quietModules);
      expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
      await database.close();
    } finally {
      orphan.kill("SIGKILL");
      await gone;
    }
    rmSync(written, { recursive: true, force: true });
    expect(readdirSync(folder).filter((name) => name.startsWith("database"))).toEqual(["database"]);
  });

  it("never replace others", async () => {
    rmSync(join(folder, "database", "PG_VERSION"));
    const before = readdirSync(join(folder, "database"));
    await expect(openEmbedded(folder, quietModules)).rejects.toMatchObject({ code: "history/database" });
    expect(readdirSync(join(folder, "database"))).toEqual(before);
  });
});
