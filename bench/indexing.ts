import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRoot } from "../src/cell/boc.ts";
import { loadCell } from "../src/cell/codec.ts";
import { decodeBatch } from "../src/history/ingest/decode/decodeBatch.ts";
import type { BlockBatch } from "../src/history/ingest/source/BlockBatch.ts";
import { assembleTraces } from "../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../src/history/ingest/traces/TraceMemory.ts";
import type { Database } from "../src/history/store/Database.ts";
import { allTables } from "../src/history/store/migrate/allTables.ts";
import type { BatchRows } from "../src/history/store/write/BatchRows.ts";
import { noRows } from "../src/history/store/write/BatchRows.ts";
import { commitBatches } from "../src/history/store/write/commit.ts";
import { systemClock } from "../src/lib/clock.ts";
import { Block, forEachTransaction } from "../src/model/block/Block.ts";
import { zeroHash } from "../src/model/Hash.ts";
import { measureElectionRound } from "./indexing/electionRound.ts";
import { findChain } from "./indexing/findChain.ts";
import type { Used } from "./indexing/messages.ts";
import { processMarks } from "./indexing/processMarks.ts";
import { Stage } from "./indexing/Stage.ts";
import { withServer, withServers } from "./indexing/withServer.ts";
import { type BenchContext, type Benchmark, median } from "./kit/benchmark.ts";
import { cpuSeconds } from "./kit/cpuSeconds.ts";
import { databaseBytes, once, withPostgres } from "./kit/databases.ts";
import { Timings } from "./kit/timings.ts";

const group = "indexing";
const blockMs = 400;
const followedMs = 30_000;
const transfersPerSecond = 20;
const servedBlockMs = 1_000;
const servedTransfers = 100;
const servedMs = 120_000;
const lookEveryMs = 100;
const lookOftenMs = 20;

