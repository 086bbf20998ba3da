import { describe, expect, it } from "vitest";
import { ChainClock } from "../../../src/localnet/rounds/ChainClock.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const year = 366 * 24 * 3600;

describe("the time of a chain", () => {
  it("advances ahead of the clock and never back", () => {
    const clock = new ChainClock(new ManualClock());
    const before = clock.seconds;
    clock.advance(10);
    expect(clock.seconds).toBe(before + 10);
    clock.reach(before);
    expect(clock.seconds).toBe(before + 10);
    expect(() => clock.advance(-1)).toThrow("time goes forwards");
  });

  it("stays a year below the largest time of a block, however often it advances", () => {
    const clock = new ChainClock(new ManualClock());
    const goAhead = (): void => {
      for (let i = 0; i < 200; i++) clock.advance(year);
    };
    expect(goAhead).toThrow("the time of the chain ends at");
    expect(clock.seconds).toBeLessThan(2 ** 32 - year);
  });
});
