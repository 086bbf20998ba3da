import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedProcess, serveProcess } from "../../../../kit/api/servedProcess.ts";
import {
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../../../kit/history/postgres/postgresServer.ts";
import { type CompiledApp, compileApp } from "../../../../kit/suite/compiledApp.ts";
import { openPostgres } from "../../../../src/history/store/engine/postgres/openPostgres.ts";
import { quietModules } from "../../../kit/history/database.ts";

describe("a service that is stopped while its PostgreSQL does not answer", () => {
  let app: CompiledApp;
  let folder: string;
  let server: PostgresServer;

  beforeAll(async () => {
    app = await compileApp();
    folder = mkdtempSync(join(tmpdir(), "tongate-busy-"));
    server = await startPostgres(mkdtempSync(join(tmpdir(), "tongate-busy-postgres-")));
    const first = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
    for (const name of ["locked", "hanging"]) await first.runAlone(`create database ${name}`);
    await first.close();
  });
  afterAll(async () => {
    await stopPostgres(server);
    for (const each of [folder, server.folder]) rmSync(each, { recursive: true });
  });

  /** Starts it on the database, and waits until it has indexed blocks. */
  async function serve(name: string): Promise<ServedProcess> {
    const flags = ["--data", join(folder, name), "--demo", "off", "--database", postgresUrl(server, name)];
    const service = await serveProcess(app, flags);
    const hasBlocks = async () => (await fetch(`${service.origin}/api/v3/masterchainInfo`)).status;
    await expect.poll(hasBlocks, { timeout: 120_000 }).toBe(200);
    return service;
  }

  it("ends its statements that wait for a lock of another session, and stops in order", async () => {
    const service = await serve("locked");
    const other = await openPostgres(postgresUrl(server, "locked"), quietModules);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const locking = other.write(async (session) => {
      await session.run("lock table blocks in access exclusive mode");
      await held;
    });
    const waits = "select count(*)::int as count from pg_locks where not granted and relation = 'blocks'::regclass";
    const isWaiting = async () => Number((await other.query(waits))[0]?.count) > 0;
    await expect.poll(isWaiting, { timeout: 120_000 }).toBe(true);
    expect(await service.stop()).toBe(0);
    expect(service.logged.filter((line) => line.includes("took too long"))).toEqual([]);
    release();
    await locking;
    await other.close();
    const again = await serve("locked");
    expect(await again.stop()).toBe(0);
  });

  it("ends its connections with a database that hangs", async () => {
    const service = await serve("hanging");
    const [postmaster = ""] = readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n");
    const children = execFileSync("ps", ["--ppid", postmaster, "-o", "pid="], { encoding: "utf8" }).split("\n");
    const pids = [postmaster, ...children].map(Number).filter((pid) => pid > 0);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      expect(await service.stop()).toBe(0);
      expect(service.logged.filter((line) => line.includes("took too long"))).toEqual([]);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
  });
});
