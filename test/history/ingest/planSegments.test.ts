import { describe, expect, it } from "vitest";
import { type PlanInput, planSegments } from "../../../src/history/ingest/planSegments.ts";

const base: PlanInput = { segments: [], from: "head", head: 1000, to: undefined, mostBehind: 100 };

function segment(firstSeqno: number, nextSeqno = firstSeqno) {
  return { firstSeqno, nextSeqno };
}

describe("the read range", () => {
  it("starts at the head by default", () => {
    expect(planSegments(base)).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined },
      backfill: undefined,
      missing: 1,
    });
  });

  it("is one segment from the requested block if it is near the head", () => {
    expect(planSegments({ ...base, from: 950 }).follow?.segment).toEqual(segment(950));
    expect(planSegments({ ...base, from: "genesis", head: 50 })).toEqual({
      follow: { kind: "follow", segment: segment(1), to: undefined },
      backfill: undefined,
      missing: 50,
    });
  });

  it("is the head, and in parallel the long way to it", () => {
    expect(planSegments({ ...base, from: "genesis" })).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined },
      backfill: { kind: "backfill", segment: segment(1), to: 999 },
      missing: 1000,
    });
  });

  it("continues existing segments", () => {
    const near = { ...base, segments: [segment(900, 990)] };
    expect(planSegments(near)).toEqual({
      follow: { kind: "follow", segment: segment(900, 990), to: undefined },
      backfill: undefined,
      missing: 11,
    });
  });

  it("fills the newest gap first, including the one before the head", () => {
    const gaps = { ...base, from: 10, segments: [segment(500, 600), segment(100, 200)] };
    expect(planSegments(gaps)).toEqual({
      follow: { kind: "follow", segment: segment(1000), to: undefined },
      backfill: { kind: "backfill", segment: segment(500, 600), to: 999 },
      missing: 90 + 300 + 400 + 1,
    });
    const closed = { ...gaps, segments: [segment(100, 200), segment(500, 1001)] };
    expect(planSegments(closed).backfill).toEqual({ kind: "backfill", segment: segment(100, 200), to: 499 });
    const last = { ...gaps, segments: [segment(100, 1001)] };
    expect(planSegments(last).backfill).toEqual({ kind: "backfill", segment: segment(10), to: 99 });
  });

  it("covers missing blocks up to the last requested one", () => {
    const all = { ...base, from: "genesis", to: 700 } as const;
    expect(planSegments(all).follow).toEqual({ kind: "follow", segment: segment(1), to: 700 });
    expect(planSegments({ ...all, segments: [segment(1, 701)] })).toEqual({
      follow: undefined,
      backfill: undefined,
      missing: 0,
    });
    expect(planSegments({ ...all, segments: [segment(300, 701)] })).toEqual({
      follow: undefined,
      backfill: { kind: "backfill", segment: segment(1), to: 299 },
      missing: 299,
    });
  });

  it("never starts before the first block", () => {
    expect(planSegments({ ...base, from: 0, head: 5 }).follow?.segment).toEqual(segment(1));
    expect(planSegments({ ...base, head: 0 }).follow?.segment).toEqual(segment(1));
  });
});
