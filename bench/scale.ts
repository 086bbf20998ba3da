import { existsSync, readFileSync } from "node:fs";
import { countPages } from "../kit/history/countPages.ts";
import { MadeRows, transactionsInBlock } from "../kit/history/made/MadeRows.ts";
import { collectionAt, madeHash, personAt } from "../kit/history/made/madeChain.ts";
import { answer, type MixedChain, makeMix, type V3Request } from "../kit/history/queryMix.ts";
import { usePartitions } from "../kit/history/retention/usePartitions.ts";
import { contractHistory, History } from "../src/history/queries/kit/History.ts";
import { listSealable } from "../src/history/seal/listSealable.ts";
import { sealPartition } from "../src/history/seal/sealPartition.ts";
import type { Database } from "../src/history/store/Database.ts";
import { commitBatches } from "../src/history/store/write/commit.ts";
import { systemClock } from "../src/lib/clock.ts";
import { isCoded } from "../src/lib/errors.ts";
import { cpuOf, measureProcesses, type ProcessesPass } from "./indexing/measureProcesses.ts";
import type { BenchContext, Benchmark } from "./kit/benchmark.ts";
import { databaseBytes, once, withPostgres } from "./kit/databases.ts";
import { Timings, timed } from "./kit/timings.ts";

const group = "scale";
const segment = { firstSeqno: 1 };
/** An index that is slightly behind commits this many blocks together. */
const blocksInCommit = 4;
const measuredCommits = 25;
const processCounts = [1, 2, 4, 8];
/** Near-linear: a transaction costs several processes at most a quarter more than one. */
const leastEfficiency = 0.8;
/** Clock ticks per second in /proc; constant on Linux. */
const ticksPerSecond = 100;
/** Settings of a dedicated server: full pages go to the WAL after a checkpoint. */
const settings = ["full_page_writes=on", "shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=1h"];

interface Scale {
  readonly diskBytes: number;
  readonly walBytes: number;
  readonly cpuMicroseconds: number;
  readonly hotUpdates: number;
  readonly costs: ReadonlyMap<string, Cost>;
  /** The same after all finished partitions were sealed. */
  readonly sealedBytes: number;
  readonly sealedCosts: ReadonlyMap<string, Cost>;
}

/** Requests that combine a common filter with a rare one. */
const worst: Readonly<Record<string, V3Request>> = {
  "actions of a hot account of a rare type": {
    path: "actions",
    query: { account: personAt(0), action_type: "auction_bid" },
  },
  "actions of a hot account in one block": { path: "actions", query: { account: personAt(0), mc_seqno: "1" } },
  "actions of a hot account without the common types": {
    path: "actions",
    query: {
      account: personAt(0),
      exclude_action_type: ["ton_transfer", "jetton_transfer", "nft_transfer", "call_contract"],
    },
  },
  "messages to a hot account with an opcode of others": {
    path: "messages",
    query: { destination: personAt(0), opcode: "0x178d4519" },
  },
  "transactions by a common body to a rare receiver": {
    path: "transactionsByMessage",
    query: { body_hash: madeHash(8, 0), destination: collectionAt(1) },
  },
  "transactions of a workchain without any": { path: "transactions", query: { workchain: "7" } },
};

async function commitNext(database: Database, rows: MadeRows, seqno: number): Promise<number> {
  const batches = Array.from({ length: blocksInCommit }, (_, at) => rows.next(seqno + at));
  await commitBatches(database, batches, segment);
  return seqno + blocksInCommit;
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
  for (const [name, request] of Object.entries(worst)) costs.set(name, await costOf(database, () => request, 5));
  return costs;
}

