import { describe, expect, it } from "vitest";
import { nextRange, type RangeInput } from "../../../src/history/ingest/nextRange.ts";

const base: RangeInput = { segments: [], leases: [], first: 1, end: 10_000, rangeBlocks: 100 };

function segment(firstSeqno: number, nextSeqno = firstSeqno) {
  return { firstSeqno, nextSeqno };
}

describe("the next range to fill", () => {
  it("ends just before what is followed", () => {
    expect(nextRange(base)).toEqual({ segment: segment(9900), lastSeqno: 9999 });
  });

  it("is the newest that nobody has", () => {
    const leases = [{ firstSeqno: 9900, lastSeqno: 9999 }];
    expect(nextRange({ ...base, leases })).toEqual({ segment: segment(9800), lastSeqno: 9899 });
    const segments = [segment(9700, 9900)];
    expect(nextRange({ ...base, leases, segments })).toEqual({ segment: segment(9600), lastSeqno: 9699 });
  });

  it("extends the segment before the gap with what is left of it", () => {
    const segments = [segment(5000, 9998)];
    expect(nextRange({ ...base, segments })).toEqual({ segment: segment(5000, 9998), lastSeqno: 9999 });
    const leases = [{ firstSeqno: 5000, lastSeqno: 9998 }];
    expect(nextRange({ ...base, segments, leases })).toEqual({ segment: segment(9999), lastSeqno: 9999 });
  });

  it("never begins before the first wanted block, and is absent when all is there", () => {
    expect(nextRange({ ...base, first: 9997 })).toEqual({ segment: segment(9997), lastSeqno: 9999 });
    expect(nextRange({ ...base, segments: [segment(1, 10_000)] })).toBeUndefined();
    expect(nextRange({ ...base, end: 1 })).toBeUndefined();
  });

  it("becomes smaller near the end, so that nobody waits for the last one", () => {
    expect(nextRange({ ...base, first: 9840 })).toEqual({ segment: segment(9990), lastSeqno: 9999 });
    expect(nextRange({ ...base, first: 9980 })).toEqual({ segment: segment(9996), lastSeqno: 9999 });
  });

  it("gives every block out exactly once, whatever is there", () => {
    const segments = [segment(3, 20), segment(40, 41), segment(90, 120)];
    const seen: number[] = [];
    const leases: { firstSeqno: number; lastSeqno: number }[] = [];
    for (;;) {
      const next = nextRange({ segments, leases, first: 1, end: 200, rangeBlocks: 7 });
      if (next === undefined) break;
      for (let at = next.segment.nextSeqno; at <= next.lastSeqno; at++) seen.push(at);
      leases.push({ firstSeqno: next.segment.firstSeqno, lastSeqno: next.lastSeqno });
    }
    const has = (at: number) => segments.some(({ firstSeqno, nextSeqno }) => at >= firstSeqno && at < nextSeqno);
    const missing = Array.from({ length: 199 }, (_, index) => index + 1).filter((at) => !has(at));
    expect(seen.sort((a, b) => a - b)).toEqual(missing);
  });
});
