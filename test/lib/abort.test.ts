import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { abortReason, onAbort, orAborted } from "../../src/lib/abort.ts";
import { LibError } from "../../src/lib/errors.ts";

describe("the reason of an abort", () => {
  it("stays unchanged if it has a code, and otherwise becomes a cause", () => {
    const coded = new LibError("lib/deadline", "too late");
    expect(abortReason(AbortSignal.abort(coded))).toBe(coded);
    expect(abortReason(AbortSignal.abort("stop"))).toMatchObject({ code: "lib/aborted", cause: "stop" });
  });
});

describe("listening for an abort", () => {
  it("reacts at once when it already happened, once when it happens, never after it stopped", () => {
    const seen: string[] = [];
    onAbort(AbortSignal.abort(), () => seen.push("already"));
    onAbort(undefined, () => seen.push("never"));
    const controller = new AbortController();
    onAbort(controller.signal, () => seen.push("happens"));
    onAbort(controller.signal, () => seen.push("stopped"))();
    expect(seen).toEqual(["already"]);
    controller.abort();
    expect(seen).toEqual(["already", "happens"]);
  });

  it("of hundreds at a time does not trigger the platform's leak warning, and leaves nothing behind", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on("warning", note);
    const { signal } = new AbortController();
    const stops = Array.from({ length: 300 }, () => onAbort(signal, () => {}));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const stop of stops) stop();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // Node emits the warning in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("notifies everybody in order, except those who stop meanwhile", () => {
    const controller = new AbortController();
    const seen: string[] = [];
    let stopThird = () => {};
    const twice = () => seen.push("twice");
    onAbort(controller.signal, twice);
    onAbort(controller.signal, () => {
      seen.push("second");
      stopThird();
      onAbort(controller.signal, () => seen.push("late"));
    });
    stopThird = onAbort(controller.signal, () => seen.push("third"));
    onAbort(controller.signal, twice);
    controller.abort();
    expect(seen).toEqual(["twice", "second", "late", "twice"]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

describe("work or abort", () => {
  it("settles with whichever comes first", async () => {
    const controller = new AbortController();
    await expect(orAborted(Promise.resolve(1), controller.signal)).resolves.toBe(1);
    await expect(orAborted(Promise.resolve(2))).resolves.toBe(2);
    await expect(orAborted(Promise.reject(new Error("failed")), controller.signal)).rejects.toThrow("failed");
    const endless = orAborted(new Promise<never>(() => {}), controller.signal);
    controller.abort();
    await expect(endless).rejects.toMatchObject({ code: "lib/aborted" });
  });
});
