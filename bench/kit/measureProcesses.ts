import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Stage } from "../indexing/Stage.ts";
import { type MeasuredServer, withServers } from "../indexing/withServer.ts";

/** How fast several processes index a chain together. */
export interface ProcessesSpeed {
  readonly transactionsPerSecond: number;
  /** CPU time of all processes for each transaction. */
  readonly cpuMicroseconds: number;
  /** CPU time of the database for each transaction. */
  readonly databaseMicroseconds: number;
}

const lookEveryMs = 50;
/** A pass takes seconds; one that takes longer hangs. */
const mostPassMs = 180_000;
/** As many blocks as the chain has so often are indexed by every process before, so that all are equally warm. */
const warmPasses = 2;

async function countRows(database: Database): Promise<number> {
  const [row] = await database.query("select count(*) as count from transactions");
  return Number(row?.count);
}

/** Resolves when one segment reaches from this block to the head. */
async function reach(database: Database, firstSeqno: number | undefined, headSeqno: number): Promise<void> {
  const giveUpAt = performance.now() + mostPassMs;
  for (;;) {
    const rows = await database.query("select first_seqno, next_seqno from segments order by first_seqno");
    const [first] = rows;
    const isReached = rows.length === 1 && Number(first?.next_seqno) === headSeqno + 1;
    if (isReached && Number(first?.first_seqno) === (firstSeqno ?? Number(first?.first_seqno))) return;
    if (performance.now() > giveUpAt)
      throw new Error(`blocks up to ${headSeqno} are not indexed after ${mostPassMs} ms: ${JSON.stringify(rows)}`);
    await systemClock.sleep(lookEveryMs);
  }
}

/**
 * Indexes a recorded chain with several processes of `tongate index` over one PostgreSQL. The head is indexed before, so
 * that everything else is a gap that the processes fill in ranges.
 */
export function measureProcesses(folder: string, programs: number): Promise<ProcessesSpeed> {
  return withServers(async (server) => {
    const common = { network: { kind: "recorded", folder }, command: "index" } as const;
    const prepared = await server.addDatabase();
    const head = await Stage.open({ ...common, options: ["--database", prepared.url, "--from", "head"] });
    await reach(prepared.database, undefined, head.headSeqno);
    await head.close();
    const first = await server.copyDatabase(prepared);
    const stage = await Stage.open({ ...common, programs, options: ["--database", first.url] });
    try {
      let speed = await measurePass(stage, server, first.database);
      for (let pass = 0; pass < warmPasses * programs; pass++) {
        const next = await server.copyDatabase(prepared);
        await stage.restart(["--database", next.url]);
        speed = await measurePass(stage, server, next.database);
      }
      return speed;
    } finally {
      await stage.close();
    }
  });
}

async function measurePass(stage: Stage, server: MeasuredServer, database: Database): Promise<ProcessesSpeed> {
  const startedAt = performance.now();
  const [countBefore, databaseBefore] = [await countRows(database), server.cpuSeconds()];
  await reach(database, 1, stage.headSeqno);
  const seconds = (performance.now() - startedAt) / 1000;
  const databaseSeconds = server.cpuSeconds() - databaseBefore;
  const count = (await countRows(database)) - countBefore;
  const { cpuSeconds } = await stage.used();
  return {
    transactionsPerSecond: count / seconds,
    cpuMicroseconds: (cpuSeconds * 1e6) / count,
    databaseMicroseconds: (databaseSeconds * 1e6) / count,
  };
}
