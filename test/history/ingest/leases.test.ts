import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { indexStatus } from "../../../src/history/ingest/IndexStatus.ts";
import {
  announceFollow,
  beatLease,
  endLeases,
  guardLease,
  type Lease,
  leaseTimes,
  listLeases,
  releaseLease,
  takeRange,
} from "../../../src/history/ingest/leases.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { engines, openFresh } from "../../kit/history/database.ts";
import { batchOf, emptyAll } from "../../kit/history/databaseRows.ts";

const usual = { rangeBlocks: 10, silentMs: 60_000 };
const noRates = { blocksPerSecond: 0, transactionsPerSecond: 0 };

describe.each(engines)("leases of ranges (%s)", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await emptyAll(database);
    await announceFollow(database, { firstSeqno: 31, first: 1, holder: "follower" });
  });

  const take = async (holder: string, silentMs = usual.silentMs): Promise<Lease> => {
    const lease = await takeRange(database, { ...usual, holder, silentMs });
    if (lease === undefined) throw new Error("no range is free");
    return lease;
  };
  const guard = (lease: Lease) => database.write((session) => guardLease(session, lease));

  it("give each holder another range, the newest first, until none is left", async () => {
    const ranges: (readonly [number, number])[] = [];
    for (let at = 0; ; at++) {
      const lease = await takeRange(database, { ...usual, holder: `holder ${at}` });
      if (lease === undefined) break;
      ranges.push([lease.segment.firstSeqno, lease.lastSeqno]);
    }
    const blocks = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
    expect(blocks.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(ranges[0]?.[1]).toBe(30);
  });

  it("refuse commits of a former holder after another took the range over", async () => {
    const first = await take("first");
    await guard(first);
    const second = await take("second", -1);
    expect(second.segment).toEqual(first.segment);
    await expect(guard(first)).rejects.toMatchObject({ code: "history/lease" });
    expect(await beatLease(database, first, noRates)).toBe(false);
    await guard(second);
    expect(await beatLease(database, second, noRates)).toBe(true);
  });

  it("refuse commits of a former holder even after the range was released and taken again", async () => {
    const first = await take("first");
    const second = await take("second", -1);
    await releaseLease(database, second);
    const third = await take("third");
    expect(third.segment).toEqual(first.segment);
    await expect(guard(first)).rejects.toMatchObject({ code: "history/lease" });
    await guard(third);
  });

  it("stay with a holder that reports", async () => {
    const first = await take("first", 1_000);
    expect((await take("second", 60_000)).segment).not.toEqual(first.segment);
    await guard(first);
  });

  it("pass to another holder when theirs is silent for almost 15 seconds, and not when it missed a report", async () => {
    const first = await take("first", leaseTimes.silentMs);
    const grow = (byMs: number) => database.runAlone(`update ingest_leases set beat_at = beat_at - ${byMs}`);
    await grow(2 * leaseTimes.beatMs);
    expect((await take("second", leaseTimes.silentMs)).segment).not.toEqual(first.segment);
    await guard(first);
    // Who looks for work does so once in a second.
    await beatLease(database, first, noRates);
    await grow(14_000);
    const taken = [await take("third", leaseTimes.silentMs), await take("fourth", leaseTimes.silentMs)];
    expect(taken.map(({ segment }) => segment)).toContainEqual(first.segment);
    await expect(guard(first)).rejects.toMatchObject({ code: "history/lease" });
  });

  it("are shown with rates, holders and the time left", async () => {
    const lease = await take("machine:7");
    const { firstSeqno } = lease.segment;
    await commitBatch(database, batchOf(firstSeqno), { firstSeqno });
    await beatLease(database, lease, { blocksPerSecond: 2, transactionsPerSecond: 80 });
    const { ranges, blocksLeft, secondsLeft } = await indexStatus(database, systemClock);
    expect(ranges).toEqual([
      {
        ...{ kind: "backfill", holder: "machine:7", firstSeqno, nextSeqno: firstSeqno + 1 },
        ...{ lastSeqno: lease.lastSeqno, blocksPerSecond: 2, transactionsPerSecond: 80 },
        silentSeconds: expect.any(Number),
      },
      {
        ...{ kind: "follow", holder: "follower", firstSeqno: 31, nextSeqno: 31, lastSeqno: undefined },
        ...{ ...noRates, silentSeconds: expect.any(Number) },
      },
    ]);
    expect([blocksLeft, secondsLeft]).toEqual([29, 15]);
  });

  it("end when nothing is missing", async () => {
    const lease = await take("first");
    await endLeases(database);
    expect(await listLeases(database)).toEqual([]);
    await expect(guard(lease)).rejects.toMatchObject({ code: "history/lease" });
    expect(await takeRange(database, { ...usual, holder: "second" })).toBeUndefined();
  });
});
