import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyTemplate } from "../../kit/history/databaseTemplate.ts";
import {
  isRunning,
  launchPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../kit/history/postgres/postgresServer.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { RemoteStage, type TestService } from "../kit/app/remoteStage.ts";
import { openFresh, quietModules } from "../kit/history/database.ts";
import { openIndexStage } from "../kit/history/indexStage.ts";
import { dumpIndex } from "../kit/history/indexTables.ts";
import { type ServedGrowth, serveGrowth } from "../kit/history/killedIndexer.ts";
import {
  findMountRefusal,
  mayUnshare,
  mountSmallDisk,
  ownNamespace,
  type SmallDisk,
} from "../kit/history/smallDisk.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";
import "../kit/suite/longRun.ts";

const halfway = 20;
const lastSeqno = 40;
const patience = { timeout: 300_000, interval: 200 };
const never = new AbortController().signal;

/** The network is stored next to the rows; the rows do not depend on it. */
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
    if (mayUnshare()) it("continues when there is space again, in the built-in database", tryInNamespace, 900_000);
    it("is skipped if no file system may be mounted", () => {
      process.stdout.write(`full disk not tried${mayUnshare() ? " with PostgreSQL" : ""}: ${refusal}\n`);
      expect(findMountRefusal()).toBe(refusal);
    });
    return;
  }
  let disk: SmallDisk;
  let elsewhere: string;
  let stage: RemoteStage;
  let whole: Awaited<ReturnType<typeof dump>>;

  beforeAll(async () => {
    disk = mountSmallDisk(320);
    elsewhere = mkdtempSync(join(tmpdir(), "tongate-elsewhere-"));
    chmodSync(elsewhere, 0o755);
    stage = await RemoteStage.open();
    const undisturbed = await openIndexStage(importSplitChain(), await openFresh("embedded"));
    await undisturbed.indexer({}).run(never);
    whole = await dump(undisturbed.database);
    await undisturbed.close();
  });
  afterAll(async () => {
    await stage?.close();
    disk?.close();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  /** Indexes half of the chain and then fills the disk. */
  async function fillUp(chain: ServedGrowth, on: SmallDisk, flags: readonly string[]): Promise<TestService> {
    chain.growTo(halfway);
    const flagsOfAll = ["--network", chain.config, "--trust", "--index", "--from", "genesis"];
    const service = await stage.serve([...flagsOfAll, ...flags]);
    await expect.poll(() => seqnoOf(service), patience).toBe(halfway);
    expect(await isFailing(service)).toBe(false);
    on.fill();
    return service;
  }

  /** Lets the chain grow without free space; checks the reported status and what still works. */
  async function fail(service: TestService, chain: ServedGrowth): Promise<void> {
    const before = await page(service);
    chain.growTo(lastSeqno);
    await expect
      .poll(() => standing(service), patience)
      .toMatch(/^failing, .*: .*(?:almost full|No space).*; block 20,/);
    expect(await isFailing(service)).toBe(true);
    expect([await seqnoOf(service), await page(service)]).toEqual([halfway, before]);
  }

  /** Frees space and waits for the end of the chain. */
  async function goOn(service: TestService, on: SmallDisk): Promise<void> {
    on.free();
    await expect.poll(() => seqnoOf(service), patience).toBe(lastSeqno);
    await expect.poll(() => isFailing(service), patience).toBe(false);
    await service.close();
  }

  it("reports the reason, keeps answering and continues when there is space, in the built-in database", async () => {
    const chain = await serveGrowth(stage.folder, "embedded");
    const data = join(disk.folder, "data");
    await copyTemplate("all", join(data, "index", "embedded"));
    const service = await fillUp(chain, disk, ["--data", data]);
    await fail(service, chain);
    await goOn(service, disk);
    const database = await openEmbedded(join(data, "index", "embedded"), quietModules);
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 900_000);

  it("reopens, in the built-in database, if not even its log could be written", async () => {
    const folder = join(disk.folder, "log");
    await copyTemplate("none", folder);
    const database = await openEmbedded(folder, quietModules);
    await database.write((session) => session.run("create table kept as select 1 as n"));
    disk.fill();
    // Writes only to the WAL, which does not check for free space.
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
  });

  it("reports the reason, keeps answering and continues when there is space for rows, in PostgreSQL", async () => {
    const chain = await serveGrowth(stage.folder, "rows");
    // Without space for the WAL the whole server would stop, so it is on another disk.
    const rows = await startOn({ rows: disk.folder, wal: elsewhere });
    const service = await fillUp(chain, disk, ["--database", postgresUrl(rows, "postgres")]);
    await fail(service, chain);
    await goOn(service, disk);
    expect(await dumpAt(postgresUrl(rows, "postgres"))).toEqual(whole);
    await stopPostgres(rows);
    await chain.close();
  }, 900_000);

  it("continues by itself after PostgreSQL crashed without space for its log and was restarted", async () => {
    const chain = await serveGrowth(stage.folder, "log");
    const server = await startOn({ rows: elsewhere, wal: disk.folder });
    const service = await fillUp(chain, disk, ["--database", postgresUrl(server, "postgres")]);
    await exhaustLog(server);
    chain.growTo(lastSeqno);
    // Some servers crash at once; others restart by themselves or wait for space.
    if (!isRunning(server))
      await expect.poll(() => service.ask("/api/v3/masterchainInfo"), patience).toMatchObject({ status: 503 });
    disk.free();
    await expect.poll(() => answersAgain(server), patience).toBe(true);
    await goOn(service, disk);
    expect(await dumpAt(postgresUrl(server, "postgres"))).toEqual(whole);
    await stopPostgres(server);
    await chain.close();
  }, 900_000);
});

/** A PostgreSQL with rows and WAL on different disks, without automatic checkpoints. */
async function startOn(places: { readonly rows: string; readonly wal: string }): Promise<PostgresServer> {
  const [folder, walFolder] = [places.rows, places.wal].map((place) => mkdtempSync(join(place, "postgres-")));
  return startPostgres(String(folder), { walFolder: String(walFolder), settings: ["checkpoint_timeout=1h"] });
}

/** Runs this file again where file systems may be mounted; PostgreSQL would see itself as root there and refuse. */
async function tryInNamespace(): Promise<void> {
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
  const args = [process.execPath, vitest, "run", import.meta.filename, "-t", "in the built-in database"];
  const env = { PATH: process.env.PATH ?? "" };
  const child = spawn("unshare", [...ownNamespace, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const output = await text(child.stdout);
  expect([child.exitCode ?? (await once(child, "exit"))[0], output]).toEqual([0, expect.stringMatching(/\d passed/)]);
}

async function dumpAt(url: string): Promise<Awaited<ReturnType<typeof dump>>> {
  const database = await openPostgres(url, quietModules);
  const rows = await dump(database);
  await database.close();
  return rows;
}

/** Whether the server answers; starts it if it has crashed. */
async function answersAgain(server: PostgresServer): Promise<boolean> {
  if (!isRunning(server)) await launchPostgres(server);
  const url = postgresUrl(server, "postgres");
  const database = await openPostgres(url, quietModules, { readers: 1, connectMs: 2_000 }).catch(() => undefined);
  await database?.close();
  return database !== undefined;
}

/** Writes to the WAL until the disk is full: the connection ends or waits for space. */
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
