import { describe, expect, it } from "vitest";
import { ExternalsBudget } from "../../../src/localnet/rounds/ExternalsBudget.ts";

/** Runs rounds on a machine where the rest takes `restPerMs` times as long as trying messages. */
function runRounds(budget: ExternalsBudget, restPerMs: number, rounds: number): number {
  for (let i = 0; i < rounds; i++) {
    const externalsMs = budget.limitMs;
    budget.learn({ externalsMs, wholeMs: externalsMs * (1 + restPerMs) });
  }
  return budget.limitMs;
}

describe("the time for external messages", () => {
  it("converges to what keeps the pace of the round, on any machine", () => {
    for (const restPerMs of [0.25, 1, 2.5])
      expect(runRounds(new ExternalsBudget(400), restPerMs, 40) * (1 + restPerMs)).toBeCloseTo(400, 0);
  });

  it("is never less than a quarter of the pace", () => {
    expect(runRounds(new ExternalsBudget(400), 30, 40)).toBe(100);
  });

  it("follows a machine that becomes slower, and faster again", () => {
    const budget = new ExternalsBudget(400);
    const slow = runRounds(budget, 30, 40);
    expect({ slow, quick: Math.round(runRounds(budget, 1, 40)) }).toEqual({ slow: 100, quick: 200 });
  });

  it("ignores rounds with few messages or none", () => {
    const budget = new ExternalsBudget(400);
    const before = budget.limitMs;
    budget.learn({ externalsMs: undefined, wholeMs: 300 });
    budget.learn({ externalsMs: 2, wholeMs: 300 });
    expect(budget.limitMs).toBe(before);
  });

  it("is unlimited without a pace", () => {
    const budget = new ExternalsBudget(Number.POSITIVE_INFINITY);
    budget.learn({ externalsMs: 5_000, wholeMs: 10_000 });
    expect(budget.limitMs).toBe(Number.POSITIVE_INFINITY);
  });
});
