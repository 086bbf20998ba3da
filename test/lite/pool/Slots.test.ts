import { describe, expect, it } from "vitest";
import { Slots } from "../../../src/lite/pool/Slots.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { settle } from "../../kit/suite/ManualClock.ts";

const { signal } = new AbortController();

describe("Slots", () => {
  it("runs as many at once as there are slots, the others in order", async () => {
    const slots = new Slots(2, 10);
    const started: number[] = [];
    const gates = [deferred(), deferred(), deferred(), deferred()];
    const runs = gates.map((gate, index) =>
      slots.run(async () => {
        started.push(index);
        await gate.promise;
        return index;
      }, signal),
    );
    expect([slots.taken, slots.waiting]).toEqual([2, 2]);
    gates[1]?.resolve();
    await runs[1];
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
  });

  it("refuses with lite/busy if the queue is full", async () => {
    const slots = new Slots(1, 1);
    const gate = deferred();
    const runs = [slots.run(() => gate.promise, signal), slots.run(() => gate.promise, signal)];
    await expect(slots.run(() => gate.promise, signal)).rejects.toMatchObject({ code: "lite/busy" });
    gate.resolve();
    await Promise.all(runs);
  });

  it("removes a caller from the queue when its signal aborts", async () => {
    const slots = new Slots(1, 5);
    const gate = deferred();
    const first = slots.run(() => gate.promise, signal);
    const controller = new AbortController();
    const second = slots.run(() => gate.promise, controller.signal);
    controller.abort(new Error("enough"));
    await expect(second).rejects.toMatchObject({ code: "lib/aborted" });
    expect([slots.taken, slots.waiting]).toEqual([1, 0]);
    gate.resolve();
    await first;
  });

  it("frees a slot when the work fails", async () => {
    const slots = new Slots(1, 5);
    await expect(slots.run(() => Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    expect(await slots.run(async () => 5, signal)).toBe(5);
  });

  it("rejects waiting work, and reports when all slots are free", async () => {
    const slots = new Slots(1, 5);
    const gate = deferred();
    const first = slots.run(() => gate.promise, signal);
    const second = slots.run(() => gate.promise, signal);
    const idle = slots.idle();
    slots.refuseWaiting(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    gate.resolve();
    await Promise.all([first, idle, slots.idle()]);
  });

  it("can shrink, as slots are freed, and grow, with slots for waiting work at once", async () => {
    const slots = new Slots(3, 10);
    const gates = Array.from({ length: 6 }, deferred);
    const runs = gates.map((gate) => slots.run(() => gate.promise, signal));
    slots.resize(1);
    expect([slots.taken, slots.waiting]).toEqual([3, 3]);
    gates[0]?.resolve();
    gates[1]?.resolve();
    await Promise.all([runs[0], runs[1]]);
    expect([slots.taken, slots.waiting]).toEqual([1, 3]);
    slots.resize(3);
    expect([slots.taken, slots.waiting]).toEqual([3, 1]);
    for (const gate of gates) gate.resolve();
    await Promise.all(runs);
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
  });
});
