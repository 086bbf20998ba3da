import { describe, expect, it } from "vitest";
import { describeIndex, formatSpan, hasEnded } from "../../../../src/app/service/parts/describeIndex.ts";
import type { IndexerStatus, SegmentStatus } from "../../../../src/history/ingest/IndexStatus.ts";

const status: IndexerStatus = {
  ...{ kind: "following", head: 40, lastSeqno: 40, lastUtime: 993, lagSeconds: 7, workers: [], failure: undefined },
};
const well = {
  condition: { kind: "open" },
  waitsForWriter: false,
  status,
  head: { seqno: 40, utime: 993 },
  now: 1000,
} as const;
const failure = { code: "history/database", message: "it is gone", attempt: 2, failedAt: 990, nextTryAt: 1004 };
const lane: SegmentStatus = {
  ...{ kind: "backfill" as const, firstSeqno: 1, nextSeqno: 11, to: 29, blocks: 10, transactions: 50 },
  ...{ blocksPerSecond: 2.5, transactionsPerSecond: 120.4, blocksLeft: 19, secondsLeft: 8, failure: undefined },
};

const until = (seqno: number) => {
  const lists = { accounts: [], jettons: [], collections: [], codeHashes: [] };
  return { ...lists, from: undefined, until: { kind: "block", seqno } } as const;
};

describe("the end of a scope", () => {
  const { head, now } = well;
  it("is reached with its last block, or when its time is over", () => {
    const ends = [until(40), until(41), { ...until(1), until: { kind: "time", at: 995 } as const }, undefined];
    expect(ends.map((scope) => hasEnded(scope, head, now))).toEqual([true, false, true, false]);
    expect(hasEnded({ ...until(1), until: { kind: "time", at: 1005 } }, head, now)).toBe(false);
  });
});

describe("the state of an index", () => {
  it.each([
    ["follows the chain; block 40, 7 s old", well],
    ["nothing of it yet", { ...well, head: undefined }],
    ["follows the chain; block 40, 7 s old; covers all accounts until block 50", { ...well, scope: until(50) }],
    [
      "complete to the end of its scope; block 40, 7 s old; covers all accounts until block 40",
      { ...well, scope: until(40), status: { ...status, kind: "done" } },
    ],
    ["read only; block 40, 7 s old", { ...well, status: undefined }],
    ["opening its database", { ...well, condition: { kind: "opening" } }],
    ["its database cannot be used: no route", { ...well, condition: { kind: "away", reason: "no route" } }],
    ["waiting, because another process writes it; block 40, 7 s old", { ...well, waitsForWriter: true }],
    ["starting; block 40, 7 s old", { ...well, status: { ...status, kind: "starting" } }],
    [
      "failing, attempt 2, next in 4 s: it is gone; block 40, 7 s old",
      { ...well, status: { ...status, kind: "failing", failure } },
    ],
    [
      "failing, attempt 2, next in 4 s: it is gone; block 40, 7 s old",
      { ...well, status: { ...status, kind: "failing", workers: [{ ...lane, failure }] } },
    ],
    [
      "catching up; block 40, 7 s old; gap at 10, 19 blocks left, 2.5 blocks/s, 120 tx/s, 8 s left",
      { ...well, status: { ...status, kind: "catchingUp", workers: [lane] } },
    ],
  ] as const)("%s", (text, facts) => {
    expect(describeIndex(facts)).toBe(text === "nothing of it yet" ? "follows the chain; no block indexed yet" : text);
  });

  it("has readable durations", () => {
    expect([0, 119, 120, 7_199, 7_200, 172_799, 172_800].map(formatSpan)).toEqual([
      ...["0 s", "119 s", "2 min", "120 min", "2 h", "48 h", "2 days"],
    ]);
  });
});
