import { existsSync, readFileSync } from "node:fs";
import { countPages } from "../kit/history/countPages.ts";
import { type MadeRows, transactionsInBlock } from "../kit/history/made/MadeRows.ts";
import { answer, type MixedChain, makeMix, type V3Request } from "../kit/history/queryMix.ts";
import { contractHistory, History } from "../src/history/queries/kit/History.ts";
import { listSealable } from "../src/history/seal/listSealable.ts";
import { sealPartition } from "../src/history/seal/sealPartition.ts";
import type { Database } from "../src/history/store/Database.ts";
import { commitBatches } from "../src/history/store/write/commit.ts";
import { systemClock } from "../src/lib/clock.ts";
import { isCoded } from "../src/lib/errors.ts";
import type { BenchContext, Benchmark } from "./kit/benchmark.ts";
import { databaseBytes, once, withDatabase, withPostgres } from "./kit/databases.ts";
import { Timings, timed } from "./kit/timings.ts";
import { type AskedRequest, askRequests, formatWorst, percentileOf } from "./scale/askRequests.ts";
import { loadSkewed } from "./scale/loadSkewed.ts";
import { listRequests } from "./scale/skewedRequests.ts";

const group = "scale";
/** An index that is slightly behind commits this many blocks together. */
const blocksInCommit = 4;
const measuredBlocks = 100;
/** No request may touch more pages. */
const maxPages = 50_000;
const say = (line: string) => process.stderr.write(`scale: ${line}\n`);
/** Clock ticks per second in /proc; constant on Linux. */
const ticksPerSecond = 100;
/** Settings of a dedicated server: full pages go to the WAL after a checkpoint. */
const settings = [
  ...["full_page_writes=on", "shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=1h"],
  ...["maintenance_work_mem=512MB", "max_parallel_maintenance_workers=0"],
];

/** What it costs the database to write a transaction. */
interface WriteCost {
  readonly walBytes: number;
  readonly pageImages: number;
  readonly cpuMicroseconds: number;
}

interface Scale {
  readonly liveBytes: number;
  readonly diskBytes: number;
  /** In commits of several blocks, and of one. */
  readonly writes: WriteCost;
  readonly follows: WriteCost;
  readonly hotUpdates: number;
  readonly asked: readonly AskedRequest[];
  readonly costs: ReadonlyMap<string, Cost>;
  /** The same after all finished partitions were sealed. */
  readonly sealedBytes: number;
  readonly sealedCosts: ReadonlyMap<string, Cost>;
}

/** Writes the same number of blocks in commits of so many, beginning just after a checkpoint. */
async function measureWrites(
  database: Database,
  { rows, firstSeqno, nextSeqno }: { readonly rows: MadeRows; readonly firstSeqno: number; readonly nextSeqno: number },
  blocks: number,
): Promise<WriteCost> {
  const counters = async () => ({
    wal: await numberOf(database, "select wal_bytes as value from pg_stat_wal"),
    images: await numberOf(database, "select wal_fpi as value from pg_stat_wal"),
    cpu: await databaseCpu(database),
    count: rows.count,
  });
  await database.runAlone("checkpoint");
  const before = await counters();
  for (let first = nextSeqno; first < nextSeqno + measuredBlocks; first += blocks) {
    const batches = Array.from({ length: blocks }, (_, at) => rows.next(first + at));
    await commitBatches(database, batches, { firstSeqno });
  }
  await database.write((session) => session.query("select pg_stat_force_next_flush()"));
  const after = await counters();
  const each = (name: "wal" | "images" | "cpu") => (after[name] - before[name]) / (after.count - before.count);
  return { walBytes: each("wal"), pageImages: each("images"), cpuMicroseconds: each("cpu") * 1e6 };
}

async function numberOf(database: Database, sql: string): Promise<number> {
  const [row] = await database.query(sql);
  return Number(row?.value);
}

