import { describe, expect, it } from "vitest";
import { CancelToken, cancelAfter } from "../../../../src/api/http/answers/CancelToken.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const [first, second] = [new Error("first"), new Error("second")];

describe("a cancel token", () => {
  it("reports the first reason to every listener, once", () => {
    const token = new CancelToken();
    const received: Error[] = [];
    const listen = (reason: Error) => received.push(reason);
    token.onCancel(listen);
    token.onCancel(listen);
    expect(token.reason).toBeUndefined();
    token.cancel(first);
    token.cancel(second);
    expect([received, token.reason]).toEqual([[first, first], first]);
  });

  it("calls late listeners at once, and none that stopped listening", () => {
    const token = new CancelToken();
    const received: string[] = [];
    const stop = token.onCancel(() => received.push("stopped"));
    token.onCancel(() => received.push("listened"));
    stop();
    token.cancel(first);
    token.onCancel(() => received.push("late"));
    expect(received).toEqual(["listened", "late"]);
  });

  it("aborts its signal, whether that was read before or after", () => {
    const [before, after] = [new CancelToken(), new CancelToken()];
    const { signal } = before;
    expect([signal.aborted, before.signal]).toEqual([false, signal]);
    before.cancel(first);
    after.cancel(second);
    expect([signal.aborted, signal.reason, after.signal.aborted, after.signal.reason]).toEqual([
      true,
      first,
      true,
      second,
    ]);
  });
});

describe("a cancel token with a time limit", () => {
  it("is cancelled by the timeout or by its parent", async () => {
    const clock = new ManualClock();
    const [alone, child] = [cancelAfter(clock, 100, new CancelToken()), new CancelToken()];
    const { token } = cancelAfter(clock, 100, child);
    child.cancel(first);
    await clock.advance(100);
    expect([alone.token.reason, token.reason]).toMatchObject([{ code: "lib/deadline", data: { delayMs: 100 } }, first]);
  });

  it("is never cancelled after its disposal", async () => {
    const [clock, parent] = [new ManualClock(), new CancelToken()];
    const { token, dispose } = cancelAfter(clock, 100, parent);
    dispose();
    await clock.advance(100);
    parent.cancel(first);
    expect(token.reason).toBeUndefined();
  });
});
