import { describe, expect, it } from "vitest";
import { LiteError } from "../../../src/lite/errors.ts";
import { HeadTracker } from "../../../src/lite/pool/HeadTracker.ts";
import { headAt } from "../../kit/lite/FakeLite.ts";
import { flushPromises } from "../../kit/suite/ManualClock.ts";

const { signal } = new AbortController();
const over = new LiteError("lite/closed", "the test is over");

describe("HeadTracker", () => {
  it("never goes back", () => {
    const tracker = new HeadTracker();
    expect(tracker.newest).toBeUndefined();
    expect([5, 4, 5, 7].map((seqno) => tracker.offer(headAt(seqno)))).toEqual([true, false, false, true]);
    expect(tracker.newest).toEqual(headAt(7));
  });

  it("lets callers wait for a head after a seqno", async () => {
    const tracker = new HeadTracker();
    tracker.offer(headAt(5));
    expect(await tracker.wait(4, signal)).toEqual(headAt(5));
    const waiting = tracker.wait(6, signal);
    tracker.offer(headAt(6));
    await flushPromises();
    tracker.offer(headAt(9));
    expect(await waiting).toEqual(headAt(9));
  });

  it("rejects waiting callers with their signal's reason, and all of them at the end", async () => {
    const tracker = new HeadTracker();
    const controller = new AbortController();
    const first = expect(tracker.wait(0, controller.signal)).rejects.toBe(over);
    const ended = new LiteError("lite/closed", "closed");
    const second = expect(tracker.wait(0, signal)).rejects.toBe(ended);
    controller.abort(over);
    await first;
    tracker.end(ended);
    await second;
    await expect(tracker.wait(0, signal)).rejects.toBe(ended);
  });

  it("is an iteration of changes, of which slow readers see only the newest, and which ends", async () => {
    const tracker = new HeadTracker();
    tracker.offer(headAt(1));
    const seen: number[] = [];
    const walk = (async () => {
      for await (const { block } of tracker.changes(signal)) seen.push(block.seqno);
    })();
    await flushPromises();
    tracker.offer(headAt(2));
    tracker.offer(headAt(3));
    await flushPromises();
    tracker.offer(headAt(4));
    await flushPromises();
    tracker.end(over);
    await walk;
    expect(seen).toEqual([1, 3, 4]);
  });

  it("ends an iteration with the signal's reason", async () => {
    const controller = new AbortController();
    const next = expect(new HeadTracker().changes(controller.signal).next()).rejects.toBe(over);
    controller.abort(over);
    await next;
  });
});
