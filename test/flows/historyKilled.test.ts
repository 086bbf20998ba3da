import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findIndexedHead } from "../../src/history/ingest/indexedHead.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/embedded/openEmbedded.ts";
import { openPostgres } from "../../src/history/store/postgres/openPostgres.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { LiteServer } from "../../src/lite/LiteServer.ts";
import { formatGlobalConfig } from "../../src/localnet/globalConfig.ts";
import { LocalLiteServer } from "../../src/localnet/LocalLiteServer.ts";
import { type CompiledApp, compileApp } from "../kit/compiledApp.ts";
import { freshUrl, quietModules } from "../kit/database.ts";
import { type IndexStage, openIndexStage } from "../kit/indexStage.ts";
import { dumpIndex } from "../kit/indexTables.ts";
import { type ServedChain, serveChain } from "../kit/serveChain.ts";
import { growSplitChain, importSplitChain } from "../kit/splitChain.ts";

/** More for whoever has the time: each is a start of the program. */
const kills = Number(process.env.TONGATE_TEST_KILLS ?? 6);
const lastSeqno = 40;
const never = new AbortController().signal;

let app: CompiledApp;
let stage: IndexStage;
let folder: string;
let whole: Awaited<ReturnType<typeof dumpIndex>>;
/** Called for every question that an indexer asks. */
let onQuestion = () => {};

beforeAll(async () => {
  app = compileApp();
  folder = mkdtempSync(join(tmpdir(), "tongate-killed-index-"));
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  whole = await dump(stage.database);
}, 600_000);

afterAll(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true });
  app?.remove();
});

/** The chain behind a lite server, at its first block until it is told to grow. */
interface ServedGrowth {
  /** The global config by which the program finds it. */
  readonly config: string;
  growTo(seqno: number): void;
  close(): Promise<void>;
}

async function serveGrowth(name: string): Promise<ServedGrowth> {
  const { ledger, grow } = growSplitChain(1);
  const server = new LocalLiteServer({ ledger });
  const watched: LiteServer = {
    ask: (question, options) => {
      onQuestion();
      return server.ask(question, options);
    },
    close: async () => {},
    destroy: () => {},
  };
  const served: ServedChain = await serveChain(watched);
  const config = join(folder, `${name}.json`);
  writeFileSync(config, formatGlobalConfig({ zeroState: ledger.zero.id, host: "127.0.0.1", ...served }));
  return {
    config,
    growTo: (seqno) => {
      while (ledger.headId.seqno < seqno) grow();
    },
    close: async () => {
      await served.close();
      await server.close();
    },
  };
}

/** Which network it is stands beside the rows; the rows themselves say nothing of it. */
const dump = (database: Database) => dumpIndex(database, { without: ["index_facts"] });

function start({ config }: ServedGrowth, data: string, ...flags: string[]): ChildProcess {
  const place = ["--network", config, "--trust", "--data", join(folder, data), "--from", "genesis"];
  const args = [app.cli, "index", ...place, "--log-level", "error", ...flags];
  return spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", "inherit"] });
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Lets the chain grow from life to life, so that each has work to do, and kills the program in the midst of it. */
async function killOften(chain: ServedGrowth, data: string, flags: readonly string[]): Promise<void> {
  const random = seededRandom(data);
  for (let life = 1; life <= kills; life++) {
    chain.growTo(Math.ceil((lastSeqno * life) / kills));
    const child = start(chain, data, ...flags);
    await askedFor(5 + random.int(25));
    await systemClock.sleep(random.int(100));
    await kill(child, "SIGKILL");
  }
}

/** Waits until so much was asked, or nothing more is. */
function askedFor(enough: number): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    let cancel = () => {};
    const done = () => {
      onQuestion = () => {};
      resolve();
    };
    onQuestion = () => {
      asked++;
      cancel();
      // What is under way when nothing is asked any more is being written.
      cancel = systemClock.timer(asked >= enough ? 0 : 1_000, done);
    };
  });
}

/** Waits until the program has said something, and lets it go on talking. */
async function says(child: ChildProcess, text: string): Promise<void> {
  let said = "";
  for await (const more of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += more;
    if (said.includes(text)) break;
  }
  child.stdout?.resume();
}

async function reached(database: Pick<Database, "query">): Promise<void> {
  // The tables may not be there yet.
  const head = () => findIndexedHead(database).catch(() => undefined);
  while ((await head())?.seqno !== lastSeqno) await systemClock.sleep(50);
}

describe("an indexer that is killed again and again", () => {
  it("leaves the rows of one that was never disturbed, in PostgreSQL", async () => {
    const chain = await serveGrowth("first");
    const url = await freshUrl();
    await killOften(chain, "postgres", ["--database", url]);
    const child = start(chain, "postgres", "--database", url);
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await kill(child, "SIGTERM");
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 1_800_000);

  it("leaves the rows of one that was never disturbed, in the built-in database", async () => {
    const chain = await serveGrowth("second");
    await killOften(chain, "embedded", []);
    const child = start(chain, "embedded");
    await says(child, `follows the chain; block ${lastSeqno},`);
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    expect(await gone).toEqual([0, null]);
    const database = await openEmbedded(join(folder, "embedded", "index", "second"), quietModules);
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 1_800_000);
});

describe("two indexers on one PostgreSQL", () => {
  it("write the rows of one: when the first is killed, the second goes on", async () => {
    const chain = await serveGrowth("third");
    chain.growTo(lastSeqno / 2);
    const url = await freshUrl();
    const first = start(chain, "one", "--database", url);
    const second = start(chain, "two", "--database", url);
    await askedFor(30);
    await kill(first, "SIGKILL");
    chain.growTo(lastSeqno);
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await kill(second, "SIGTERM");
    expect(await dump(database)).toEqual(whole);
    await database.close();
    await chain.close();
  }, 600_000);
});
