import { existsSync, readFileSync } from "node:fs";
import { countPages } from "../kit/history/countPages.ts";
import { type MadeRows, transactionsInBlock } from "../kit/history/made/MadeRows.ts";
import { answer, type MixedChain, makeMix, type V3Request } from "../kit/history/queryMix.ts";
import { contractHistory, History } from "../src/history/queries/kit/History.ts";
import type { Database } from "../src/history/store/Database.ts";
import { commitBatches } from "../src/history/store/write/commit.ts";
import { isCoded } from "../src/lib/errors.ts";
import type { BenchContext, Benchmark } from "./kit/benchmark.ts";
import { databaseBytes, once, withDatabase, withPostgres } from "./kit/databases.ts";
import { Timings, timed } from "./kit/timings.ts";
import { treeCpu } from "./kit/treeCpu.ts";
import { type AskedRequest, askRequests, formatWorst, percentileOf } from "./scale/askRequests.ts";
import { loadSkewed } from "./scale/loadSkewed.ts";
import { listRequests } from "./scale/skewedRequests.ts";

const group = "scale";
/** An index that is slightly behind commits this many blocks together. */
const blocksInCommit = 4;
const measuredBlocks = 100;
/** No request may touch more pages. */
const maxPages = 50_000;
/** For ten million transactions. */
const maxLoadSeconds = 900;
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
  /** CPU time of the load, of the database and its client. */
  readonly loadSeconds: number;
  readonly liveBytes: number;
  readonly diskBytes: number;
  /** In commits of several blocks, and of one. */
  readonly writes: WriteCost;
  readonly follows: WriteCost;
  readonly hotUpdates: number;
  readonly asked: readonly AskedRequest[];
  readonly costs: ReadonlyMap<string, Cost>;
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

/** CPU time of this process and of all processes of the server so far, those that ended included. */
async function loadCpu(database: Database): Promise<number> {
  const pid = await numberOf(database, "select pg_backend_pid() as value");
  const server = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  const { user, system } = process.cpuUsage();
  return treeCpu(server) + (user + system) / 1e6;
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
  const [startedAt, cpuBefore] = [performance.now(), await loadCpu(database)];
  const chain = await loadSkewed(database, { transactions, moreBlocks: 2 * measuredBlocks, say });
  const loadSeconds = (await loadCpu(database)) - cpuBefore;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  say(`loaded ${chain.transactions} transactions in ${seconds} s with ${loadSeconds.toFixed(0)} s of CPU`);
  const { rows, liveBytes } = chain;
  const made = rows.count;
  // A database that was filled by an earlier run shows nothing of its size.
  const diskBytes = Number.isNaN(liveBytes)
    ? liveBytes
    : ((await databaseBytes(database)) - emptyBytes) / chain.transactions;
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
  const mixed = { accounts: rows.accounts, transactions: made, blocks: made / transactionsInBlock };
  const costs = await costsOf(database, { ...mixed, firstBlock: chain.firstSeqno });
  return { loadSeconds, liveBytes, diskBytes, writes, follows, hotUpdates, asked, costs };
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
    ...{ name: "CPU of the load", unit: "s", before: "not counted", wanted: maxLoadSeconds },
    read: ({ loadSeconds }) => loadSeconds,
  },
  {
    ...{ name: "disk a transaction, written block by block", unit: "B", before: "not measured", wanted: 3_500 },
    read: ({ liveBytes }) => liveBytes,
  },
  {
    ...{ name: "disk a transaction, most of them sealed", unit: "B", before: "2,649", wanted: 3_500 },
    read: ({ diskBytes }) => diskBytes,
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
 * `TONGATE_BENCH_DATABASE` names a database of this machine that a superuser fills once and later runs measure again.
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
