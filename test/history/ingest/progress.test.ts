import { expect, it } from "vitest";
import { Progress, secondsLeft } from "../../../src/history/ingest/progress.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

it("reports the speed of the last minute", async () => {
  const clock = new ManualClock();
  const progress = new Progress(clock);
  expect(progress.rates()).toEqual({ blocksPerSecond: 0, transactionsPerSecond: 0 });
  await clock.advance(10_000);
  progress.note({ nextSeqno: 11, blocks: 10, transactions: 40 });
  expect(progress.rates()).toEqual({ blocksPerSecond: 1, transactionsPerSecond: 4 });
  await clock.advance(10_000);
  expect(progress.rates()).toEqual({ blocksPerSecond: 0.5, transactionsPerSecond: 2 });
  await clock.advance(100_000);
  expect(progress.rates()).toEqual({ blocksPerSecond: 0, transactionsPerSecond: 0 });
  progress.note({ nextSeqno: 12, blocks: 1, transactions: 0 });
  expect([progress.blocks, progress.transactions]).toEqual([11, 40]);
});

it("reports the remaining time, if there is an end", () => {
  const rates = { blocksPerSecond: 2, transactionsPerSecond: 0 };
  expect(secondsLeft(10, rates)).toBe(5);
  expect(secondsLeft(0, rates)).toBe(0);
  expect(secondsLeft(10, rates, 2)).toBeUndefined();
  expect(secondsLeft(10, { ...rates, blocksPerSecond: 0 })).toBeUndefined();
});
