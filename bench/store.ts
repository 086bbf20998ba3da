import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresUrl, startPostgres, stopPostgres } from "../kit/history/postgres/postgresServer.ts";
import type { Database, SqlSession } from "../src/history/store/Database.ts";
import { openEmbedded } from "../src/history/store/engine/embedded/openEmbedded.ts";
import { openPostgres } from "../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../src/history/store/migrate/migrate.ts";
import { transactions } from "../src/history/store/schema/tables.ts";
import type { BatchRows } from "../src/history/store/write/BatchRows.ts";
import { noRows } from "../src/history/store/write/BatchRows.ts";
import { commitBatches } from "../src/history/store/write/commit.ts";
import { copyRows } from "../src/history/store/write/copyRows.ts";
import { rowWrites } from "../src/history/store/write/rowWrites.ts";
import { noStateAfter } from "../src/history/store/write/statesAfter.ts";
import { systemClock } from "../src/lib/clock.ts";
import { openLog } from "../src/lib/log.ts";
import { makeAddress } from "../src/model/Address.ts";
import type { Hash } from "../src/model/Hash.ts";
import { type Benchmark, benchmark, median } from "./kit/benchmark.ts";

const group = "store";
const modules = { clock: systemClock, log: openLog({ level: "error" }) };
const blocksInCommit = 10;
const transactionsInBlock = 200;
const transactionsInCommit = blocksInCommit * transactionsInBlock;
const rounds = 7;
const accounts = 2_000;

const hashOf = (text: string): Hash => createHash("sha256").update(text).digest("hex") as Hash;
const bytesOf = (text: string, length: number): Uint8Array => {
  const seed = createHash("sha512").update(text).digest();
  return new Uint8Array(Buffer.concat(Array.from({ length: Math.ceil(length / 64) }, () => seed)).subarray(0, length));
};
const addresses = Array.from({ length: accounts }, (_, at) => makeAddress(0, hashOf(`account ${at}`)));

type TransactionRow = BatchRows["transactions"][number];

/** A transaction of realistic size: a description of some 120 bytes, every third one is the first of its trace. */
function makeTransaction(seqno: number, at: number): TransactionRow {
  const name = `${seqno}/${at}`;
  return {
    account: addresses[(seqno * 31 + at * 7) % accounts] ?? makeAddress(0, hashOf(name)),
    lt: BigInt(seqno) * 1_000_000n + BigInt(at),
    hash: hashOf(`tx ${name}`),
    blockWorkchain: 0,
    blockShard: 1n << 63n,
    blockSeqno: seqno,
    mcBlockSeqno: seqno,
    traceId: hashOf(`tx ${seqno}/${at - (at % 3)}`),
    prevTransHash: hashOf(`before ${name}`),
    prevTransLt: BigInt(seqno - 1) * 1_000_000n,
    now: 1_700_000_000 + seqno,
    origStatus: "active",
    endStatus: "active",
    totalFees: 1_234_567n,
    totalFeesExtra: undefined,
    stateHashBefore: hashOf(`old ${name}`),
    stateHashAfter: hashOf(`new ${name}`),
    aborted: false,
    description: bytesOf(name, 120),
    inMsgHash: hashOf(`message ${name}`),
    inOpcode: at % 2 === 0 ? 0x0f8a7ea5 : undefined,
    ...noStateAfter,
  };
}

function makeMessage(row: TransactionRow): BatchRows["messages"][number] {
  return {
    lt: row.lt - 1n,
    hash: row.inMsgHash ?? row.hash,
    hashNorm: undefined,
    source: row.account,
    destination: row.account,
    value: 50_000_000n,
    valueExtra: undefined,
    fwdFee: 266_669n,
    ihrFee: 0n,
    extraFlags: undefined,
    createdLt: row.lt,
    createdAt: row.now,
    opcode: row.inOpcode,
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    importFee: undefined,
    bodyHash: hashOf(`body ${row.lt % 4_000_000n}`),
    initHash: undefined,
    outTxHash: row.prevTransHash,
    outIndex: 0,
    body: bytesOf(row.hash, 90),
    init: undefined,
  };
}

