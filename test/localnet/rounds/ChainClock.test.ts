import { describe, expect, it } from "vitest";
import { ChainClock } from "../../../src/localnet/rounds/ChainClock.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const year = 366 * 24 * 3600;

/** A clock whose time of day can be set, as on a machine. */
class SetClock extends ManualClock {
  #setMs = 0;

  override now(): number {
    return super.now() + this.#setMs;
  }

  set(seconds: number): void {
    this.#setMs += seconds * 1_000;
  }
}

describe("the time of a chain", () => {
  it("keeps its pace when the machine's clock is set back, and reports how far it is ahead", async () => {
    const machine = new SetClock();
    const clock = new ChainClock(machine);
    const before = clock.seconds;
    machine.set(-3_600);
    expect(clock.seconds).toBe(before);
    expect(clock.aheadSeconds).toBe(3_600);
    await machine.advance(5_000);
    expect(clock.seconds).toBe(before + 5);
    expect(clock.aheadSeconds).toBe(3_600);
    machine.set(3_600);
    expect([clock.seconds, clock.aheadSeconds]).toEqual([before + 5, 0]);
  });

  it("follows a machine's clock that is set forward", () => {
    const machine = new SetClock();
    const clock = new ChainClock(machine);
    const before = clock.seconds;
    machine.set(3_600);
    expect([clock.seconds, clock.aheadSeconds]).toEqual([before + 3_600, 0]);
    machine.set(-3_600);
    expect([clock.seconds, clock.aheadSeconds]).toEqual([before + 3_600, 3_600]);
  });

  it("does not take the drift of a clock for a set clock", async () => {
    const machine = new SetClock();
    const clock = new ChainClock(machine);
    const before = clock.seconds;
    for (let i = 0; i < 100; i++) {
      await machine.advance(1_000);
      machine.set(-0.1);
      expect(clock.seconds).toBeGreaterThanOrEqual(before);
    }
    expect([clock.seconds - before, clock.aheadSeconds]).toEqual([90, 0]);
  });

  it("advances ahead of the clock and never back", () => {
    const clock = new ChainClock(new ManualClock());
    const before = clock.seconds;
    clock.advance(10);
    expect(clock.seconds).toBe(before + 10);
    clock.reach(before);
    expect(clock.seconds).toBe(before + 10);
    expect(() => clock.advance(-1)).toThrow("time can only be advanced");
  });

  it("stays a year below the largest time of a block, however often it advances", () => {
    const clock = new ChainClock(new ManualClock());
    const goAhead = (): void => {
      for (let i = 0; i < 200; i++) clock.advance(year);
    };
    expect(goAhead).toThrow("chain time cannot pass");
    expect(clock.seconds).toBeLessThan(2 ** 32 - year);
  });
});
