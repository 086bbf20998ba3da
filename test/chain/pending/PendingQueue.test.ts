import { describe, expect, it } from "vitest";
import { PendingQueue } from "../../../src/chain/pending/PendingQueue.ts";
import { deferred } from "../../kit/suite/deferred.ts";

interface Work {
  readonly place: number;
  readonly lane: string;
}

/** A queue whose tasks end on request. */
function openQueue(maxRunning: number) {
  const begun: number[] = [];
  const gates = new Map<number, ReturnType<typeof deferred>>();
  const queue = new PendingQueue<Work>(maxRunning, {
    isBefore: (first, second) => first.lane === second.lane,
    run: ({ place }) => {
      begun.push(place);
      const gate = deferred();
      gates.set(place, gate);
      return gate.promise;
    },
  });
  const end = async (place: number) => {
    gates.get(place)?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, end };
}

const work = (place: number, lane = "a"): Work => ({ place, lane });

describe("the queue of pending messages", () => {
  it("runs up to its limit at once, and in order where order matters", async () => {
    const { queue, begun, end } = openQueue(2);
    for (const each of [work(0), work(1), work(2, "b"), work(3, "c")]) queue.add(each);
    expect([begun, queue.waiting]).toEqual([[0, 2], 2]);
    await end(2);
    expect(begun).toEqual([0, 2, 3]);
    await end(0);
    expect([begun, queue.waiting]).toEqual([[0, 2, 3, 1], 0]);
    const idle = queue.idle();
    await end(3);
    await end(1);
    await idle;
  });

  it("queues a repeated message once, in its own place", async () => {
    const { queue, begun, end } = openQueue(2);
    const [first, second, third] = [work(0), work(1), work(2)];
    for (const each of [first, second, third]) queue.add(each);
    queue.add(first);
    queue.add(first);
    expect([begun, queue.waiting]).toEqual([[0], 3]);
    await end(0);
    expect(begun).toEqual([0, 0]);
    queue.remove(second);
    await end(0);
    expect([begun, queue.waiting]).toEqual([[0, 0, 2], 0]);
    queue.add(second);
    expect(begun).toEqual([0, 0, 2, 1]);
    queue.add(third);
    queue.clear();
    expect(queue.waiting).toBe(0);
    await end(2);
    await end(1);
    await queue.idle();
  });
});