function makeStates(rows: readonly TransactionRow[]): Pick<BatchRows, "accountStates" | "latestAccountStates"> {
  const states = rows.map((row) => ({
    account: row.account,
    hash: row.stateHashAfter,
    lt: row.lt,
    balance: 1_000_000_000n + row.lt,
    balanceExtra: undefined,
    status: "active" as const,
    frozenHash: undefined,
    dataHash: row.prevTransHash,
    codeHash: hashOf("code"),
  }));
  const latest = rows.map((row, at) => ({
    ...(states[at] as (typeof states)[number]),
    timestamp: row.now,
    lastTransHash: row.hash,
    lastTransLt: row.lt,
    dataBoc: bytesOf(row.hash, 180),
  }));
  return { accountStates: states, latestAccountStates: latest };
}

function makeTraces(rows: readonly TransactionRow[]): Pick<BatchRows, "traces" | "traceAccounts"> {
  const roots = rows.filter((row) => row.hash === row.traceId);
  const traces = roots.map((row) => ({
    traceId: row.traceId,
    externalHash: row.inMsgHash,
    externalHashNorm: undefined,
    mcSeqnoStart: row.mcBlockSeqno,
    mcSeqnoEnd: row.mcBlockSeqno,
    startLt: row.lt,
    startUtime: row.now,
    endLt: row.lt + 2n,
    endUtime: row.now,
    state: "complete" as const,
    edges: 3,
    nodes: 3,
    pendingEdges: 0,
    classificationState: "ok" as const,
  }));
  const touched = rows.map(({ account, traceId, now, lt }) => ({ account, endLt: lt, traceId, endUtime: now }));
  return { traces, traceAccounts: touched };
}

function makeActions(rows: readonly TransactionRow[]): Pick<BatchRows, "actions" | "actionAccounts"> {
  const roots = rows.filter((row) => row.hash === row.traceId);
  const actions = roots.map((row) => ({
    traceId: row.traceId,
    actionId: hashOf(`action ${row.hash}`),
    type: "jetton_transfer",
    shownType: "jetton_transfer",
    startLt: row.lt,
    endLt: row.lt + 2n,
    startUtime: row.now,
    endUtime: row.now,
    traceEndLt: row.lt + 2n,
    traceEndUtime: row.now,
    traceMcSeqnoEnd: row.mcBlockSeqno,
    traceExternalHash: row.inMsgHash,
    traceExternalHashNorm: undefined,
    success: true,
    ancestorTypes: [],
    parentId: undefined,
    transactions: [row.hash],
    accounts: [row.account],
    details: { asset: row.account, amount: "123456789", comment: "thank you", query_id: "0" },
  }));
  const touched = actions.map(({ traceId, actionId, traceEndLt, traceEndUtime, accounts: [account] }) => ({
    account: account ?? makeAddress(0, traceId),
    traceEndLt,
    traceId,
    actionEndLt: traceEndLt,
    actionId,
    traceEndUtime,
    actionEndUtime: traceEndUtime,
    typeCode: 1,
    ancestorCodes: undefined,
  }));
  return { actions, actionAccounts: touched };
}

function makeBatch(seqno: number): BatchRows {
  const rows = Array.from({ length: transactionsInBlock }, (_, at) => makeTransaction(seqno, at));
  const messages = rows.map(makeMessage);
  return {
    ...noRows(seqno),
    shardState: [{ mcSeqno: seqno, workchain: 0, shard: 1n << 63n, seqno }],
    transactions: rows,
    messages,
    ...makeStates(rows),
    ...makeTraces(rows),
    ...makeActions(rows),
  };
}

const makeCommit = (first: number): readonly BatchRows[] =>
  Array.from({ length: blocksInCommit }, (_, at) => makeBatch(first + at));

/** The baseline: the same rows by multi-row INSERT with parameters. */
async function insertBatches(database: Database, batches: readonly BatchRows[]): Promise<void> {
  await database.write(async (session) => {
    for (const write of rowWrites) {
      const rows = batches.flatMap(write.rowsOf);
      if (rows.length > 0) await insertRows(session, write, write.table.conflict.merge?.(rows) ?? rows);
    }
  });
}

type Write = (typeof rowWrites)[number];

