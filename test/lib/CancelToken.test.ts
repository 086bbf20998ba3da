import { describe, expect, it } from "vitest";
import { onAbort, orAborted } from "../../src/lib/abort.ts";
import { CancelToken } from "../../src/lib/CancelToken.ts";
import { throwIfAborted } from "../../src/lib/deadline.ts";

const [first, second] = [new Error("first"), new Error("second")];

describe("an ending", () => {
  it("tells everybody who listens, once, with the first reason", () => {
    const ending = new CancelToken();
    const heard: Error[] = [];
    const listen = (reason: Error) => heard.push(reason);
    ending.onEnd(listen);
    onAbort(ending, listen);
    expect(ending.reason).toBeUndefined();
    ending.end(first);
    ending.end(second);
    expect([heard, ending.reason]).toEqual([[first, first], first]);
  });

  it("tells those at once who come late, and nobody who stopped listening", () => {
    const ending = new CancelToken();
    const heard: string[] = [];
    const stop = ending.onEnd(() => heard.push("stopped"));
    ending.onEnd(() => heard.push("listened"));
    stop();
    ending.end(first);
    ending.onEnd(() => heard.push("late"));
    expect(heard).toEqual(["listened", "late"]);
  });

  it("is a signal as well, whether that was asked for before or after", () => {
    const [before, after] = [new CancelToken(), new CancelToken()];
    const { signal } = before;
    expect([signal.aborted, before.signal]).toEqual([false, signal]);
    before.end(first);
    after.end(second);
    expect([signal.aborted, signal.reason, after.signal.aborted, after.signal.reason]).toEqual([
      true,
      first,
      true,
      second,
    ]);
  });

  it("ends a wait and stops whoever asks between steps", async () => {
    const ending = new CancelToken();
    throwIfAborted(ending);
    const waits = orAborted(new Promise(() => {}), ending);
    ending.end(first);
    await expect(waits).rejects.toBe(first);
    expect(() => throwIfAborted(ending)).toThrow(first);
  });
});
