import { describe, expect, it } from "vitest";
import { Slots } from "../../../src/lib/sharing/Slots.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { flushPromises } from "../../kit/suite/ManualClock.ts";

describe("Slots", () => {
  it("runs as many at once as there are slots, the others in order", async () => {
    const slots = new Slots({ total: 2 });
    const started: number[] = [];
    const gates = [deferred(), deferred(), deferred(), deferred()];
    const runs = gates.map((gate, index) =>
      slots.run(async () => {
        started.push(index);
        await gate.promise;
        return index;
      }),
    );
    expect([slots.taken, slots.waiting]).toEqual([2, 2]);
    gates[1]?.resolve();
    await runs[1];
    await flushPromises();
    expect(started).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
  });

  it("removes a caller from the queue when its signal aborts", async () => {
    const slots = new Slots({ total: 1 });
    const gate = deferred();
    const first = slots.run(() => gate.promise);
    const controller = new AbortController();
    const second = slots.run(() => gate.promise, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(second).rejects.toMatchObject({ code: "lib/aborted" });
    expect([slots.taken, slots.waiting]).toEqual([1, 0]);
    gate.resolve();
    await first;
  });

  it("frees a slot when the work fails", async () => {
    const slots = new Slots({ total: 1 });
    await expect(slots.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await slots.run(async () => 5)).toBe(5);
  });

  it("rejects waiting work, and reports when all slots are free", async () => {
    const slots = new Slots({ total: 1 });
    const gate = deferred();
    const first = slots.run(() => gate.promise);
    const second = slots.run(() => gate.promise);
    const idle = slots.idle();
    slots.refuseWaiting(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    gate.resolve();
    await Promise.all([first, idle, slots.idle()]);
  });

  it("can shrink, as slots are freed, and grow, with slots for waiting work at once", async () => {
    const slots = new Slots({ total: 3 });
    const gates = Array.from({ length: 6 }, deferred);
    const runs = gates.map((gate) => slots.run(() => gate.promise));
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

  it("gives each key its slots, and a free slot to the first of the key that waits", async () => {
    const slots = new Slots({ perKey: 2 });
    const order: string[] = [];
    const take = (key: string, name: string) => slots.take({ key })?.then(() => order.push(name));
    expect([take("a", "1"), take("a", "2"), take("b", "3")]).toEqual([undefined, undefined, undefined]);
    const waiting = [take("a", "first"), take("b", "free"), take("a", "second")];
    slots.release("a");
    await waiting[0];
    slots.release("a");
    await waiting[2];
    expect([order, slots.taken]).toEqual([["first", "second"], 4]);
  });

  it("go to the key with the fewest, of equal ones to the one that has waited longest for its turn", async () => {
    const slots = new Slots({ total: 3, perKey: 2 });
    const order: string[] = [];
    const start = (name: string, key?: string) =>
      void slots.run(
        async () => {
          order.push(name);
          await new Promise(() => {});
        },
        { key },
      );
    const held = Array.from({ length: 3 }, () => slots.take());
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) start(name, name.slice(0, 1));
    start("own");
    for (const _ of held) slots.release();
    await flushPromises();
    expect(order).toEqual(["a1", "b1", "c1"]);
    slots.release("c");
    await flushPromises();
    slots.release("b");
    await flushPromises();
    expect([order.slice(3), slots.waiting]).toEqual([["own", "b2"], 2]);
  });

  it("forget a key whose work left the queue", async () => {
    const slots = new Slots({ perKey: 1 });
    const controller = new AbortController();
    slots.take({ key: "a" });
    const waiting = slots.take({ key: "a", signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
    slots.release("a");
    expect([slots.taken, slots.take({ key: "a" })]).toEqual([0, undefined]);
  });
});