async function insertRows(session: SqlSession, { table }: Write, rows: readonly object[]): Promise<void> {
  const { onConflict = "" } = table.conflict;
  const columns = Object.entries(table.columns);
  const max = 1_000;
  for (let from = 0; from < rows.length; from += max) {
    const some = rows.slice(from, from + max) as readonly Readonly<Record<string, never>>[];
    const tuples = some.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(", ")})`);
    const params = some.flatMap((row) => columns.map(([key, column]) => column.write(row[key] as never)));
    const names = table.names.map((name) => `"${name}"`).join(", ");
    await session.query(`insert into ${table.name} as t (${names}) values ${tuples.join(", ")} ${onConflict}`, params);
  }
}

interface Measures {
  readonly perSecond: number;
  readonly ratio: number;
  readonly bytesEach: number;
}

async function databaseBytes(database: Database): Promise<number> {
  const [row] = await database.query("select pg_database_size(current_database()) as bytes");
  return Number(row?.bytes);
}

/** Alternates both ways, each commit with its own rows; making the rows is not measured. */
async function measure(database: Database): Promise<Measures> {
  await migrate(database, modules);
  const emptyBytes = await databaseBytes(database);
  const segment = { firstSeqno: 1 };
  const copyTimes: number[] = [];
  const ratios: number[] = [];
  let count = 0;
  for (let round = 0; round <= rounds; round++) {
    const copied = makeCommit(1 + round * blocksInCommit);
    const inserted = makeCommit(1_000_000 + round * blocksInCommit);
    const insertMs = await timed(() => insertBatches(database, inserted));
    const copyMs = await timed(() => commitBatches(database, copied, segment));
    count += 2 * transactionsInCommit;
    // The first round warms up.
    if (round === 0) continue;
    copyTimes.push(copyMs);
    ratios.push(insertMs / copyMs);
  }
  const bytesEach = ((await databaseBytes(database)) - emptyBytes) / count;
  return { perSecond: (transactionsInCommit * 1000) / median(copyTimes), ratio: median(ratios), bytesEach };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = systemClock.monotonic();
  await run();
  return systemClock.monotonic() - startedAt;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets several benchmarks share one run. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

const onPostgres = once(() =>
  inFolder(async (folder) => {
    const server = await startPostgres(folder);
    const database = await openPostgres(postgresUrl(server, "postgres"), modules);
    try {
      return await measure(database);
    } finally {
      await database.close();
      await stopPostgres(server);
    }
  }),
);

const onEmbedded = once(() =>
  inFolder(async (folder) => {
    const database = await openEmbedded(folder, modules);
    try {
      return await measure(database);
    } finally {
      await database.close();
    }
  }),
);

function committed(name: string, run: () => Promise<Measures>): Benchmark {
  const baseline = "INSERT of 1000 rows each";
  return {
    name,
    group,
    unit: "transactions/s",
    baseline,
    mark: undefined,
    measure: async () => {
      const { perSecond, ratio } = await run();
      return { value: perSecond, ratio };
    },
  };
}

function onDisk(name: string, run: () => Promise<Measures>): Benchmark {
  const wanted = 4_000;
  const measureSize = async () => {
    const { bytesEach } = await run();
    return { value: bytesEach, ratio: wanted / bytesEach };
  };
  return { name, group, unit: "bytes", baseline: `${wanted} wanted`, mark: undefined, measure: measureSize };
}

const sample = makeCommit(1).flatMap((batch) => batch.transactions);
const sampleColumns = Object.entries(transactions.columns);

export const benchmarks: readonly Benchmark[] = [
  benchmark({
    name: "rows of transactions to bytes of COPY",
    group,
    unit: "rows/s",
    amount: sample.length,
    baseline: {
      name: "lines of text, map and join",
      run: () =>
        sample
          .map((row) =>
            sampleColumns
              .map(
                ([key, column]) =>
                  column.write(row[key as keyof TransactionRow] as never)?.replace(/\\/g, "\\\\") ?? "\\N",
              )
              .join("\t"),
          )
          .join("\n"),
    },
    subject: { run: () => [...copyRows(transactions, sample, Number.POSITIVE_INFINITY)] },
  }),
  committed("committed by COPY into PostgreSQL", onPostgres),
  onDisk("on disk for a transaction and all about it", onPostgres),
  committed("committed by COPY into the built-in database", onEmbedded),
];