/** CPU time used by the database processes so far. */
async function databaseCpu(database: Database): Promise<number> {
  const rows = await database.query("select pid from pg_stat_activity where datname = current_database()");
  const ticks = rows.map(({ pid }) => {
    const path = `/proc/${pid}/stat`;
    const fields = existsSync(path) ? readFileSync(path, "utf8").split(") ")[1]?.split(" ") : undefined;
    return Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** The cost of requests: pages, CPU and times. */
interface Cost {
  readonly pages: number;
  /** CPU time of the database for a request. */
  readonly cpuMs: number;
  readonly timings: Timings;
}

/** A request that is refused because it would search too many rows costs what it read until then. */
async function ask(history: History, request: V3Request): Promise<void> {
  try {
    await answer(history, request);
  } catch (error) {
    if (!isCoded(error, "history/unsearched")) throw error;
  }
}

/** The maximum number of pages of several requests of a kind, their CPU time and their times. */
async function costOf(database: Database, make: () => V3Request, rounds: number): Promise<Cost> {
  const options = { ...contractHistory, timeoutMs: 120_000 };
  const counter = countPages(database);
  const counted = new History(options, { database: counter.database });
  const history = new History(options, { database });
  const timings = new Timings();
  const requests = Array.from({ length: rounds }, make);
  let pages = 0;
  for (const request of requests) {
    await ask(counted, request);
    pages = Math.max(pages, counter.take());
  }
  const before = await databaseCpu(database);
  for (const request of requests) timings.add(await timed(() => ask(history, request)));
  const cpuMs = (((await databaseCpu(database)) - before) * 1_000) / rounds;
  return { pages, cpuMs, timings };
}

async function costsOf(database: Database, chain: MixedChain): Promise<ReadonlyMap<string, Cost>> {
  const costs = new Map<string, Cost>();
  for (const [name, make] of Object.entries(makeMix(chain, undefined)))
    costs.set(name, await costOf(database, make, 50));
  return costs;
}

async function measure(database: Database, transactions: number): Promise<Scale> {
  const emptyBytes = await databaseBytes(database);
  const more = 2 * measuredBlocks * transactionsInBlock;
  const startedAt = performance.now();
  const chain = await loadSkewed(database, { transactions, more, say });
  say(`loaded ${chain.transactions} transactions in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const { rows, liveBytes } = chain;
  const written = () => chain.transactions + rows.count - seedCount;
  const seedCount = rows.count;
  // A database that was filled by an earlier run shows nothing of its size.
  const bytesEach = async () =>
    Number.isNaN(liveBytes) ? liveBytes : ((await databaseBytes(database)) - emptyBytes) / written();
  const diskBytes = await bytesEach();
  const writes = await measureWrites(database, chain, blocksInCommit);
  const nextSeqno = chain.nextSeqno + measuredBlocks;
  const follows = await measureWrites(database, { ...chain, nextSeqno }, 1);
  const hotUpdates = await numberOf(
    database,
    `select 100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1) as value
     from pg_stat_user_tables where relname = 'latest_account_states'`,
  );
  const asked = await askRequests(database, listRequests(chain));
  for (const line of formatWorst(asked, 20)) say(line);
  const mixed = { accounts: rows.accounts, transactions: seedCount, blocks: seedCount / transactionsInBlock };
  const costs = await costsOf(database, { ...mixed, firstBlock: chain.firstSeqno });
  await sealAll(database);
  const sealedBytes = await bytesEach();
  const sealedCosts = await costsOf(database, { ...mixed, firstBlock: chain.firstSeqno });
  return { liveBytes, diskBytes, writes, follows, hotUpdates, asked, costs, sealedBytes, sealedCosts };
}

/** Seals every partition but the last ones. */
async function sealAll(database: Database): Promise<void> {
  const { signal } = new AbortController();
  for (const partition of await listSealable(database, { after: 0 })) {
    const isSealed = await sealPartition({ database, clock: systemClock, signal }, partition, { attempt: "bench" });
    if (!isSealed) throw new Error(`a partition of ${partition.parent} cannot be sealed`);
  }
}

interface Mark {
  readonly name: string;
  readonly unit: string;
  readonly before: string;
  /** An upper limit, or a lower limit with `isLeast`. */
  readonly wanted: number;
  readonly isLeast?: boolean;
  readonly read: (scale: Scale) => number;
}

const nothing: MixedChain = {
  accounts: { people: 1, masters: 1, collections: 1, items: 1 },
  transactions: 1,
  blocks: 1,
};

/** The targets, with the results of eight million skewed transactions in ten partitions before. */
const marks: readonly Mark[] = [
  {
    ...{ name: "disk a transaction, written block by block", unit: "B", before: "not measured", wanted: 3_500 },
    read: ({ liveBytes }) => liveBytes,
  },
  { name: "disk a transaction, copied", unit: "B", before: "2,649", wanted: 3_500, read: ({ diskBytes }) => diskBytes },
  {
    ...{ name: "disk a transaction, sealed", unit: "B", before: "not sealed", wanted: 3_500 },
    read: ({ sealedBytes }) => sealedBytes,
  },
  ...(["writes", "follows"] as const).flatMap((kind): readonly Mark[] => {
    const [title, wal, cpu] = kind === "writes" ? ["", "75,000", "407"] : [", one block a commit", "37,000", "363"];
    return [
      {
        name: `WAL a transaction${title}`,
        unit: "B",
        before: wal,
        wanted: 40_000,
        read: (scale) => scale[kind].walBytes,
      },
      {
        ...{ name: `page images a transaction${title}`, unit: "", before: "10.7", wanted: 5 },
        read: (scale) => scale[kind].pageImages,
      },
      {
        ...{ name: `CPU a transaction${title}`, unit: "µs", before: cpu, wanted: 300 },
        read: (scale) => scale[kind].cpuMicroseconds,
      },
    ];
  }),
  {
    ...{ name: "HOT updates of latest states", unit: "%", before: "2", wanted: 90, isLeast: true },
    read: ({ hotUpdates }) => hotUpdates,
  },
  {
    ...{ name: "requests over 50,000 pages", unit: "", before: "46 of 736", wanted: 0 },
    read: ({ asked }) => asked.filter(({ pages }) => pages > maxPages).length,
  },
  {
    ...{ name: "requests refused", unit: "", before: "69 of 736", wanted: 0 },
    read: ({ asked }) => asked.filter(({ isRefused }) => isRefused).length,
  },
  {
    ...{ name: "pages of a request, p90", unit: "", before: "not counted", wanted: 10_000 },
    read: ({ asked }) => percentileOf(asked, 90),
  },
  {
    ...{ name: "pages of a request, most", unit: "", before: "876,985", wanted: maxPages },
    read: ({ asked }) => percentileOf(asked, 100),
  },
  ...Object.keys(makeMix(nothing, undefined)).flatMap((name): readonly Mark[] => [
    {
      ...{ name, unit: "pages", before: "not counted", wanted: 50_000 },
      read: ({ costs }) => costs.get(name)?.pages ?? Number.NaN,
    },
    {
      ...{ name: `${name}, sealed`, unit: "pages", before: "not sealed", wanted: 50_000 },
      read: ({ sealedCosts }) => sealedCosts.get(name)?.pages ?? Number.NaN,
    },
    {
      ...{ name: `${name}, CPU`, unit: "ms", before: "not measured", wanted: 1_000 },
      read: ({ costs }) => costs.get(name)?.cpuMs ?? Number.NaN,
    },
    ...[50, 99].map(
      (percent): Mark => ({
        ...{
          name: `${name}, p${percent}`,
          unit: "ms",
          before: "not timed",
          wanted: 1_000,
        },
        read: ({ costs }) => costs.get(name)?.timings.percentile(percent) ?? Number.NaN,
      }),
    ),
  ]),
];

/**
 * One million transactions by default, `TONGATE_BENCH_ROWS` changes it; ten million take half an hour to load.
 * `TONGATE_BENCH_DATABASE` names a database of this machine that is filled once and measured again by later runs.
 */
export function benchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!existsSync("/proc/self/stat")) leaveOut("CPU of the database is read from /proc, which this system lacks");
  const transactions = Number(process.env.TONGATE_BENCH_ROWS ?? 1_000_000);
  const work = (database: Database) => measure(database, transactions);
  const url = process.env.TONGATE_BENCH_DATABASE;
  const run = once(() => (url === undefined ? withPostgres(work, settings) : withDatabase(url, work)));
  return marks.map(({ name, unit, before, wanted, isLeast = false, read }) => ({
    ...{ name: `${transactions} tx: ${name}`, group, unit, mark: 1 },
    baseline: `${isLeast ? "at least" : "at most"} ${wanted}; ${before} before`,
    measure: async () => {
      const value = read(await run());
      // A target of none is reached by none.
      return { value, ratio: isLeast ? value / wanted : wanted === 0 ? 1 / (1 + value) : wanted / value };
    },
  }));
}
