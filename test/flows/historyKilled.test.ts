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
import { type CompiledApp, compileApp } from "../kit/compiledApp.ts";
import { freshUrl, quietModules } from "../kit/database.ts";
import { type IndexStage, openIndexStage } from "../kit/indexStage.ts";
import { dumpIndex } from "../kit/indexTables.ts";
import { type ServedChain, serveChain } from "../kit/serveChain.ts";
import { importSplitChain } from "../kit/splitChain.ts";

/** More for whoever has the time: each is a start of the program. */
const kills = Number(process.env.TONGATE_TEST_KILLS ?? 6);
const lastSeqno = 40;
const never = new AbortController().signal;

let app: CompiledApp;
let stage: IndexStage;
let served: ServedChain;
let folder: string;
let config: string;
let whole: Awaited<ReturnType<typeof dumpIndex>>;
/** Called for every question that the indexer asks. */
let onQuestion = () => {};

beforeAll(async () => {
  app = compileApp();
  folder = mkdtempSync(join(tmpdir(), "tongate-killed-index-"));
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  whole = await dump(stage.database);
  const watched: LiteServer = {
    ask: (question, options) => {
      onQuestion();
      return stage.server.ask(question, options);
    },
    close: async () => {},
    destroy: () => {},
  };
  served = await serveChain(watched);
  config = join(folder, "recorded.json");
  const zeroState = stage.ledger.zero.id;
  writeFileSync(config, formatGlobalConfig({ zeroState, host: "127.0.0.1", ...served }));
}, 600_000);

afterAll(async () => {
  await served?.close();
  await stage?.close();
  rmSync(folder, { recursive: true, force: true });
  app?.remove();
});

/** Which network it is stands beside the rows; the rows themselves say nothing of it. */
const dump = (database: Database) => dumpIndex(database, { without: ["index_facts"] });

function start(name: string, ...flags: string[]): ChildProcess {
  const place = ["--network", config, "--trust", "--data", join(folder, name), "--from", "genesis"];
  const args = [app.cli, "index", ...place, "--log-level", "error", ...flags];
  return spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", "inherit"] });
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Kills the program after so many questions, or when it has none left; then starts it once more. */
async function killOften(name: string, random: ReturnType<typeof seededRandom>, flags: readonly string[]) {
  for (let life = 0; life < kills; life++) {
    const child = start(name, ...flags);
    const enough = 1 + random.int(60);
    await new Promise<void>((resolve) => {
      let asked = 0;
      let cancel = () => {};
      onQuestion = () => {
        asked++;
        cancel();
        // What is under way when nothing is asked any more is being written.
        cancel = systemClock.timer(asked >= enough ? 0 : 1_500, resolve);
      };
    });
    onQuestion = () => {};
    await systemClock.sleep(random.int(30));
    await kill(child, "SIGKILL");
  }
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
  while ((await findIndexedHead(database))?.seqno !== lastSeqno) await systemClock.sleep(50);
}

describe("an indexer that is killed again and again", () => {
  it("leaves the rows of one that was never disturbed, in PostgreSQL", async () => {
    const url = await freshUrl();
    await killOften("postgres", seededRandom("postgres"), ["--database", url]);
    const child = start("postgres", "--database", url);
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await kill(child, "SIGTERM");
    expect(await dump(database)).toEqual(whole);
    await database.close();
  }, 1_800_000);

  it("leaves the rows of one that was never disturbed, in the built-in database", async () => {
    await killOften("embedded", seededRandom("embedded"), []);
    const child = start("embedded");
    await says(child, `follows the chain; block ${lastSeqno},`);
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    expect(await gone).toEqual([0, null]);
    const database = await openEmbedded(join(folder, "embedded", "index", "recorded"), quietModules);
    expect(await dump(database)).toEqual(whole);
    await database.close();
  }, 1_800_000);
});

describe("two indexers on one PostgreSQL", () => {
  it("write the rows of one: when the first is killed, the second goes on", async () => {
    const url = await freshUrl();
    const first = start("first", "--database", url);
    const second = start("second", "--database", url);
    let asked = 0;
    await new Promise<void>((resolve) => {
      onQuestion = () => {
        asked++;
        if (asked === 30) resolve();
      };
    });
    onQuestion = () => {};
    await kill(first, "SIGKILL");
    const database = await openPostgres(url, quietModules);
    await reached(database);
    await kill(second, "SIGTERM");
    expect(await dump(database)).toEqual(whole);
    await database.close();
  }, 600_000);
});
