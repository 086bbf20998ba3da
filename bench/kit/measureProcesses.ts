import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Stage } from "../indexing/Stage.ts";
import { withServers } from "../indexing/withServer.ts";

/** How fast several processes index a chain together. */
export interface ProcessesSpeed {
  readonly transactionsPerSecond: number;
  /** CPU time of all processes for each transaction. */
  readonly cpuMicroseconds: number;
}

const lookEveryMs = 50;
/** The processes index the chain so often, each time into new tables; the last time they are warm. */
const passes = 6;

async function countRows(database: Database): Promise<number> {
  const [row] = await database.query("select count(*) as count from transactions");
  return Number(row?.count);
}

/** Resolves when one segment reaches from this block to the head. */
async function reach(database: Database, firstSeqno: number | undefined, headSeqno: number): Promise<void> {
  for (;;) {
    const rows = await database.query("select first_seqno, next_seqno from segments order by first_seqno");
    const [first] = rows;
    const isReached = rows.length === 1 && Number(first?.next_seqno) === headSeqno + 1;
    if (isReached && Number(first?.first_seqno) === (firstSeqno ?? Number(first?.first_seqno))) return;
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
    const databases: { readonly url: string; readonly database: Database }[] = [];
    for (let pass = 0; pass < passes; pass++) databases.push(await server.addDatabase());
    const [first, ...others] = databases;
    if (first === undefined) throw new Error("no database");
    const head = await Stage.open({ ...common, options: ["--database", first.url, "--from", "head"] });
    await reach(first.database, undefined, head.headSeqno);
    for (const { url, database } of others) {
      await head.restart(["--database", url, "--from", "head"]);
      await reach(database, undefined, head.headSeqno);
    }
    await head.close();
    const stage = await Stage.open({ ...common, programs, options: ["--database", first.url] });
    try {
      let speed = await measurePass(stage, first.database);
      for (const { url, database } of others) {
        await stage.restart(["--database", url]);
        speed = await measurePass(stage, database);
      }
      return speed;
    } finally {
      await stage.close();
    }
  });
}

async function measurePass(stage: Stage, database: Database): Promise<ProcessesSpeed> {
  const startedAt = performance.now();
  const before = await countRows(database);
  await reach(database, 1, stage.headSeqno);
  const seconds = (performance.now() - startedAt) / 1000;
  const count = (await countRows(database)) - before;
  const { cpuSeconds } = await stage.used();
  return { transactionsPerSecond: count / seconds, cpuMicroseconds: (cpuSeconds * 1e6) / count };
}
