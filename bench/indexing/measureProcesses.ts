import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ServedChain } from "./ServedChain.ts";
import { Stage } from "./Stage.ts";
import { type MeasuredDatabase, type MeasuredServer, withServers } from "./withServer.ts";

/** What it took several processes to index blocks together. */
export interface ProcessesPass {
  readonly transactions: number;
  readonly seconds: number;
  /** CPU time of all processes. */
  readonly processSeconds: number;
  /** CPU time of the database. */
  readonly databaseSeconds: number;
}

export interface ProcessesMeasurement {
  /** By the number of processes. */
  readonly passes: ReadonlyMap<number, ProcessesPass>;
  /** How long everything took, with making the chain. */
  readonly seconds: number;
}

/** Some 30,000 transactions, 45 in a masterchain block: as many as on the main network. */
const chain = { kind: "filled", rounds: 600, transfersPerRound: 18 } as const;
/** Transactions that every process indexes before it is measured: by then nearly all code is compiled. */
const warmTransactions = 12_000;
const lookEveryMs = 50;
/** A pass takes half a minute; one that takes longer hangs. */
const maxPassMs = 600_000;

/** CPU seconds of the processes and the database together. */
export function cpuOf({ processSeconds, databaseSeconds }: ProcessesPass): number {
  return processSeconds + databaseSeconds;
}

/**
 * Indexes one chain with several numbers of processes of `tongate index`, one number after the other, over one
 * PostgreSQL. The head is indexed before, so that everything else is a gap that the processes fill in ranges.
 */
export function measureProcesses(counts: readonly number[]): Promise<ProcessesMeasurement> {
  const startedAt = performance.now();
  return withServers(async (server) => {
    const network = await ServedChain.open(chain);
    try {
      const prepared = await indexHead(server, network);
      const passes = new Map<number, ProcessesPass>();
      for (const programs of counts) passes.set(programs, await measureCount(server, network, prepared, programs));
      return { passes, seconds: (performance.now() - startedAt) / 1000 };
    } finally {
      await network.close();
    }
  });
}

/** A database that has the newest block only. */
async function indexHead(server: MeasuredServer, network: ServedChain): Promise<MeasuredDatabase> {
  const prepared = await server.addDatabase();
  const options = ["--database", prepared.url, "--from", "head"];
  const stage = await Stage.open({ network, command: "index", options });
  await reach(prepared.database, undefined, network.headSeqno);
  await stage.close();
  return prepared;
}

async function measureCount(
  server: MeasuredServer,
  network: ServedChain,
  prepared: MeasuredDatabase,
  programs: number,
): Promise<ProcessesPass> {
  let at = await server.copyDatabase(prepared);
  const options = () => ["--database", at.url, "--from", "1"];
  const stage = await Stage.open({ network, command: "index", programs, options: options() });
  const runAgain = async (): Promise<ProcessesPass> => {
    const former = at;
    at = await server.copyDatabase(prepared);
    await stage.restart(options());
    await server.dropDatabase(former);
    return measurePass(stage, server, at.database);
  };
  try {
    let { transactions: warm, transactions: each } = await measurePass(stage, server, at.database);
    for (; warm < warmTransactions * programs; warm += each) each = (await runAgain()).transactions;
    // Other load on the machine disturbs some passes.
    const [one, other] = [await runAgain(), await runAgain()];
    return cpuOf(one) < cpuOf(other) ? one : other;
  } finally {
    await stage.close();
    await server.dropDatabase(at);
  }
}

async function measurePass(stage: Stage, server: MeasuredServer, database: Database): Promise<ProcessesPass> {
  const startedAt = performance.now();
  const [countBefore, databaseBefore] = [await countRows(database), server.cpuSeconds()];
  await reach(database, 1, stage.headSeqno);
  const seconds = (performance.now() - startedAt) / 1000;
  const databaseSeconds = server.cpuSeconds() - databaseBefore;
  const { cpuSeconds: processSeconds } = await stage.used();
  return { transactions: (await countRows(database)) - countBefore, seconds, processSeconds, databaseSeconds };
}

async function countRows(database: Database): Promise<number> {
  const [row] = await database.query("select count(*) as count from transactions");
  return Number(row?.count);
}

/** Resolves when one segment reaches from this block to the head. */
async function reach(database: Database, firstSeqno: number | undefined, headSeqno: number): Promise<void> {
  const giveUpAt = performance.now() + maxPassMs;
  for (;;) {
    const rows = await database.query("select first_seqno, next_seqno from segments order by first_seqno");
    const [first] = rows;
    const isReached = rows.length === 1 && Number(first?.next_seqno) === headSeqno + 1;
    if (isReached && Number(first?.first_seqno) === (firstSeqno ?? Number(first?.first_seqno))) return;
    if (performance.now() > giveUpAt)
      throw new Error(`blocks up to ${headSeqno} are not indexed after ${maxPassMs} ms: ${JSON.stringify(rows)}`);
    await systemClock.sleep(lookEveryMs);
  }
}
