import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/embedded/openEmbedded.ts";
import { openPostgres } from "../../src/history/store/postgres/openPostgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { quietModules } from "../kit/database.ts";
import { copyTemplate } from "../kit/databaseTemplate.ts";
import { openIndexStage } from "../kit/indexStage.ts";
import { dumpIndex } from "../kit/indexTables.ts";
import { type ServedGrowth, serveGrowth } from "../kit/killedIndexer.ts";
import {
  isRunning,
  launchPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../kit/postgresServer.ts";
import { RemoteStage, type TestService } from "../kit/remoteStage.ts";
import { findMountRefusal, mayUnshare, mountSmallDisk, ownNamespace, type SmallDisk } from "../kit/smallDisk.ts";
import { importSplitChain } from "../kit/splitChain.ts";

const halfway = 20;
const lastSeqno = 40;
const patience = { timeout: 300_000, interval: 200 };
const never = new AbortController().signal;

/** Which network it is stands beside the rows; the rows themselves say nothing of it. */
const dump = (database: Database) => dumpIndex(database, { without: ["index_facts"] });

const seqnoOf = async ({ ask }: TestService) => Object((await ask("/api/v3/masterchainInfo")).body.last).seqno;
const standing = async ({ ask }: TestService) => String(Object((await ask("/readyz")).body.checks).index?.detail);
const page = ({ ask }: TestService) => ask("/api/v3/transactions?limit=100&sort=asc");

async function isFailing({ origins }: TestService): Promise<boolean> {
  const text = await (await fetch(`${origins[0]}/metrics`)).text();
  return /^tongate_index_is_failing(?:\{[^}]*\})? 1$/m.test(text);
}

const refusal = findMountRefusal();

