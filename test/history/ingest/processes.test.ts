import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  launchPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../../kit/history/postgres/postgresServer.ts";
import { type CompiledApp, compileApp } from "../../../kit/suite/compiledApp.ts";
import { formatScope, type Scope } from "../../../src/history/scope/Scope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { listSegments } from "../../../src/history/store/schema/checkpoint.ts";
import { findIndexedHead } from "../../../src/history/store/schema/indexedHead.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { openFresh, quietModules } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { type ServedGrowth, serveGrowth, startIndexer } from "../../kit/history/killedIndexer.ts";
import { chooseScope, storedRows } from "../../kit/history/scope/scopedRows.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { someOf } from "../../kit/suite/everything.ts";
import { faultSeed } from "../../kit/suite/faultSeed.ts";
import "../../kit/suite/longRun.ts";

const lastSeqno = 40;
/** The chain ends here at first; then it grows. */
const firstHead = 33;
/** The chain is followed from here; all blocks before are filled in ranges. */
const followFrom = 31;
const never = new AbortController().signal;
const seed = faultSeed("processes");
/** `TONGATE_FAULT_SEEDS` runs more seeds than the default. */
const seeds = Array.from({ length: Number(process.env.TONGATE_FAULT_SEEDS ?? 1) }, (_, index) => `${seed} ${index}`);

/** A scope adds the rows that wait for a decision; its rules with one process have tests of their own. */
const covers = someOf(["everything", "a scope"] as const, (each) => each === "everything");

let app: CompiledApp;
let stage: IndexStage;
let folder: string;
let server: PostgresServer;
type Dump = Awaited<ReturnType<typeof dumpIndex>>;
/** The rows of undisturbed runs: of the whole chain, and of a scope. */
let undisturbed: Readonly<Record<"everything" | "a scope", Dump | undefined>>;
let scopeFile: string;

beforeAll(async () => {
  app = await compileApp();
  folder = mkdtempSync(join(tmpdir(), "tongate-parallel-index-"));
  server = await startPostgres(mkdtempSync(join(tmpdir(), "tongate-parallel-postgres-")));
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  const scope = await chooseScope(stage.database, seededRandom(`scope of ${seed}`));
  scopeFile = join(folder, "scope.json");
  writeFileSync(scopeFile, formatScope(scope));
  undisturbed = {
    everything: await dump(stage.database),
    "a scope": covers.includes("a scope") ? await indexScope(scope) : undefined,
  };
});

/** The rows of an index with a scope that nothing disturbed. */
async function indexScope(scope: Scope): Promise<Dump> {
  const database = await openFresh("postgres");
  try {
    await claimScope(database, scope);
    await stage.indexer({}, { database }).run(never);
    return await dumpScoped(database);
  } finally {
    await database.close();
  }
}

afterAll(async () => {
  await stage?.close();
  if (server !== undefined) await stopPostgres(server);
  for (const path of [folder, server?.folder]) if (path !== undefined) rmSync(path, { recursive: true, force: true });
});

const dump = (database: Database) => dumpIndex(database, { without: ["index_facts"] });

/**
 * The same of an index with a scope. Which commit decides a trace depends on the ranges that are indexed, and with it
 * how rows of undecided traces are grouped, and which states are stored both with their transaction and apart.
 */
async function dumpScoped(database: Database): Promise<Dump> {
  const rows = await dumpIndex(database, { without: ["index_facts", "undecided_rows", "account_states"] });
  const { account_states: states = [] } = await storedRows(database);
  return { ...rows, states };
}

/** Three processes that index one chain into one database. */
interface Trial {
  readonly chain: ServedGrowth;
  readonly database: Database;
  readonly children: ChildProcess[];
  start(at: number): ChildProcess;
}

/** One process uses two threads. */
const flagsOf: readonly (readonly string[])[] = [[], ["--index-workers", "2"], []];

/** Indexes the last blocks, then starts three processes; answers take a while, so that there is time for faults. */
async function openTrial(seed: string, common: readonly string[]): Promise<Trial> {
  const name = seed.toLowerCase().replaceAll(/\W/g, "_");
  const chain = await serveGrowth(folder, name);
  chain.growTo(firstHead);
  const admin = await openPostgres(postgresUrl(server, "postgres"), quietModules, { readers: 1 });
  await admin.runAlone(`create database ${name}`);
  await admin.close();
  const url = postgresUrl(server, name);
  const database = await openPostgres(url, quietModules);
  const startWith = (at: number | string, flags: readonly string[]) => {
    const data = join(folder, name, String(at));
    const child = startIndexer({ app, chain, data, flags: ["--database", url, ...common, ...flags] });
    child.stdout?.resume();
    return child;
  };
  const first = startWith("first", ["--from", String(followFrom)]);
  const head = () => findIndexedHead(database).catch(() => undefined);
  while ((await head())?.seqno !== firstHead) await systemClock.sleep(50);
  await stop(first);
  chain.delayMs = 150;
  const start = (at: number) => startWith(at, flagsOf[at] ?? []);
  return { chain, database, start, children: flagsOf.map((_, at) => start(at)) };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  // One that was started a moment ago does not handle the signal yet.
  const ends = [
    [0, null],
    [null, "SIGTERM"],
  ];
  expect(ends).toContainEqual(await gone);
}

