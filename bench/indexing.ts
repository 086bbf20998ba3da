import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRoot } from "../src/cell/boc.ts";
import { loadCell } from "../src/cell/codec.ts";
import type { BlockBatch } from "../src/history/ingest/Batch.ts";
import { databaseSink } from "../src/history/ingest/databaseSink.ts";
import { decodeBatch } from "../src/history/ingest/decode.ts";
import type { Heads } from "../src/history/ingest/heads.ts";
import type { Sink } from "../src/history/ingest/Lane.ts";
import { openIndexer } from "../src/history/ingest/openIndexer.ts";
import { Indexer } from "../src/history/ingest/pipeline.ts";
import { Questions } from "../src/history/ingest/Questions.ts";
import { openSource } from "../src/history/ingest/source.ts";
import { TraceMemory } from "../src/history/ingest/TraceMemory.ts";
import { assembleTraces } from "../src/history/ingest/traces.ts";
import type { BatchRows, EntityRows } from "../src/history/store/BatchRows.ts";
import { commitBatches } from "../src/history/store/commit.ts";
import type { Database } from "../src/history/store/Database.ts";
import { tables } from "../src/history/store/tables.ts";
import { systemClock } from "../src/lib/clock.ts";
import { openLog } from "../src/lib/log.ts";
import { seededRandom } from "../src/lib/random.ts";
import { Faucet } from "../src/localnet/faucet.ts";
import { importChain } from "../src/localnet/importChain.ts";
import type { Ledger } from "../src/localnet/Ledger.ts";
import { LocalLiteServer } from "../src/localnet/LocalLiteServer.ts";
import { Localnet } from "../src/localnet/Localnet.ts";
import { Traffic } from "../src/localnet/traffic.ts";
import { Block, forEachTransaction } from "../src/model/Block.ts";
import { zeroHash } from "../src/model/Hash.ts";
import { openExecutor } from "../src/tvm/engine/openExecutor.ts";
import { databaseBytes, once, withPostgres } from "./kit/databases.ts";
import { cpuSeconds, mostResident } from "./kit/memorySampler.ts";
import { Timings } from "./kit/timings.ts";
import { type BenchContext, type Figure, median } from "./kit.ts";

const group = "indexing";
const common = { clock: systemClock, random: seededRandom("bench") };
const blockMs = 400;
const followedMs = 30_000;
const transfersPerSecond = 20;
const never = new AbortController().signal;

/** One way of bringing a chain into the tables, measured. */
interface Indexed {
  readonly transactions: number;
  /** Of this process alone, the database beside it. */
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly megabytes: number;
}

const noEntities: EntityRows = {
  ...{ jettonMasters: [], mintlessJettonMasters: [], jettonWallets: [], nftCollections: [], nftItems: [] },
  ...{ nftSales: [], multisigs: [], multisigOrders: [], vestingContracts: [], vestingWhitelist: [] },
  ...{ dnsEntries: [], dexPools: [] },
};

/** A block of whatever chain as if it were the next one; its root is hashed as a source does. */
function batchOf(bytes: Uint8Array, mcSeqno: number): BlockBatch {
  const root = readRoot(bytes);
  const { shard, seqno } = loadCell(Block, root).info.load();
  const master = { id: { ...shard, seqno, rootHash: root.hash(), fileHash: zeroHash }, root };
  return { mcSeqno, master, shardBlocks: [], tops: [], globalVersion: 12 };
}

