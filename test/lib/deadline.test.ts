import { describe, expect, it } from "vitest";
import { runWithin, throwIfAborted, withDeadline } from "../../src/lib/deadline.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

describe("a deadline", () => {
  it("aborts with its own code when the time is up", async () => {
    const clock = new ManualClock();
    const deadline = withDeadline(clock, 100);
    await clock.advance(99);
    expect([deadline.signal.aborted, deadline.remainingMs()]).toEqual([false, 1]);
    await clock.advance(1);
    expect([deadline.signal.aborted, deadline.remainingMs()]).toEqual([true, 0]);
    expect(deadline.signal.reason).toMatchObject({ code: "lib/deadline", kind: "remote", data: { delayMs: 100 } });
  });

  it("ends with its parent, for the parent's reason", () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const deadline = withDeadline(clock, 100, parent.signal);
    parent.abort("client left");
    expect(deadline.signal.reason).toMatchObject({ code: "lib/aborted", cause: "client left" });
    expect(clock.waiting).toBe(0);
    expect(withDeadline(clock, 100, parent.signal).signal.aborted).toBe(true);
  });

  it("leaves nothing behind and does not fire once disposed", async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const deadline = withDeadline(clock, 100, parent.signal);
    deadline.dispose();
    deadline.dispose();
    parent.abort();
    await clock.advance(200);
    expect([clock.waiting, deadline.signal.aborted]).toEqual([0, false]);
  });
});

describe("work under a deadline", () => {
  it("returns its result and leaves no timer", async () => {
    const clock = new ManualClock();
    await expect(runWithin(clock, 100, async ({ remainingMs }) => remainingMs())).resolves.toBe(100);
    await expect(runWithin(clock, 100, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(clock.waiting).toBe(0);
  });

  it("aborts at its deadline, and does not start if the parent has already aborted", async () => {
    const clock = new ManualClock();
    const work = runWithin(clock, 100, ({ signal }) => clock.sleep(500, signal));
    const refused = expect(work).rejects.toMatchObject({ code: "lib/deadline" });
    await clock.advance(100);
    await refused;
    const never = () => Promise.reject(new Error("begun"));
    await expect(runWithin(clock, 100, never, AbortSignal.abort())).rejects.toMatchObject({ code: "lib/aborted" });
  });
});

it("long work stops between steps once its signal has aborted", () => {
  throwIfAborted();
  throwIfAborted(new AbortController().signal);
  expect(refusalCode(() => throwIfAborted(AbortSignal.abort()))).toBe("lib/aborted");
});
