import { expect, test } from "vitest";
import { watchTables } from "../../../../src/app/service/index/watchTables.ts";
import type { IndexerStatus } from "../../../../src/history/ingest/IndexStatus.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const seconds = 5;
/** The head that the tables have. */
const stored = { seqno: 7, utime: 70 };
/** The head that the indexer of this process reports. */
const reported = { seqno: 9, utime: 90 };

function statusOf(kind: IndexerStatus["kind"]): IndexerStatus {
  const last = { lastSeqno: reported.seqno, lastUtime: reported.utime };
  return { kind, head: reported.seqno, ...last, lagSeconds: 0, workers: [], failure: undefined };
}

/** Watches for some seconds; returns the head and how often it was read from the tables. */
async function watch(kind: Database["kind"], status: IndexerStatus | undefined) {
  const clock = new ManualClock();
  let reads = 0;
  const query = async (sql: string) => {
    if (!sql.includes("gen_utime")) return [];
    reads++;
    return [{ seqno: String(stored.seqno), gen_utime: String(stored.utime) }];
  };
  const closing: (() => unknown)[] = [];
  const closers = { add: (_: string, close: () => unknown) => void closing.push(close) };
  const indexer = status === undefined ? undefined : { status: () => status };
  const { head } = watchTables({ database: { kind, query }, clock, indexer }, closers);
  await clock.advance(seconds * 1_000);
  const result = { head: head(), reads };
  for (const close of closing) await close();
  return { ...result, timers: clock.waiting };
}

test("takes the head of a built-in database from the indexer that follows the chain", async () => {
  expect(await watch("embedded", statusOf("following"))).toEqual({ head: reported, reads: 0, timers: 0 });
});

test.each([
  ["the indexer is catching up", "embedded", statusOf("catchingUp")],
  ["the indexer fails", "embedded", statusOf("failing")],
  ["the indexer has written nothing yet", "embedded", { ...statusOf("following"), lastSeqno: undefined }],
  ["nobody writes here", "embedded", undefined],
  ["other processes may write", "postgres", statusOf("following")],
] as const)("reads the head from the tables every second when %s", async (_, kind, status) => {
  expect(await watch(kind, status)).toEqual({ head: stored, reads: seconds + 1, timers: 0 });
});
