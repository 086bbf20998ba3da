import { describe, expect, it } from "vitest";
import { LiteError } from "../../../src/lite/errors.ts";
import { Notifier } from "../../../src/lite/pool/Notifier.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const over = new LiteError("lite/closed", "the test is over");

describe("Notifier", () => {
  it("wakes all waiting callers, once", async () => {
    const notifier = new Notifier();
    const clock = new ManualClock();
    const waiting = [notifier.wait(), notifier.wait(), notifier.waitAtMost(clock, 1_000)];
    notifier.notify();
    await Promise.all(waiting);
    expect(clock.waiting).toBe(0);
  });

  it("limits the waiting time", async () => {
    const clock = new ManualClock();
    const waiting = new Notifier().waitAtMost(clock, 1_000);
    await clock.advance(1_000);
    await waiting;
  });

  it("releases callers whose signal aborts, before or while they wait", async () => {
    const notifier = new Notifier();
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = expect(notifier.waitAtMost(clock, 1_000, controller.signal)).rejects.toBe(over);
    controller.abort(over);
    await waiting;
    await expect(notifier.wait(controller.signal)).rejects.toBe(over);
    await expect(notifier.waitAtMost(clock, 1_000, controller.signal)).rejects.toBe(over);
    expect(clock.waiting).toBe(0);
  });
});
