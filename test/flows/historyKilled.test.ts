import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import { findIndexedHead } from "../../src/history/store/schema/indexedHead.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { freshUrl, quietModules } from "../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../kit/history/indexStage.ts";
import { dumpIndex } from "../kit/history/indexTables.ts";
import {
  type Ending,
  type IndexerStart,
  runUntilKilled,
  serveGrowth,
  startIndexer,
} from "../kit/history/killedIndexer.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";
import { repeats, someOf } from "../kit/suite/everything.ts";
import { faultSeed } from "../kit/suite/faultSeed.ts";
import "../kit/suite/longRun.ts";

/** Each is a start of the program, which is slower with the built-in database. */
const kills = { postgres: repeats({ usual: 2, all: 5 }), embedded: repeats({ usual: 2, all: 3 }) };
const lastSeqno = 40;
const never = new AbortController().signal;

let app: CompiledApp;
let stage: IndexStage;
let folder: string;
let whole: Awaited<ReturnType<typeof dumpIndex>>;

beforeAll(async () => {
  app = await compileApp();
  folder = mkdtempSync(join(tmpdir(), "tongate-killed-index-"));
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  whole = await dump(stage.database);
});

afterAll(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The network is stored next to the rows; the rows do not depend on it. */
const dump = (database: Database) => dumpIndex(database, { without: ["index_facts"] });

/** Grows the chain before each run, so that there is work to do, and kills the program during it. */
async function killOften(start: IndexerStart, times: number, endingOf: EndingOf): Promise<void> {
  const random = seededRandom(`${seed}${basename(start.data)}`);
  for (let life = 1; life <= times; life++) {
    start.chain.growTo(Math.ceil((lastSeqno * life) / times));
    const { code, signal } = await runUntilKilled(start, endingOf(random, life), random);
    expect([life, code, signal]).toEqual([life, null, "SIGKILL"]);
  }
}

type EndingOf = (random: Random, life: number) => Ending;

const half = (random: Random) => random.int(2) === 0;
const moment = (random: Random) => (half(random) ? "before" : "after");

async function reached(database: Pick<Database, "query">): Promise<void> {
  // The tables may not exist yet.
  const head = () => findIndexedHead(database).catch(() => undefined);
  while ((await head())?.seqno !== lastSeqno) await systemClock.sleep(50);
}

/** Waits until the program has printed the text, and keeps reading its output. */
async function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let output = "";
  for await (const more of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += more;
    if (output.includes(text)) break;
  }
  child.stdout?.resume();
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
}

const seed = faultSeed("");

describe(`an indexer that is killed repeatedly${seed && `, at other times (${seed})`}`, () => {
  it.concurrent("leaves the same rows as an undisturbed one, in PostgreSQL", async () => {
    const chain = await serveGrowth(folder, "first");
    const url = await freshUrl();
    const port = Number(new URL(url).port);
    const start = { app, chain, data: join(folder, "postgres"), flags: ["--database", url] };
    await killOften(start, kills.postgres, (random) =>
      half(random)
        ? { kind: "query", nth: 1 + random.int(20) }
        : { kind: "packet", port, nth: 1 + random.int(120), moment: moment(random) },
    );
    const child = startIndexer(start);
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await stop(child);
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 1_800_000);

  it.concurrent.each(someOf(["the built-in database"], () => false))(
    "leaves the same rows as an undisturbed one, in %s",
    async () => {
      const chain = await serveGrowth(folder, "second");
      const start = { app, chain, data: join(folder, "embedded"), flags: [] };
      await killOften(start, kills.embedded, (random, life) =>
        // The first run is killed while the database files are created; it only queries the newest block then.
        half(random) || life === 1
          ? { kind: "query", nth: life === 1 ? 6 : 1 + random.int(20) }
          : { kind: "file", nth: 1 + random.int(100), moment: moment(random) },
      );
      const child = startIndexer(start);
      await waitForOutput(child, `follows the chain; block ${lastSeqno},`);
      await stop(child);
      const database = await openEmbedded(join(folder, "embedded", "index", "second"), quietModules);
      expect(await dump(database)).toEqual(whole);
      await database.close();
      await chain.close();
    },
    1_800_000,
  );
});

describe("two indexers on one PostgreSQL", () => {
  it("write the rows of one: when the first is killed, the second continues", async () => {
    const chain = await serveGrowth(folder, "third");
    chain.growTo(lastSeqno / 2);
    const url = await freshUrl();
    const start = (data: string) => ({ app, chain, data: join(folder, data), flags: ["--database", url] });
    const first = runUntilKilled(start("one"), { kind: "query", nth: 40 }, seededRandom("one"));
    const second = startIndexer(start("two"));
    expect(await first).toMatchObject({ code: null, signal: "SIGKILL" });
    chain.growTo(lastSeqno);
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await stop(second);
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  });
});
