import { expect, it } from "vitest";
import { KeyedSlots } from "../../../src/lib/sharing/KeyedSlots.ts";

it("gives each key its slots, and a free slot to the first waiting caller", async () => {
  const slots = new KeyedSlots(2);
  const order: string[] = [];
  expect([slots.take("a"), slots.take("a"), slots.take("b")]).toEqual([undefined, undefined, undefined]);
  const first = slots.take("a")?.then(() => order.push("first"));
  const second = slots.take("a")?.then(() => order.push("second"));
  slots.release("a");
  await first;
  slots.release("a");
  await second;
  expect(order).toEqual(["first", "second"]);
  slots.release("a");
  slots.release("a");
  slots.release("unknown");
  expect([slots.take("a"), slots.take("a")]).toEqual([undefined, undefined]);
});

it("leaves the queue on abort", async () => {
  const slots = new KeyedSlots(1);
  const controller = new AbortController();
  slots.take("a");
  const waiting = slots.take("a", controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
  slots.release("a");
  expect(slots.take("a")).toBeUndefined();
});