async function kill(trial: Trial, at: number): Promise<void> {
  const child = trial.children[at];
  if (child === undefined) throw new Error(`no process ${at}`);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  trial.children[at] = trial.start(at);
}

/** Stops a process and lets it continue. */
async function pause({ children }: Trial, at: number, pauseMs: number): Promise<void> {
  children[at]?.kill("SIGSTOP");
  await systemClock.sleep(pauseMs);
  children[at]?.kill("SIGCONT");
}

/** The process that holds the writer lock, if it is one of the three. */
async function findWriter({ database, children }: Trial): Promise<number> {
  for (;;) {
    const rows = await database.query("select holder from index_writer").catch(() => []);
    const pid = /:(\d+)@/.exec(String(rows[0]?.holder))?.[1];
    const at = children.findIndex((child) => String(child.pid) === pid);
    if (at >= 0) return at;
    await systemClock.sleep(50);
  }
}

/** Longer than the others wait before they take over. */
const hungMs = 12_000;

/** Stops a process until the others have what it held. Its last reports are made older, as if it hung for long. */
async function hang({ children, database }: Trial, at: number): Promise<void> {
  const child = children[at];
  child?.kill("SIGSTOP");
  const own = `holder like '%:${child?.pid}@%'`;
  const held = `select 1 from index_writer where ${own} union all select 1 from ingest_leases where ${own}`;
  // The database may have been restarted a moment ago; then the process hangs for the whole time.
  const older = ["index_writer", "ingest_leases"].map(
    (table) => `update ${table} set beat_at = beat_at - ${hungMs} where ${own}`,
  );
  await database.write((session) => session.run(older.join(";"))).catch(() => undefined);
  const isHolding = async () => (await database.query(held).catch(() => [held])).length > 0;
  for (let waitedMs = 0; waitedMs < hungMs && (await isHolding()); waitedMs += 100) await systemClock.sleep(100);
  child?.kill("SIGCONT");
}

const faults: Readonly<Record<string, (trial: Trial, random: Random) => Promise<void>>> = {
  kill: (trial, random) => kill(trial, random.int(trial.children.length)),
  killWriter: async (trial) => kill(trial, await findWriter(trial)),
  pause: (trial, random) => pause(trial, random.int(trial.children.length), 1_000),
  hang: (trial, random) => hang(trial, random.int(trial.children.length)),
  hangWriter: async (trial) => hang(trial, await findWriter(trial)),
  restart: async () => {
    await stopPostgres(server);
    await launchPostgres(server);
  },
};

async function isFilled(database: Database): Promise<boolean> {
  const [only, ...others] = await listSegments(database);
  return others.length === 0 && only?.firstSeqno === 1 && only.nextSeqno === lastSeqno + 1;
}

describe("three processes that index one chain", () => {
  it.each(seeds.flatMap((each) => covers.map((covered) => ({ each, covered }))))(
    "leave the rows of an undisturbed run of $covered after SIGKILL, SIGSTOP and restarts of the database ($each)",
    async ({ each, covered }) => {
      const trial = await openTrial(`${each} ${covered}`, covered === "a scope" ? ["--scope", scopeFile] : []);
      const { chain, database, children } = trial;
      const random = seededRandom(`${each} ${covered}`);
      const names = Object.keys(faults).sort(() => random.next() - 0.5);
      for (const [turn, name] of names.entries()) {
        await systemClock.sleep(300 + random.int(1_500));
        await faults[name]?.(trial, random);
        chain.growTo(Math.min(lastSeqno, firstHead + turn + 1));
      }
      chain.growTo(lastSeqno);
      chain.delayMs = 0;
      while (!(await isFilled(database).catch(() => false))) await systemClock.sleep(100);
      for (const child of children) await stop(child);
      expect(await (covered === "a scope" ? dumpScoped : dump)(database)).toEqual(undisturbed[covered]);
      const modules = { ...stage.modules, database, network: "mainnet" } as const;
      const { differences } = await verifySample(modules, { count: lastSeqno }, never);
      expect(differences).toEqual([]);
      await database.close();
      await chain.close();
    },
    1_800_000,
  );
});
