import { describe, expect, it } from "vitest";
import { newHealth, noteAnswer } from "../../../src/lite/pool/health.ts";
import { HedgeBudget, hedgeDelayMs, lateAfterMs } from "../../../src/lite/pool/hedge.ts";
import { noNeed as need } from "../../../src/lite/tl/need.ts";

describe("the hedge budget", () => {
  it("never hedges more than its share of all queries", () => {
    const budget = new HedgeBudget(0.05);
    expect(budget.take()).toBe(false);
    for (let read = 1; read <= 1_000; read++) {
      budget.earn();
      budget.take();
      expect(budget.counters.hedges).toBeLessThanOrEqual(read * 0.05);
    }
    expect(budget.counters).toEqual({ queries: 1_000, hedges: 50 });
  });

  it("accumulates only a little", () => {
    const budget = new HedgeBudget(0.05);
    for (let read = 0; read < 10_000; read++) budget.earn();
    let taken = 0;
    while (budget.take()) taken += 1;
    expect(taken).toBe(10);
  });
});

describe("the time limit of a server before a hedge", () => {
  it("is its own p95, and never below the floor", () => {
    expect(hedgeDelayMs(noteAnswer(newHealth(24), 5, 0), 50)).toBe(50);
    expect(hedgeDelayMs(noteAnswer(newHealth(24), 170, 0), 50)).toBe(170);
  });

  it("is longer without alternatives, and by the requested wait", () => {
    expect(lateAfterMs(noteAnswer(newHealth(24), 5, 0), need)).toBe(1_000);
    expect(lateAfterMs(noteAnswer(newHealth(24), 2_000, 0), { ...need, waitMs: 500 })).toBe(6_500);
  });
});
