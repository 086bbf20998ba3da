import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../src/lib/sharing/FairQueue.ts";

function takeAll(queue: FairQueue<string>, cost: (item: string) => number): string[] {
  const order: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    order.push(item);
    queue.charge(item.slice(0, 1), cost(item));
  }
  return order;
}

describe("a fair queue", () => {
  it("takes from the caller that has used least", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1"]) queue.add(item.slice(0, 1), item, 0);
    expect(takeAll(queue, () => 1)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });

  it("counts the cost of work, not the number of pieces", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1", "b2", "b3", "b4"]) queue.add(item.slice(0, 1), item, 0);
    expect(takeAll(queue, (item) => (item.startsWith("a") ? 3 : 1))).toEqual(["a1", "b1", "b2", "b3", "a2", "b4"]);
  });

  it("takes the cheapest work of one caller first", () => {
    const queue = new FairQueue<string>();
    queue.add("a", "long", 50);
    queue.add("a", "short", 0);
    queue.add("a", "other", 0);
    expect([queue.take(), queue.take(), queue.take()]).toEqual(["short", "other", "long"]);
  });

  it("gives no credit for idle time of a caller", () => {
    const queue = new FairQueue<string>();
    queue.charge("a", 100);
    queue.add("a", "a1", 0);
    expect(queue.take()).toBe("a1");
    queue.charge("a", 1);
    queue.add("a", "a2", 0);
    for (const item of ["b1", "b2", "b3"]) queue.add("b", item, 0);
    expect(takeAll(queue, () => 1)).toEqual(["b1", "a2", "b2", "b3"]);
  });

  it("drops work that no longer waits", () => {
    const queue = new FairQueue<string>();
    queue.add("a", "a1", 0);
    queue.delete("a", "a1");
    queue.delete("a", "a1");
    queue.delete("b", "b1");
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });

  it("remembers many callers", () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 3_000; i++) {
      queue.add(`caller ${i}`, i, 0);
      expect(queue.take()).toBe(i);
    }
    expect(queue.size).toBe(0);
  });
});