/** All rows that follow from a block alone: those of account states and of tokens need the states before it. */
function rowsOf(bytes: Uint8Array, mcSeqno: number, memory: TraceMemory): BatchRows {
  const decoded = decodeBatch(batchOf(bytes, mcSeqno));
  const transactions = decoded.transactions.map(({ seen }) => seen);
  const step = assembleTraces(memory, { mcSeqno, transactions, normalized: new Map() });
  memory.apply(step);
  return {
    ...{ mcSeqno, ...decoded.rows, accountStates: [], latestAccountStates: [], codes: [], entities: noEntities },
    transactions: decoded.transactions.map(({ row }) => ({ ...row, traceId: step.traceIds.get(row.hash) ?? row.hash })),
    traces: step.touched.map(({ row }) => row),
    ...{ openEdges: step.openEdges, closedEdges: step.closedEdges, traceAccounts: [], actions: [], actionAccounts: [] },
    ...{ jettonTransfers: [], jettonBurns: [], nftTransfers: [] },
  };
}

function countTransactions(bytes: Uint8Array): number {
  let count = 0;
  forEachTransaction(loadCell(Block, readRoot(bytes)), () => void count++);
  return count;
}

async function empty(database: Database): Promise<void> {
  const names = tables.map(({ name }) => name).filter((name) => name !== "index_facts");
  await database.runAlone(`truncate ${names.join(", ")}`);
}

/** Recorded blocks into rows and rows into PostgreSQL, many times over. */
function measureBlocks(blocks: readonly Uint8Array[]): Promise<Indexed> {
  const transactions = blocks.reduce((sum, bytes) => sum + countTransactions(bytes), 0);
  return withPostgres(async (database) => {
    const [cpu, wall]: [number[], number[]] = [[], []];
    let bytes = 0;
    const { megabytes } = await mostResident(async () => {
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
    });
    return { transactions, cpuSeconds: median(cpu), seconds: median(wall), bytes, megabytes };
  });
}

const ledgerHeads = (ledger: Ledger): Heads => ({
  reach: async (seqno, signal) => {
    await ledger.reach(seqno, signal);
    return ledger.headId;
  },
});

/** A whole recorded chain, from its first block to its last, by the index as it runs, the lite server in this process. */
function measureChain(folder: string): Promise<Indexed> {
  return withPostgres(async (database) => {
    const ledger = importChain(folder);
    const server = new LocalLiteServer({ ledger });
    const executor = await openExecutor({ workers: 1 }, common);
    const before = await databaseBytes(database);
    const modules = { server, heads: ledgerHeads(ledger), database, executor, ...common };
    const { indexer } = openIndexer(modules, { from: "genesis", to: ledger.headId.seqno, network: "testnet" });
    const startedAt = performance.now();
    const { value, megabytes } = await mostResident(() => cpuSeconds(() => indexer.run(never)));
    const seconds = (performance.now() - startedAt) / 1000;
    const [row] = await database.query("select count(*) as count from transactions");
    const bytes = (await databaseBytes(database)) - before;
    await executor.close();
    await server.close();
    return { transactions: Number(row?.count), cpuSeconds: value.seconds, seconds, bytes, megabytes };
  });
}

/** How late blocks of a busy local network are in the tables, after the network has them. */
function measureFollowing(): Promise<{ readonly lag: Timings; readonly megabytes: number }> {
  return withPostgres(async (database) => {
    const executor = await openExecutor({ workers: 1 }, common);
    const log = openLog({ level: "error" });
    const pace = { kind: "steady", blockMs } as const;
    const net = await Localnet.open({ seed: "bench", pace }, { clock: systemClock, executor, log });
    const faucet = new Faucet({}, { net });
    const traffic = new Traffic({ perSecond: transfersPerSecond, wallets: 40 }, { net, faucet, log });
    const lag = new Timings();
    const stop = new AbortController();
    const told = watchBlocks(net.ledger, stop.signal);
    const inner = databaseSink(database);
    const sink: Sink = {
      commit: async (batches, segment) => {
        await inner.commit(batches, segment);
        for (const { mcSeqno } of batches) {
          const at = told.get(mcSeqno);
          if (at !== undefined) lag.add(performance.now() - at);
        }
      },
    };
    const parts = { server: net.lite, heads: ledgerHeads(net.ledger), database, executor, sink, ...common };
    const modules = { ...parts, source: openSource(parts), questions: new Questions(common) };
    const indexer = new Indexer(modules, { from: "genesis", network: "testnet" });
    const running = indexer.run(stop.signal).catch(() => {});
    const { megabytes } = await mostResident(async () => {
      await traffic.start();
      await systemClock.sleep(followedMs);
    });
    traffic.stop();
    faucet.close();
    stop.abort();
    await running;
    await net.close();
    await executor.close();
    return { lag, megabytes };
  });
}

