import { beforeEach, expect, it } from "vitest";
import { type Advance, CommitQueue, type Sink } from "../../../../src/history/ingest/steps/CommitQueue.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import { batchOf, rowOf } from "../../../kit/history/databaseRows.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const segment = { firstSeqno: 3, nextSeqno: 7 };
const extent = { begins: "3" };
let clock: ManualClock;
let written: Parameters<Sink["commit"]>[];
let queue: CommitQueue;

beforeEach(() => {
  clock = new ManualClock();
  written = [];
  queue = openQueue({ commit: async (...args) => void written.push(args) });
});

function openQueue(sink: Sink): CommitQueue {
  return new CommitQueue({ sink, clock }, segment, { maxRows: 4, maxMs: 1_000 });
}

function add(mcSeqno: number, messages = 0, transactions = 0): void {
  const rows = batchOf(mcSeqno, {
    messages: Array.from({ length: messages }, (_, seed) => rowOf(tables.messages, seed)),
  });
  queue.begin(mcSeqno);
  queue.add({ rows, entities: rows.entities, accounts: [], transactions });
}

it("writes the waiting blocks together, as the next part of the segment", async () => {
  const advances: Advance[] = [];
  add(7, 0, 2);
  add(8, 0, 3);
  const blocks = queue.take();
  queue.start(blocks, extent, (advance) => advances.push(advance));
  expect([queue.isEmpty, queue.nextSeqno]).toEqual([true, 9]);
  await queue.finish();
  expect(written).toEqual([[[batchOf(7), batchOf(8)], { firstSeqno: 3, nextSeqno: 9 }, extent]]);
  expect(advances).toEqual([{ nextSeqno: 9, blocks: 2, transactions: 5 }]);
});

it("refuses a block that does not follow the one before", () => {
  const outOfOrder = expect.objectContaining({ code: "history/mismatch" });
  expect(() => queue.begin(8)).toThrow(outOfOrder);
  add(7);
  expect(() => queue.begin(7)).toThrow(outOfOrder);
  queue.take();
  expect(() => queue.begin(9)).toThrow(outOfOrder);
  expect(() => queue.begin(8)).not.toThrow();
});

it("is full with many rows, or when its first block has waited long", async () => {
  await clock.advance(5_000);
  add(7, 1);
  expect(queue.isFull).toBe(false);
  add(8, 1);
  expect(queue.isFull).toBe(true);
  queue.take();
  add(9);
  await clock.advance(999);
  add(10);
  expect(queue.isFull).toBe(false);
  await clock.advance(1);
  expect(queue.isFull).toBe(true);
});

it("reports a failure to the next who waits", async () => {
  const advances: Advance[] = [];
  queue = openQueue({ commit: () => Promise.reject(new Error("the disk is full")) });
  add(7);
  queue.start(queue.take(), extent, (advance) => advances.push(advance));
  await expect(queue.finish()).rejects.toThrow("the disk is full");
  expect(advances).toEqual([]);
});
