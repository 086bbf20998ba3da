import { systemClock } from "../../src/lib/clock.ts";
import { Stage } from "../indexing/Stage.ts";
import { withServer } from "../indexing/withServer.ts";

/** How fast several processes index a chain together. */
export interface ProcessesSpeed {
  readonly transactionsPerSecond: number;
  /** CPU time of all processes for each transaction. */
  readonly cpuMicroseconds: number;
}

const lookEveryMs = 50;

/**
 * Indexes a recorded chain with several processes of `tongate index` over one PostgreSQL. The head is indexed before, so
 * that everything else is a gap that the processes fill in ranges.
 */
export function measureProcesses(folder: string, programs: number): Promise<ProcessesSpeed> {
  return withServer(async (url, database) => {
    const common = { network: { kind: "recorded", folder }, command: "index" } as const;
    const countRows = async (): Promise<number> => {
      const [row] = await database.query("select count(*) as count from transactions");
      return Number(row?.count);
    };
    /** Resolves when one segment reaches from this block to the head. */
    const reach = async (firstSeqno: number | undefined, headSeqno: number): Promise<void> => {
      for (;;) {
        const rows = await database.query("select first_seqno, next_seqno from segments order by first_seqno");
        const [first] = rows;
        const isReached = rows.length === 1 && Number(first?.next_seqno) === headSeqno + 1;
        if (isReached && Number(first?.first_seqno) === (firstSeqno ?? Number(first?.first_seqno))) return;
        await systemClock.sleep(lookEveryMs);
      }
    };
    const head = await Stage.open({ ...common, options: ["--database", url, "--from", "head"] });
    await reach(undefined, head.headSeqno);
    await head.close();
    const before = await countRows();
    const stage = await Stage.open({ ...common, programs, options: ["--database", url] });
    try {
      const startedAt = performance.now();
      await reach(1, stage.headSeqno);
      const seconds = (performance.now() - startedAt) / 1000;
      const count = (await countRows()) - before;
      const { cpuSeconds } = await stage.used();
      return { transactionsPerSecond: count / seconds, cpuMicroseconds: (cpuSeconds * 1e6) / count };
    } finally {
      await stage.close();
    }
  });
}