describe("an index whose disk is full", () => {
  if (refusal !== undefined) {
    if (mayUnshare()) it("goes on when there is room, in the built-in database", tryInNamespace, 900_000);
    it("is left out while no file system may be mounted", () => {
      process.stdout.write(`full disk not tried${mayUnshare() ? " with PostgreSQL" : ""}: ${refusal}\n`);
      expect(findMountRefusal()).toBe(refusal);
    });
    return;
  }
  let disk: SmallDisk;
  let stage: RemoteStage;
  let whole: Awaited<ReturnType<typeof dump>>;

  beforeAll(async () => {
    disk = mountSmallDisk(320);
    stage = await RemoteStage.open();
    const undisturbed = await openIndexStage(importSplitChain());
    await undisturbed.indexer({}).run(never);
    whole = await dump(undisturbed.database);
    await undisturbed.close();
  }, 300_000);
  afterAll(async () => {
    await stage?.close();
    disk?.close();
  });

  /** Indexes half of the chain, and more of it when there is no room; looks at what is told and at what still works. */
  async function fillUp(chain: ServedGrowth, on: SmallDisk, flags: readonly string[]): Promise<TestService> {
    chain.growTo(halfway);
    const flagsOfAll = ["--network", chain.config, "--trust", "--index", "--from", "genesis"];
    const service = await stage.serve([...flagsOfAll, ...flags]);
    await expect.poll(() => seqnoOf(service), patience).toBe(halfway);
    const before = await page(service);
    expect(await isFailing(service)).toBe(false);
    on.fill();
    chain.growTo(lastSeqno);
    await expect.poll(() => standing(service), patience).toMatch(/^failing, .*: .*(?:no room|No space) .*; block 20,/);
    expect(await isFailing(service)).toBe(true);
    expect([await seqnoOf(service), await page(service)]).toEqual([halfway, before]);
    return service;
  }

  /** Makes room and waits for the end of the chain. */
  async function goOn(service: TestService, on: SmallDisk): Promise<void> {
    on.free();
    await expect.poll(() => seqnoOf(service), patience).toBe(lastSeqno);
    await expect.poll(() => isFailing(service), patience).toBe(false);
    await service.close();
  }

  it("says why, answers as before and goes on when there is room, in the built-in database", async () => {
    const chain = await serveGrowth(stage.folder, "embedded");
    const data = join(disk.folder, "data");
    const service = await fillUp(chain, disk, ["--data", data]);
    await goOn(service, disk);
    const database = await openEmbedded(join(data, "index", "embedded"), quietModules);
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 900_000);

  it("opens anew, in the built-in database, when not even its log could be written", async () => {
    const folder = join(disk.folder, "log");
    await copyTemplate("none", folder);
    const database = await openEmbedded(folder, quietModules);
    await database.write((session) => session.run("create table kept as select 1 as n"));
    disk.fill();
    // What writes nothing but the log does not ask whether there is room.
    const note = "select pg_logical_emit_message(false, 'x', repeat('y', 1000000))";
    const exhaust = async () => {
      for (;;) await database.query(note);
    };
    await expect(exhaust()).rejects.toMatchObject({ code: "history/full" });
    disk.free();
    expect(await database.query("select n from kept")).toEqual([{ n: 1 }]);
    await database.write((session) => session.run("insert into kept values (2)"));
    expect(await database.query("select n from kept order by n")).toEqual([{ n: 1 }, { n: 2 }]);
    await database.close();
  }, 300_000);

  describe("in PostgreSQL", () => {
    let cluster: SmallDisk;
    let server: PostgresServer;
    beforeAll(async () => {
      cluster = mountSmallDisk(320);
      server = await startPostgres(cluster.folder);
    });
    afterAll(async () => {
      await stopPostgres(server);
      cluster?.close();
    });

    it("says why, answers as before and goes on when there is room", async () => {
      const chain = await serveGrowth(stage.folder, "rows");
      const url = await freshDatabase(server, "rows");
      await goOn(await fillUp(chain, cluster, ["--database", url]), cluster);
      expect(await dumpAt(url)).toEqual(whole);
      await chain.close();
    }, 900_000);

    it("goes on by itself when the server fell because it could not write its log, and was started again", async () => {
      const chain = await serveGrowth(stage.folder, "log");
      const url = await freshDatabase(server, "log");
      const service = await fillUp(chain, cluster, ["--database", url]);
      await exhaustLog(server);
      // Some fall at once; others start again by themselves, or wait for room.
      if (!isRunning(server))
        await expect.poll(() => service.ask("/api/v3/masterchainInfo"), patience).toMatchObject({ status: 503 });
      cluster.free();
      await expect.poll(() => answersAgain(server), patience).toBe(true);
      await goOn(service, cluster);
      expect(await dumpAt(url)).toEqual(whole);
      await chain.close();
    }, 900_000);
  });
});

/** Runs this file again where file systems may be mounted; a PostgreSQL would take itself for root there and refuse. */
async function tryInNamespace(): Promise<void> {
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
  const args = [process.execPath, vitest, "run", import.meta.filename, "-t", "in the built-in database"];
  const env = { PATH: process.env.PATH ?? "" };
  const child = spawn("unshare", [...ownNamespace, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const said = await text(child.stdout);
  expect([child.exitCode ?? (await once(child, "exit"))[0], said]).toEqual([0, expect.stringMatching(/\d passed/)]);
}

async function freshDatabase(server: PostgresServer, name: string): Promise<string> {
  const database = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
  await database.runAlone(`create database ${name}`);
  await database.close();
  return postgresUrl(server, name);
}

async function dumpAt(url: string): Promise<Awaited<ReturnType<typeof dump>>> {
  const database = await openPostgres(url, quietModules);
  const rows = await dump(database);
  await database.close();
  return rows;
}

/** Whether the server answers; one that is gone is started. */
async function answersAgain(server: PostgresServer): Promise<boolean> {
  if (!isRunning(server)) await launchPostgres(server);
  const url = postgresUrl(server, "postgres");
  const database = await openPostgres(url, quietModules, { readers: 1, connectMs: 2_000 }).catch(() => undefined);
  await database?.close();
  return database !== undefined;
}

/** Writes nothing but the server's log until there is no room for it: the connection is gone, or waits for room. */
async function exhaustLog(server: PostgresServer): Promise<void> {
  const database = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
  const write = () => database.runAlone("select pg_logical_emit_message(false, 'x', repeat('y', 1000000))");
  for (let count = 0; count < 400; count++) {
    const end = await Promise.race([
      write().then(
        () => "written",
        () => "refused",
      ),
      systemClock.sleep(20_000),
    ]);
    if (end !== "written") break;
  }
  await database.close();
}
