import { describe, expect, it } from "vitest";
import { LiteError } from "../../../src/lite/errors.ts";
import { Notifier } from "../../../src/lite/pool/Notifier.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const over = new LiteError("lite/closed", "the test is over");

describe("Bell", () => {
  it("wakes all who wait, once", async () => {
    const bell = new Notifier();
    const clock = new ManualClock();
    const waiting = [bell.wait(), bell.wait(), bell.waitAtMost(clock, 1_000)];
    bell.ring();
    await Promise.all(waiting);
    expect(clock.waiting).toBe(0);
  });

  it("is waited for no longer than is said", async () => {
    const clock = new ManualClock();
    const waiting = new Notifier().waitAtMost(clock, 1_000);
    await clock.advance(1_000);
    await waiting;
  });

  it("lets go those whose signal aborts, before or while they wait", async () => {
    const bell = new Notifier();
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = expect(bell.waitAtMost(clock, 1_000, controller.signal)).rejects.toBe(over);
    controller.abort(over);
    await waiting;
    await expect(bell.wait(controller.signal)).rejects.toBe(over);
    await expect(bell.waitAtMost(clock, 1_000, controller.signal)).rejects.toBe(over);
    expect(clock.waiting).toBe(0);
  });
});
