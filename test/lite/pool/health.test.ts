import { describe, expect, it } from "vitest";
import {
  type Health,
  newHealth,
  noteAnswer,
  noteBusy,
  noteError,
  noteFailure,
  noteHead,
  noteNoBlock,
  noteNoState,
  noteOldest,
  noteProofError,
  noteState,
  noteUnanswered,
  quarantine,
  stateOf,
} from "../../../src/lite/pool/health.ts";
import { headAt } from "../../kit/lite/FakeLite.ts";

const behindMs = 10_000;
const fresh = newHealth(24);
const working = noteHead(fresh, headAt(100), 5, 1_000);
const state = (health: Health, nowMs: number, newest = headAt(100)) => stateOf(health, newest, behindMs, nowMs);

describe("the state of a server", () => {
  it("is starting until it has reported its head", () => {
    expect(state(fresh, 0)).toEqual({ kind: "starting", reason: "has not reported its head yet" });
    expect(state(noteAnswer(fresh, 5, 0), 0).kind).toBe("starting");
    expect(state(working, 1_000)).toEqual({ kind: "ok" });
  });

  it("is behind by time, not by blocks", () => {
    const manyBlocks = noteHead(fresh, headAt(10, 1_700_000_095), 5, 0);
    expect(state(manyBlocks, 0).kind).toBe("ok");
    const muchTime = noteHead(fresh, headAt(99, 1_700_000_089), 5, 0);
    expect(state(muchTime, 0)).toEqual({
      kind: "behind",
      lagMs: 11_000,
      reason: "its newest block is 11 s older than the newest one known",
    });
  });

  it("is down from the first failure until it reports its head", () => {
    const down = noteFailure(noteFailure(working, "lost", 2_000), "refused", 3_000);
    expect(state(down, 4_000)).toEqual({ kind: "down", forMs: 2_000, reason: "refused" });
    expect(state(noteAnswer(down, 5, 4_000), 4_000).kind).toBe("down");
    const back = noteHead(down, headAt(101), 5, 5_000);
    expect(state(back, 5_000, headAt(101))).toEqual({ kind: "ok" });
    expect([back.errors, back.condition]).toEqual([2, { kind: "working", sinceMs: 5_000 }]);
  });

  it("is quarantined after proof errors, longer each time, until it reports its head", () => {
    const first = quarantine(noteProofError(working), "badProof", 0);
    expect(state(first, 10_000)).toEqual({ kind: "quarantined", forMs: 20_000, reason: "badProof" });
    expect(state(noteHead(first, headAt(101), 5, 10_000), 10_000).kind).toBe("quarantined");
    expect(state(noteFailure(first, "lost", 10_000), 10_000).kind).toBe("quarantined");
    expect(state(first, 31_000).kind).toBe("quarantined");
    const back = noteHead(first, headAt(101), 5, 31_000);
    expect(state(back, 31_000, headAt(101)).kind).toBe("ok");
    const second = quarantine(noteProofError(back), "another bad proof", 40_000);
    expect(state(second, 40_000)).toMatchObject({ kind: "quarantined", forMs: 60_000 });
    expect(quarantine(second, "once more", 50_000)).toBe(second);
    expect(second.proofErrors).toBe(2);
  });

  it("limits the quarantine, and forgets old proof errors", () => {
    let health = working;
    let nowMs = 0;
    for (let lies = 0; lies < 20; lies++) {
      health = quarantine(noteProofError(health), "badProof", nowMs);
      nowMs = health.quarantineEndMs;
      health = noteHead(health, headAt(100), 5, nowMs);
    }
    expect(state(quarantine(health, "badProof", nowMs), nowMs)).toMatchObject({ forMs: 3_600_000 });
    const later = nowMs + 3_600_001;
    expect(state(quarantine(health, "badProof", later), later)).toMatchObject({ forMs: 30_000 });
  });

  it("halves its limit when it is busy, and raises it by one for each round of answers", () => {
    const busy = noteBusy(noteBusy(working, 0), 0);
    expect([busy.limit, busy.busy, busy.pausedUntilMs]).toEqual([6, 2, 200]);
    let health = busy;
    for (let answers = 0; answers < 7; answers++) health = noteAnswer(health, 5, 0);
    expect(Math.floor(health.limit)).toBe(7);
    for (let answers = 0; answers < 1_000; answers++) health = noteAnswer(health, 5, 0);
    expect(health.limit).toBe(24);
    for (let answers = 0; answers < 100; answers++) health = noteBusy(health, 0);
    expect([health.limit, health.pausedUntilMs]).toEqual([1, 5_000]);
  });

  it("weighs recent errors more than old ones", () => {
    const failing = [1, 2, 3, 4, 5].reduce((health) => noteError(health), working);
    expect(failing.errorRate).toBeCloseTo(1 - 0.9 ** 5);
    const mended = Array.from({ length: 50 }).reduce<Health>((health) => noteAnswer(health, 5, 0), failing);
    expect(mended.errorRate).toBeLessThan(0.01);
    expect(mended.errors).toBe(5);
  });

  it("expects more delay with each unanswered query, and less with each head", () => {
    const silent = [1, 2, 3, 4].reduce((health) => noteUnanswered(health, 60, 0), working);
    expect([silent.unanswered, silent.latency.averageMs]).toEqual([4, 60]);
    expect(noteUnanswered(working, 20, 0).unanswered).toBe(0);
    expect(noteHead(silent, headAt(101), 5, 0).unanswered).toBe(2);
    expect(noteAnswer(silent, 5, 0).unanswered).toBe(0);
  });

  it("learns from answers which states are pruned", () => {
    const lacking = noteNoState(working, 50);
    expect(lacking.oldestState).toBe(51);
    expect(noteState(lacking, 80)).toBe(lacking);
    expect(noteState(lacking, 20).oldestState).toBe(20);
  });

  it("forgets the known history when an expected block is missing", () => {
    const oldest = { seqno: 40, genUtime: 1_700_000_040, startLt: 40_000n };
    const known = noteOldest(working, oldest);
    expect(noteNoBlock(known, 39)).toBe(known);
    expect(noteNoBlock(known, 40).oldest).toBeUndefined();
  });
});
