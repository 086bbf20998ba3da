import { existsSync, readFileSync } from "node:fs";
import { actionsSql, everyAction } from "../src/history/queries/actions.ts";
import type { Statement } from "../src/history/queries/kit/Statement.ts";
import { messagesSql } from "../src/history/queries/messages.ts";
import { commitBatches } from "../src/history/store/commit.ts";
import type { Database } from "../src/history/store/Database.ts";
import { databaseBytes, once, withPostgres } from "./kit/databases.ts";
import { MadeRows, transactionsInBlock } from "./kit/MadeRows.ts";
import { personAt } from "./kit/madeChain.ts";
import type { BenchContext, Benchmark } from "./kit.ts";

const group = "scale";
const segment = { firstSeqno: 1 };
/** An index that is a little behind writes so many blocks together. */
const blocksInCommit = 4;
const measuredCommits = 25;
/** Clock ticks a second of /proc, which Linux never changes. */
const ticksPerSecond = 100;
/** As a server of its own is set up: whole pages go to the log after a checkpoint. */
const settings = ["full_page_writes=on", "shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=1h"];

interface Scale {
  readonly diskBytes: number;
  readonly walBytes: number;
  readonly cpuMicroseconds: number;
  readonly hotUpdates: number;
  readonly pages: ReadonlyMap<string, number>;
}

const every = everyAction(new Set(["ton_transfer", "jetton_transfer", "nft_transfer", "call_contract"]));

/** Combinations of filters of which each alone is common and both together are rare. */
const worst: Readonly<Record<string, () => Statement>> = {
  "actions of a hot account of a rare type": () =>
    actionsSql({ ...every, account: personAt(0), types: ["auction_bid"] }, { limit: 20, offset: 0 }, "desc"),
  "actions of a hot account in one block": () =>
    actionsSql({ ...every, account: personAt(0), mcSeqno: 1 }, { limit: 20, offset: 0 }, "desc"),
  "messages to a hot account with an opcode of others": () =>
    messagesSql({ hashes: [], destination: personAt(0), opcode: 0x178d4519 }, { limit: 20, offset: 0 }, "desc"),
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

/** Time that the processes of the database have used so far. */
async function databaseCpu(database: Database): Promise<number> {
  const rows = await database.query("select pid from pg_stat_activity where datname = current_database()");
  const ticks = rows.map(({ pid }) => {
    const path = `/proc/${pid}/stat`;
    const fields = existsSync(path) ? readFileSync(path, "utf8").split(") ")[1]?.split(" ") : undefined;
    return Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Pages that a statement reads, from memory or not. */
async function pagesOf(database: Database, { text, params }: Statement): Promise<number> {
  const rows = await database.query(`explain (analyze, buffers, format json) ${text}`, params);
  const plan = JSON.stringify(rows);
  const read = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(plan)?.[1] ?? Number.NaN);
  return read("Shared Hit Blocks") + read("Shared Read Blocks");
}

async function measure(database: Database, transactions: number): Promise<Scale> {
  const rows = new MadeRows(transactions + blocksInCommit * measuredCommits * transactionsInBlock);
  const emptyBytes = await databaseBytes(database);
  let seqno = 1;
  while (rows.count < transactions) seqno = await commitNext(database, rows, seqno);
  const diskBytes = ((await databaseBytes(database)) - emptyBytes) / rows.count;
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
  const pages = new Map<string, number>();
  for (const [name, make] of Object.entries(worst)) pages.set(name, await pagesOf(database, make()));
  return { diskBytes, walBytes, cpuMicroseconds, hotUpdates, pages };
}

interface Mark {
  readonly name: string;
  readonly unit: string;
  readonly before: string;
  /** At most this, or at least this. */
  readonly wanted: number;
  readonly isLeast?: boolean;
  readonly read: (scale: Scale) => number;
}

/** The marks, beside what was measured before with three million transactions. */
const marks: readonly Mark[] = [
  { name: "disk a transaction", unit: "B", before: "5,730", wanted: 3_500, read: ({ diskBytes }) => diskBytes },
  { name: "WAL a transaction", unit: "B", before: "129,000", wanted: 40_000, read: ({ walBytes }) => walBytes },
  { name: "CPU a transaction", unit: "µs", before: "643", wanted: 300, read: (scale) => scale.cpuMicroseconds },
  {
    ...{ name: "HOT updates of latest states", unit: "%", before: "2", wanted: 90, isLeast: true },
    read: ({ hotUpdates }) => hotUpdates,
  },
  ...Object.keys(worst).map(
    (name): Mark => ({
      ...{ name, unit: "pages", before: "up to 2,000,000", wanted: 50_000 },
      read: ({ pages }) => pages.get(name) ?? Number.NaN,
    }),
  ),
];

/** A million transactions unless `TONGATE_BENCH_ROWS` says otherwise, written as blocks are, all indexes in place. */
export function benchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!existsSync("/proc/self/stat")) leaveOut("CPU of the database is read from /proc, which this system lacks");
  const transactions = Number(process.env.TONGATE_BENCH_ROWS ?? 1_000_000);
  const run = once(() => withPostgres((database) => measure(database, transactions), settings));
  return marks.map(({ name, unit, before, wanted, isLeast = false, read }) => ({
    ...{ name: `${transactions} tx: ${name}`, group, unit, mark: 1 },
    baseline: `${isLeast ? "at least" : "at most"} ${wanted}; ${before} before`,
    measure: async () => {
      const value = read(await run());
      return { value, ratio: isLeast ? value / wanted : wanted / value };
    },
  }));
}
