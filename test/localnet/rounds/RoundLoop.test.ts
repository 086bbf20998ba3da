import { describe, expect, it } from "vitest";
import type { LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { RoundLoop, type RoundPace } from "../../../src/localnet/rounds/RoundLoop.ts";
import { recordLog } from "../../kit/localnet/localChain.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

function openLoop(pace: RoundPace) {
  const clock = new ManualClock();
  const log = recordLog();
  const state = { rounds: 0, work: 0, failures: 0, isAlone: true, takesMs: 0 };
  let under = 0;
  const make = async (): Promise<LedgerBlock> => {
    under++;
    state.isAlone &&= under === 1;
    if (state.takesMs > 0) await clock.sleep(state.takesMs);
    under--;
    if (state.failures > 0) {
      state.failures--;
      throw new Error("broken");
    }
    state.rounds++;
    state.work = Math.max(0, state.work - 1);
    return {} as LedgerBlock;
  };
  const loop = new RoundLoop(pace, { clock, log, make, hasWork: () => state.work > 0 });
  return { clock, log, state, loop };
}

describe("a steady loop", () => {
  it("makes a round at each interval, also after manual rounds", async () => {
    const { loop, clock, state } = openLoop({ kind: "steady", blockMs: 400 });
    await loop.step();
    loop.start();
    await clock.advance(2_000);
    expect(state.rounds).toBe(6);
    void loop.step();
    void loop.step();
    await clock.advance(400);
    expect(state).toMatchObject({ rounds: 9, isAlone: true });
    await loop.close();
    expect(clock.waiting).toBe(0);
    await expect(loop.step()).rejects.toMatchObject({ code: "localnet/closed" });
  });

  it("does not catch up for rounds that took too long", async () => {
    const { loop, clock, state } = openLoop({ kind: "steady", blockMs: 400 });
    state.takesMs = 1_000;
    loop.start();
    await clock.advance(3_400);
    expect(state).toMatchObject({ rounds: 3, isAlone: true });
    state.takesMs = 0;
    await clock.advance(1_400);
    expect(state.rounds).toBeLessThanOrEqual(7);
    loop.destroy();
  });

  it("makes no rounds while it is paused", async () => {
    const { loop, clock, state } = openLoop({ kind: "steady", blockMs: 400 });
    loop.start();
    await clock.advance(400);
    loop.pause();
    expect(loop.isPaused).toBe(true);
    await clock.advance(4_000);
    expect(state.rounds).toBe(1);
    loop.resume();
    await clock.advance(800);
    expect(state.rounds).toBe(3);
    loop.destroy();
  });

  it("logs a failed round and tries again", async () => {
    const { loop, clock, state, log } = openLoop({ kind: "steady", blockMs: 400 });
    state.failures = 2;
    loop.start();
    await clock.advance(400);
    await clock.advance(1_000);
    expect(state.rounds).toBe(0);
    // Each pause is twice as long as the one before.
    await clock.advance(1_000);
    expect(state.rounds).toBe(0);
    await clock.advance(1_000);
    // The first one is late, so the next comes at once.
    expect(state.rounds).toBe(2);
    expect(log.lines).toEqual(["a round failed; retrying", "a round failed; retrying"]);
    loop.destroy();
  });
});

describe("a loop on demand", () => {
  it("makes rounds only while there is work", async () => {
    const { loop, clock, state } = openLoop({ kind: "onDemand" });
    loop.start();
    await clock.advance(10_000);
    expect(state.rounds).toBe(0);
    state.work = 3;
    loop.wake();
    await clock.advance(1);
    await flushPromises();
    expect(state.rounds).toBe(3);
    await clock.advance(10_000);
    expect(state.rounds).toBe(3);
    loop.destroy();
  });
});