/** The measured result of indexing a chain. */
interface Indexed {
  readonly transactions: number;
  /** Of the process that makes the rows; excludes the database and the network. */
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Treats a block of any chain as the next one; hashes its root like a source. */
function batchOf(bytes: Uint8Array, mcSeqno: number): BlockBatch {
  const root = readRoot(bytes);
  const { shard, seqno } = loadCell(Block, root).info.load();
  const master = { id: { ...shard, seqno, rootHash: root.hash(), fileHash: zeroHash }, root };
  return { mcSeqno, master, shardBlocks: [], tops: [], globalVersion: 12 };
}

/** All rows that a block alone determines; rows of account states and tokens need the previous states. */
function rowsOf(bytes: Uint8Array, mcSeqno: number, memory: TraceMemory): BatchRows {
  const decoded = decodeBatch(batchOf(bytes, mcSeqno));
  const transactions = decoded.transactions.map(({ seen }) => seen);
  const step = assembleTraces(memory, { mcSeqno, transactions, normalized: new Map() });
  memory.apply(step);
  return {
    ...noRows(mcSeqno),
    ...decoded.rows,
    transactions: decoded.transactions.map(({ row }) => ({ ...row, traceId: step.traceIds.get(row.hash) ?? row.hash })),
    traces: step.touched.map(({ row }) => row),
    openEdges: step.openEdges,
    closedEdges: step.closedEdges,
  };
}

function countTransactions(bytes: Uint8Array): number {
  let count = 0;
  forEachTransaction(loadCell(Block, readRoot(bytes)), () => void count++);
  return count;
}

async function empty(database: Database): Promise<void> {
  const names = allTables.map(({ name }) => name).filter((name) => name !== "index_facts");
  await database.runAlone(`truncate ${names.join(", ")}`);
}

/** Converts recorded blocks to rows and writes them to PostgreSQL, repeatedly. */
function measureBlocks(blocks: readonly Uint8Array[]): Promise<Indexed> {
  const transactions = blocks.reduce((sum, bytes) => sum + countTransactions(bytes), 0);
  return withPostgres(async (database) => {
    const [cpu, wall]: [number[], number[]] = [[], []];
    let bytes = 0;
    for (let round = 0; round < 8; round++) {
      await empty(database);
      const before = await databaseBytes(database);
      const startedAt = performance.now();
      const { seconds } = await cpuSeconds(async () => {
        const memory = new TraceMemory();
        const batches = blocks.map((block, at) => rowsOf(block, at + 1, memory));
        await commitBatches(database, batches, { firstSeqno: 1 });
      });
      bytes = (await databaseBytes(database)) - before;
      // The first rounds warm up.
      if (round < 3) continue;
      cpu.push(seconds);
      wall.push((performance.now() - startedAt) / 1000);
    }
    return { transactions, cpuSeconds: median(cpu), seconds: median(wall), bytes };
  });
}

/** The next masterchain block of the index. */
async function nextSeqno(database: Database): Promise<number> {
  const [row] = await database.query("select max(next_seqno) as next from segments");
  return Number(row?.next ?? 0);
}

async function countRows(database: Database): Promise<number> {
  const [row] = await database.query("select count(*) as count from transactions");
  return Number(row?.count);
}

/** How often a process indexes the chain: the first times it also compiles the program. */
const passes = 8;
/** The last of them are warm; one of them counts, because other load on the machine disturbs some. */
const warmPasses = 3;

/** A chain that a process indexes for the first time, and when it is warm. */
interface IndexedChain {
  readonly cold: Indexed & Used;
  readonly warm: Indexed & Used;
}

/** Indexes a whole recorded chain with `tongate index`, several times in one process, each time into new tables. */
function measureChain(folder: string): Promise<IndexedChain> {
  return withServers(async (server) => {
    const network = { kind: "recorded", folder } as const;
    const { url, database } = await server.addDatabase();
    const stage = await Stage.open({ network, command: "index", options: ["--database", url] });
    try {
      const cold = await measurePass(stage, database);
      const later: (Indexed & Used)[] = [];
      for (let pass = 1; pass < passes; pass++) {
        const next = await server.addDatabase();
        await stage.restart(["--database", next.url]);
        later.push(await measurePass(stage, next.database));
      }
      return { cold, warm: middleOf(later.slice(-warmPasses)) ?? cold };
    } finally {
      await stage.close();
    }
  });
}

/** The one in the middle, by CPU time. */
function middleOf(measured: readonly (Indexed & Used)[]): (Indexed & Used) | undefined {
  return measured.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[measured.length >> 1];
}

/** Waits until the chain is indexed. */
async function measurePass(stage: Stage, database: Database): Promise<Indexed & Used> {
  const before = await databaseBytes(database);
  const startedAt = performance.now();
  while ((await nextSeqno(database)) <= stage.headSeqno) await systemClock.sleep(lookEveryMs);
  const used = await stage.used();
  const seconds = (performance.now() - startedAt) / 1000;
  const transactions = await countRows(database);
  return { transactions, seconds, bytes: (await databaseBytes(database)) - before, ...used };
}

/** Peak memory of `tongate serve` while it creates the embedded database and indexes a whole recorded chain. */
async function measureServing(folder: string): Promise<number> {
  const network = { kind: "recorded", folder } as const;
  const stage = await Stage.open({ network, command: "serve", options: ["--port", "0"] });
  try {
    const [origin] = stage.origins;
    const last = async (): Promise<number> => {
      const answer = await fetch(`${origin}/api/v3/masterchainInfo`);
      return answer.ok ? ((await answer.json()) as { readonly last: { readonly seqno: number } }).last.seqno : 0;
    };
    while ((await last()) < stage.headSeqno) await systemClock.sleep(lookEveryMs);
    return (await stage.used()).megabytes;
  } finally {
    await stage.close();
  }
}

/** Peak memory of `tongate serve` while it follows a local network at the highest load of one machine. */
async function measureServedFollowing(): Promise<number> {
  const network = { kind: "local", blockMs: servedBlockMs, transfersPerSecond: servedTransfers } as const;
  const stage = await Stage.open({ network, command: "serve", options: ["--port", "0"] });
  try {
    await systemClock.sleep(servedMs);
    return (await stage.used()).megabytes;
  } finally {
    await stage.close();
  }
}

/** The delay from a block of a busy local network to its rows, and the memory it takes. */
function measureFollowing(): Promise<{ readonly lag: Timings; readonly megabytes: number }> {
  return withServer(async (url, database) => {
    const network = { kind: "local", blockMs, transfersPerSecond } as const;
    const stage = await Stage.open({ network, command: "index", options: ["--database", url] });
    try {
      const lag = new Timings();
      // Skip blocks from before the start.
      while ((await nextSeqno(database)) <= Math.max(1, ...stage.reportedAtMs.keys()))
        await systemClock.sleep(lookOftenMs);
      let next = await nextSeqno(database);
      const endsAt = Date.now() + followedMs;
      while (Date.now() < endsAt) {
        await systemClock.sleep(lookOftenMs);
        const reached = await nextSeqno(database);
        const seenAtMs = Date.now();
        for (; next < reached; next++) {
          const reportedAtMs = stage.reportedAtMs.get(next);
          if (reportedAtMs !== undefined) lag.add(seenAtMs - reportedAtMs);
        }
      }
      return { lag, megabytes: (await stage.used()).megabytes };
    } finally {
      await stage.close();
    }
  });
}

const wantedPerSecond = 3_000;

/** Most memory of `serve` with the embedded database. */
const servedMegabytes = 350;

/** A whole index also detects contracts and classifies traces. */
const wholeIndexMark = 2_000 / wantedPerSecond;

/** By the CPU time of this process, so that other load on the machine does not matter. */
function speed(name: string, mark: number | undefined, run: () => Promise<Indexed>): Benchmark {
  const measure = async () => {
    const { transactions, cpuSeconds: seconds } = await run();
    const value = transactions / seconds;
    return { value, ratio: value / wantedPerSecond };
  };
  return { name, group, unit: "tx/s of one core", baseline: `${wantedPerSecond} wanted`, mark, measure };
}

/** The share of the time that this process worked itself; the rest is waiting, mostly for the database. */
function share(name: string, run: () => Promise<Indexed>): Benchmark {
  const measure = async () => {
    const { transactions, cpuSeconds: own, seconds } = await run();
    return { value: transactions / seconds, ratio: own / seconds };
  };
  return { name, group, unit: "tx/s by the clock", baseline: "work over time", mark: undefined, measure };
}

function atMost(
  name: string,
  unit: string,
  wanted: number,
  mark: number | undefined,
  run: () => Promise<number>,
): Benchmark {
  const measure = async () => {
    const value = await run();
    return { value, ratio: wanted / value };
  };
  return { name, group, unit, baseline: `${wanted} wanted`, mark, measure };
}

function figuresOf(name: string, mark: number | undefined, run: () => Promise<Indexed>): readonly Benchmark[] {
  const bytesEach = async () => {
    const { bytes, transactions } = await run();
    return bytes / transactions;
  };
  return [
    speed(name, mark, run),
    share(`${name}, database included`, run),
    atMost(`${name}, on disk for each`, "bytes", 4_000, undefined, bytesEach),
  ];
}

/** Peak memory of the program itself; the network and PostgreSQL are separate processes. */
function memory(name: string, run: () => Promise<number>, max = 512): Benchmark {
  return atMost(`memory: ${name}`, "MB", max, 1, run);
}

/** Decoding, rows and COPY together: recorded blocks, recorded chains, and following a live chain. */
export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  const recorded = corpus === undefined ? [] : readBlocks(join(corpus, "blocks"));
  if (recorded.length === 0) leaveOut("recorded blocks of real networks need the corpus");
  const folder = findChain(corpus, leaveOut);
  const chain = once(() => measureChain(folder));
  const following = once(measureFollowing);
  const followed = (share: number) => async () => (await following()).lag.percentile(share);
  const blocks = once(() => measureBlocks(recorded));
  return [
    ...(recorded.length === 0 ? [] : figuresOf(`${recorded.length} recorded blocks to PostgreSQL`, 1, blocks)),
    atMost("one round of elections of 400 validators, CPU", "ms", 50, 1, measureElectionRound),
    speed("a recorded chain, whole index, just started", wholeIndexMark, async () => (await chain()).cold),
    ...figuresOf("a recorded chain, whole index, warm", 1, async () => (await chain()).warm),
    memory("index, a recorded chain", async () => (await chain()).cold.megabytes),
    memory("serve, first start, the same built in", () => measureServing(folder), servedMegabytes),
    atMost(`blocks of ${blockMs} ms in the tables, p50`, "ms", 1_000, undefined, followed(50)),
    atMost(`blocks of ${blockMs} ms in the tables, p99`, "ms", 1_000, 1, followed(99)),
    memory("index, following a local network", async () => (await following()).megabytes),
    memory(`serve, built in, following ${servedTransfers} transfers/s`, measureServedFollowing),
    ...processMarks(),
  ];
}

function readBlocks(folder: string): readonly Uint8Array[] {
  const files = readdirSync(folder).filter((path) => path.endsWith(".boc"));
  const blocks = files.sort().map((path) => readFileSync(join(folder, path)));
  return blocks.filter((bytes) => countTransactions(bytes) > 0);
}
