import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const open = (maxNames = 1000) => {
  const clock = new ManualClock();
  return { clock, limits: new MemoryLimits({ maxNames }, clock) };
};

describe("a limit", () => {
  it("of one per second admits one each second, and returns when to retry", async () => {
    const { clock, limits } = open();
    const rate = { perSecond: 1, burst: 1 };
    expect(limits.take("a", rate)).toEqual({ isAllowed: true, remaining: 0, retryMs: 0, resetMs: 1000 });
    await clock.advance(400);
    expect(limits.take("a", rate)).toEqual({ isAllowed: false, remaining: 0, retryMs: 600, resetMs: 600 });
    expect(limits.take("b", rate).isAllowed).toBe(true);
    await clock.advance(600);
    expect(limits.take("a", rate).isAllowed).toBe(true);
  });

  it("with a burst admits the burst at once, and then by its rate", async () => {
    const { clock, limits } = open();
    const rate = { perSecond: 10, burst: 10 };
    const remaining = Array.from({ length: 12 }, () => limits.take("a", rate)).map((each) => each.remaining);
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(limits.take("a", rate)).toEqual({ isAllowed: false, remaining: 0, retryMs: 100, resetMs: 1000 });
    await clock.advance(250);
    expect([1, 2, 3].map(() => limits.take("a", rate).isAllowed)).toEqual([true, true, false]);
  });

  it("never admits more than burst and rate allow, whatever the times", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 60 }),
        async (perSecond, burst, gaps) => {
          const { clock, limits } = open();
          let allowed = 0;
          for (const gap of gaps) {
            await clock.advance(gap);
            allowed += limits.take("a", { perSecond, burst }).isAllowed ? 1 : 0;
            expect(allowed).toBeLessThanOrEqual(burst + (clock.monotonic() * perSecond) / 1000 + 1e-6);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("drops old names, and never keeps more than its maximum", async () => {
    const { clock, limits } = open(50);
    const rate = { perSecond: 1, burst: 1 };
    for (let count = 0; count < 200; count++) limits.take(`n${count}`, rate);
    expect(limits.size).toBeLessThanOrEqual(50);
    await clock.advance(5000);
    for (let count = 0; count < 60; count++) limits.take("late", rate);
    expect(limits.size).toBe(1);
  });
});