/** When each block became the newest. */
function watchBlocks(ledger: Ledger, signal: AbortSignal): ReadonlyMap<number, number> {
  const told = new Map<number, number>();
  const watch = async () => {
    for (let next = ledger.headId.seqno + 1; !signal.aborted; next++) {
      await ledger.reach(next, signal);
      told.set(next, performance.now());
    }
  };
  watch().catch(() => {});
  return told;
}

const wantedPerSecond = 3_000;

/** By the processor's time of this process: what a core of its own does, whoever else shares the machine. */
function speed(name: string, mark: number | undefined, run: () => Promise<Indexed>): Figure {
  const measure = async () => {
    const { transactions, cpuSeconds: seconds } = await run();
    const value = transactions / seconds;
    return { value, ratio: value / wantedPerSecond };
  };
  return { name, group, unit: "tx/s of one core", baseline: `${wantedPerSecond} wanted`, mark, measure };
}

/** How much of the time this process worked itself; the rest it waited, for the database above all. */
function share(name: string, run: () => Promise<Indexed>): Figure {
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
): Figure {
  const measure = async () => {
    const value = await run();
    return { value, ratio: wanted / value };
  };
  return { name, group, unit, baseline: `${wanted} wanted`, mark, measure };
}

function figuresOf(name: string, mark: number | undefined, run: () => Promise<Indexed>): readonly Figure[] {
  const bytesEach = async () => {
    const { bytes, transactions } = await run();
    return bytes / transactions;
  };
  return [
    speed(name, mark, run),
    share(`${name}, database included`, run),
    atMost(`${name}, on disk for each`, "bytes", 4_000, undefined, bytesEach),
    atMost(`${name}, memory`, "MB", 512, undefined, async () => (await run()).megabytes),
  ];
}

/** Decode, rows and COPY together: recorded blocks, recorded chains, and a chain that is followed. */
export function figures({ corpus, leaveOut }: BenchContext): readonly Figure[] {
  const following = once(measureFollowing);
  const recorded = corpus === undefined ? [] : readBlocks(join(corpus, "blocks"));
  if (recorded.length === 0) leaveOut("recorded blocks of real networks need the corpus");
  const chain = ["realnet"]
    .map((name) => join(corpus ?? "", name))
    .find((path) => existsSync(join(path, "index.json")));
  return [
    ...(recorded.length === 0
      ? []
      : figuresOf(
          `${recorded.length} recorded blocks to PostgreSQL`,
          1,
          once(() => measureBlocks(recorded)),
        )),
    ...figuresOf(
      "a recorded chain, whole index",
      undefined,
      once(() => measureChain(chain ?? fixtureChain)),
    ),
    atMost(`blocks of ${blockMs} ms in the tables, p50`, "ms", 1_000, undefined, async () =>
      (await following()).lag.percentile(50),
    ),
    atMost(`blocks of ${blockMs} ms in the tables, p99`, "ms", 1_000, 1, async () =>
      (await following()).lag.percentile(99),
    ),
    atMost("memory with a local network beside", "MB", 512, 1, async () => (await following()).megabytes),
  ];
}

const fixtureChain = join(process.cwd(), "test/fixtures/realnet/split");

function readBlocks(folder: string): readonly Uint8Array[] {
  const files = readdirSync(folder).filter((path) => path.endsWith(".boc"));
  const blocks = files.sort().map((path) => readFileSync(join(folder, path)));
  return blocks.filter((bytes) => countTransactions(bytes) > 0);
}
