import { describe, expect, it } from "vitest";
import { addSample, addUnanswered, type Latency, noLatency } from "../../../src/lite/pool/latency.ts";

function sampled(times: readonly number[], everyMs = 10, from: Latency = noLatency): Latency {
  return times.reduce((latency, ms) => addSample(latency, ms, latency.measuredMs + everyMs), from);
}

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

describe("latency", () => {
  it("is unknown before the first answer", () => {
    expect([noLatency.averageMs, noLatency.p50Ms, noLatency.p95Ms]).toEqual([undefined, undefined, undefined]);
  });

  it("has percentiles of the last answers", () => {
    expect(sampled([5])).toMatchObject({ p50Ms: 5, p95Ms: 5 });
    expect(sampled([1, 2, 3, 4])).toMatchObject({ p50Ms: 2, p95Ms: 4 });
    const { samples, p50Ms, p95Ms } = sampled(hundred);
    expect(samples).toEqual(hundred.slice(-64));
    expect(p50Ms).toBeGreaterThan(60);
    expect(p95Ms).toBeGreaterThan(90);
  });

  it("rises at once with a slow answer and decays over time", () => {
    const slow = sampled([5, 5, 5, 200]);
    expect(slow.averageMs).toBe(200);
    expect(sampled([5], 10, slow).averageMs).toBeGreaterThan(190);
    expect(sampled([5], 60_000, slow).averageMs).toBeCloseTo(5, 1);
  });

  it("learns from unanswered queries, and only upwards", () => {
    const known = sampled([5, 5]);
    expect(addUnanswered(known, 3, 100)).toBe(known);
    expect(addUnanswered(known, 500, 100)).toMatchObject({ averageMs: 500, p95Ms: 5 });
  });
});
