import { describe, expect, it } from "vitest";
import { findAdjacent, isWithoutGaps, type PlanInput, planSegments } from "../../../src/history/ingest/planSegments.ts";

const base: PlanInput = { segments: [], from: "head", head: 1000, to: undefined, maxBehind: 100 };

function segment(firstSeqno: number, nextSeqno = firstSeqno) {
  return { firstSeqno, nextSeqno };
}

describe("the read range", () => {
  it("starts at the head by default", () => {
    expect(planSegments(base)).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined, first: 1000 },
      hasGaps: false,
      missing: 1,
    });
  });

  it("is one segment from the requested block if it is near the head", () => {
    expect(planSegments({ ...base, from: 950 }).follow?.segment).toEqual(segment(950));
    expect(planSegments({ ...base, from: "genesis", head: 50 })).toEqual({
      follow: { kind: "follow", segment: segment(1), to: undefined, first: 1 },
      hasGaps: false,
      missing: 50,
    });
  });

  it("is the head, and in parallel the long way to it", () => {
    expect(planSegments({ ...base, from: "genesis" })).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined, first: 1 },
      hasGaps: true,
      missing: 1000,
    });
  });

  it("continues existing segments", () => {
    const near = { ...base, segments: [segment(900, 990)] };
    expect(planSegments(near)).toEqual({
      follow: { kind: "follow", segment: segment(900, 990), to: undefined, first: 900 },
      hasGaps: false,
      missing: 11,
    });
  });

  it("has gaps where segments do not meet, including the one before the head", () => {
    const gaps = { ...base, from: 10, segments: [segment(500, 600), segment(100, 200)] };
    expect(planSegments(gaps)).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined, first: 10 },
      hasGaps: true,
      missing: 90 + 300 + 400 + 1,
    });
    const near = { ...gaps, segments: [segment(100, 200), segment(500, 1001)] };
    expect(planSegments(near)).toEqual({
      follow: { kind: "follow", segment: segment(500, 1001), to: undefined, first: 10 },
      hasGaps: true,
      missing: 90 + 300,
    });
  });

  it("covers missing blocks up to the last requested one", () => {
    const all = { ...base, from: "genesis", to: 700 } as const;
    expect(planSegments(all).follow).toEqual({ kind: "follow", segment: segment(1), to: 700, first: 1 });
    expect(planSegments({ ...all, segments: [segment(1, 701)] })).toMatchObject({ hasGaps: false, missing: 0 });
    expect(planSegments({ ...all, segments: [segment(300, 701)] })).toMatchObject({ hasGaps: true, missing: 299 });
  });

  it("never starts before the first block", () => {
    expect(planSegments({ ...base, from: 0, head: 5 }).follow?.segment).toEqual(segment(1));
    expect(planSegments({ ...base, head: 0 }).follow?.segment).toEqual(segment(1));
  });
});

describe("segments", () => {
  it("are without gaps when each begins where the one before ends", () => {
    expect(isWithoutGaps([segment(5, 9), segment(1, 5)], 1, 9)).toBe(true);
    expect(isWithoutGaps([segment(1, 5), segment(6, 9)], 1, 9)).toBe(false);
    expect(isWithoutGaps([segment(2, 9)], 1, 9)).toBe(false);
    expect(isWithoutGaps([], 4, 4)).toBe(true);
  });

  it("are joined when they touch and nobody indexes them, the newest first", () => {
    const free = (firstSeqno: number, nextSeqno: number, isFree = true) => ({ firstSeqno, nextSeqno, isFree });
    const [a, b, c] = [free(1, 5), free(5, 9), free(9, 12)];
    expect(findAdjacent([a, b, c])).toEqual([b, c]);
    expect(findAdjacent([a, b, free(9, 12, false)])).toEqual([a, b]);
    expect(findAdjacent([a, free(6, 9), free(10, 12)])).toBeUndefined();
  });
});
