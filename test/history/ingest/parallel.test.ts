import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backfiller } from "../../../src/history/ingest/Backfiller.ts";
import { announceFollow, leaseTimes, listLeases, takeRange } from "../../../src/history/ingest/leases.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import type { Segment } from "../../../src/history/store/schema/checkpoint.ts";
import { listSegments } from "../../../src/history/store/schema/checkpoint.ts";
import { freshUrl, openFresh, quietModules } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { someOf } from "../../kit/suite/everything.ts";

const last = 40;

let stage: IndexStage;
let whole: Awaited<ReturnType<typeof dumpIndex>>;
beforeAll(async () => {
  stage = await openIndexStage(importSplitChain(), await openFresh("postgres"));
  await stage.indexer({ to: last }).run(new AbortController().signal);
  whole = await dumpIndex(stage.database);
});
afterAll(() => stage?.close());

/** Fills the chain before its last blocks with several backfillers; each has sessions of its own, as a process has. */
async function indexTogether(workers: number, rangeBlocks: number, tailFrom: number): Promise<Database> {
  const url = await freshUrl("all");
  const database = await openPostgres(url, quietModules);
  await stage.indexer({ from: tailFrom, to: last }, { database }).run(new AbortController().signal);
  const stop = new AbortController();
  const opened: Database[] = [];
  const running: Promise<unknown>[] = [];
  for (let at = 0; at < workers; at++) {
    const holder = `test ${at}`;
    const own = await openPostgres(url, quietModules, { readers: 2, writers: 2 });
    opened.push(own);
    const options = { holder, rangeBlocks, network: "testnet", lookEveryMs: 5 } as const;
    running.push(new Backfiller({ ...stage.modules, database: own }, options).run(stop.signal).catch(() => {}));
  }
  await stage.indexer({ from: "genesis", to: last, backfillers: 0 }, { database }).run(new AbortController().signal);
  stop.abort();
  await Promise.all(running);
  for (const each of opened) await each.close();
  return database;
}

describe("an index that several workers fill", () => {
  it("has the range of a worker that went silent, by the times of a backfiller", async () => {
    const database = await openPostgres(await freshUrl("all"), quietModules);
    await stage.indexer({ from: 33, to: last }, { database }).run(new AbortController().signal);
    await announceFollow(database, { firstSeqno: 33, first: 1, holder: "follower" });
    await takeRange(database, { holder: "lost", rangeBlocks: 32, silentMs: leaseTimes.silentMs });
    const stop = new AbortController();
    const options = { holder: "next", network: "testnet", lookEveryMs: 5 } as const;
    const running = new Backfiller({ ...stage.modules, database }, options).run(stop.signal).catch(() => {});
    await database.runAlone("update ingest_leases set beat_at = beat_at - 14000");
    // Nobody follows the chain, and so nobody joins the segments.
    const count = (sum: number, { firstSeqno, nextSeqno }: Segment) => sum + nextSeqno - firstSeqno;
    await expect.poll(async () => (await listSegments(database)).reduce(count, 0)).toBe(last);
    stop.abort();
    await running;
    await database.close();
  });

  const trials = [
    { workers: 1, rangeBlocks: 5, tailFrom: 38 },
    { workers: 3, rangeBlocks: 1, tailFrom: 12 },
    { workers: 3, rangeBlocks: 4, tailFrom: 33 },
    { workers: 4, rangeBlocks: 3, tailFrom: 40 },
  ];
  it.each(someOf(trials, ({ workers }) => workers !== 3))(
    "has the rows of a single writer ($workers workers, ranges of $rangeBlocks)",
    async (trial) => {
      const database = await indexTogether(trial.workers, trial.rangeBlocks, trial.tailFrom);
      try {
        expect(await dumpIndex(database)).toEqual(whole);
        expect(await listSegments(database)).toEqual([{ firstSeqno: 1, nextSeqno: last + 1 }]);
        expect(await listLeases(database)).toEqual([]);
      } finally {
        await database.close();
      }
    },
  );
});