async function measure(database: Database, transactions: number): Promise<Scale> {
  const rows = new MadeRows(transactions + blocksInCommit * measuredCommits * transactionsInBlock);
  // Sixteen partitions, like on mainnet.
  const blocks = Math.ceil(rows.accounts.people / (transactionsInBlock / 5));
  await usePartitions(database, BigInt(Math.ceil(blocks / 16)) * 1_000_000n);
  const emptyBytes = await databaseBytes(database);
  let seqno = 1;
  while (rows.count < transactions) seqno = await commitNext(database, rows, seqno);
  const bytesEach = async () => ((await databaseBytes(database)) - emptyBytes) / rows.count;
  const diskBytes = await bytesEach();
  await database.runAlone("vacuum analyze");
  await database.runAlone("checkpoint");
  const wal = () => numberOf(database, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as value");
  const [walBefore, cpuBefore, countBefore] = [await wal(), await databaseCpu(database), rows.count];
  for (let commit = 0; commit < measuredCommits; commit++) seqno = await commitNext(database, rows, seqno);
  const count = rows.count - countBefore;
  const walBytes = ((await wal()) - walBefore) / count;
  const cpuMicroseconds = (((await databaseCpu(database)) - cpuBefore) * 1e6) / count;
  await database.write((session) => session.query("select pg_stat_force_next_flush()"));
  const hotUpdates = await numberOf(
    database,
    `select 100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1) as value
     from pg_stat_user_tables where relname = 'latest_account_states'`,
  );
  const chain = { accounts: rows.accounts, transactions: rows.count, blocks: seqno - 1 };
  const costs = await costsOf(database, chain);
  await sealAll(database);
  const sealed = { sealedBytes: await bytesEach(), sealedCosts: await costsOf(database, chain) };
  return { diskBytes, walBytes, cpuMicroseconds, hotUpdates, costs, ...sealed };
}

/** Seals every partition but the last ones. */
async function sealAll(database: Database): Promise<void> {
  const { signal } = new AbortController();
  for (const partition of await listSealable(database, 0)) {
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

/** The targets, with the earlier results for three million transactions. */
const marks: readonly Mark[] = [
  { name: "disk a transaction", unit: "B", before: "5,730", wanted: 3_500, read: ({ diskBytes }) => diskBytes },
  {
    ...{ name: "disk a transaction, sealed", unit: "B", before: "not sealed", wanted: 3_500 },
    read: ({ sealedBytes }) => sealedBytes,
  },
  { name: "WAL a transaction", unit: "B", before: "129,000", wanted: 40_000, read: ({ walBytes }) => walBytes },
  { name: "CPU a transaction", unit: "µs", before: "643", wanted: 300, read: (scale) => scale.cpuMicroseconds },
  {
    ...{ name: "HOT updates of latest states", unit: "%", before: "2", wanted: 90, isLeast: true },
    read: ({ hotUpdates }) => hotUpdates,
  },
  ...[...Object.keys(makeMix(nothing, undefined)), ...Object.keys(worst)].flatMap((name): readonly Mark[] => [
    {
      ...{ name, unit: "pages", before: name in worst ? "up to 2,000,000" : "not counted", wanted: 50_000 },
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
          before: name in worst ? "up to 60,000" : "not timed",
          wanted: 1_000,
        },
        read: ({ costs }) => costs.get(name)?.timings.percentile(percent) ?? Number.NaN,
      }),
    ),
  ]),
];

/** One million transactions by default, `TONGATE_BENCH_ROWS` changes it; written like blocks, with all indexes. */
export function benchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!existsSync("/proc/self/stat")) leaveOut("CPU of the database is read from /proc, which this system lacks");
  const transactions = Number(process.env.TONGATE_BENCH_ROWS ?? 1_000_000);
  const run = once(() => withPostgres((database) => measure(database, transactions), settings));
  const scale = marks.map(({ name, unit, before, wanted, isLeast = false, read }) => ({
    ...{ name: `${transactions} tx: ${name}`, group, unit, mark: 1 },
    baseline: `${isLeast ? "at least" : "at most"} ${wanted}; ${before} before`,
    measure: async () => {
      const value = read(await run());
      return { value, ratio: isLeast ? value / wanted : wanted / value };
    },
  }));
  return [...scale, ...ingestMarks()];
}

/**
 * A chain of the local network, indexed by 1, 2, 4 and 8 processes. Where there are fewer cores than processes, rates say
 * nothing: the CPU time that a transaction takes in all processes and in the database shows what sharing the work costs.
 */
function ingestMarks(): readonly Benchmark[] {
  const run = once(() => measureProcesses(processCounts));
  const took: Benchmark = {
    ...{ name: `ingest with ${processCounts.join(", ")} processes: measured in`, group, unit: "s", mark: undefined },
    baseline: "at most 600",
    measure: async () => {
      const { seconds } = await run();
      return { value: seconds, ratio: 600 / seconds };
    },
  };
  const costOfOne = (pass: ProcessesPass) => pass.processSeconds / pass.transactions;
  return processCounts.flatMap((count): readonly Benchmark[] => {
    const of = async (programs: number): Promise<ProcessesPass> => {
      const pass = (await run()).passes.get(programs);
      if (pass === undefined) throw new Error(`${programs} processes were not measured`);
      return pass;
    };
    /** Less is better, and one process in the same run is the baseline. */
    const compared = (name: string, read: (pass: ProcessesPass) => number, mark?: number): Benchmark => ({
      ...{ name: `ingest with ${count} processes, ${name}`, group, unit: "µs/tx", mark, baseline: "one process" },
      measure: async () => {
        const value = read(await of(count));
        return { value: value * 1e6, ratio: read(await of(1)) / value };
      },
    });
    const rate = ({ transactions, seconds }: ProcessesPass) => transactions / seconds;
    return [
      ...(count === processCounts[0] ? [took] : []),
      {
        ...{ name: `ingest with ${count} processes`, group, unit: "tx/s", mark: undefined },
        baseline: `${count} times one process`,
        measure: async () => {
          const value = rate(await of(count));
          return { value, ratio: value / (count * rate(await of(1))) };
        },
      },
      {
        ...{ name: `ingest with ${count} processes, CPU of one core`, group, unit: "tx/s", mark: 1 },
        baseline: "at least 3000; 480 to 1,350 before",
        measure: async () => {
          const value = 1 / costOfOne(await of(count));
          return { value, ratio: value / 3_000 };
        },
      },
      compared("CPU of the processes", costOfOne),
      compared("CPU of the database", (pass) => pass.databaseSeconds / pass.transactions),
      compared("CPU in all", (pass) => cpuOf(pass) / pass.transactions, leastEfficiency),
    ];
  });
}
