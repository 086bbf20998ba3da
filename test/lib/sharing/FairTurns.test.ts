import { describe, expect, it } from "vitest";
import { FairTurns, type TurnOwner } from "../../../src/lib/sharing/FairTurns.ts";
import { flushPromises } from "../../kit/suite/ManualClock.ts";

/** Every slice of the work takes one millisecond. */
async function work(
  turns: FairTurns,
  clock: { nowMs: number },
  owner: TurnOwner,
  slices: number,
  onSlice: () => void,
): Promise<number> {
  const place = turns.open(owner);
  for (let i = 0; i < slices; i++) {
    await place.next();
    clock.nowMs++;
    onSlice();
  }
  place.pause();
  return place.usedMs;
}

function open(turnMs: number) {
  const clock = { nowMs: 0, monotonic: () => clock.nowMs };
  return { clock, turns: new FairTurns(clock, turnMs) };
}

describe("fair turns", () => {
  it("alternate between callers, however much work one of them has", async () => {
    const { clock, turns } = open(2);
    const order: string[] = [];
    const flood = Array.from({ length: 20 }, () =>
      work(turns, clock, { caller: "a", isFirst: false }, 5, () => order.push("a")),
    );
    await work(turns, clock, { caller: "b", isFirst: false }, 5, () => order.push("b"));
    const untilDone = order.length;
    await Promise.all(flood);
    expect(untilDone).toBeLessThanOrEqual(12);
    expect(order.length).toBe(105);
  });

  it("start with priority work", async () => {
    const { clock, turns } = open(2);
    const order: string[] = [];
    const others = Array.from({ length: 5 }, (_, i) =>
      work(turns, clock, { caller: `other ${i}`, isFirst: false }, 5, () => order.push("other")),
    );
    await work(turns, clock, { caller: "block", isFirst: true }, 5, () => order.push("first"));
    // The running slice, and those of the same turn of the event loop.
    expect(order.filter((each) => each === "other").length).toBeLessThanOrEqual(2);
    await Promise.all(others);
  });

  it("yield to the event loop after a turn, and count the use of each caller", async () => {
    const { clock, turns } = open(3);
    let [longestMs, seenMs, isOver] = [0, 0, false];
    const watch = async () => {
      while (!isOver) {
        await flushPromises();
        longestMs = Math.max(longestMs, clock.nowMs - seenMs);
        seenMs = clock.nowMs;
      }
    };
    const watching = watch();
    const runs = Array.from({ length: 50 }, (_, i) =>
      work(turns, clock, { caller: `caller ${i % 7}`, isFirst: false }, 10, () => {}),
    );
    const used = await Promise.all(runs);
    isOver = true;
    await watching;
    expect(longestMs).toBeLessThanOrEqual(3);
    expect(used).toEqual(used.map(() => 10));
  });

  it("continue for others when a waiting caller gives up", async () => {
    const { clock, turns } = open(1);
    const holder = turns.open({ caller: "a", isFirst: false });
    await holder.next();
    clock.nowMs++;
    const controller = new AbortController();
    const leaving = turns.open({ caller: "b", isFirst: false }).next(controller.signal);
    const leavingFirst = turns.open({ caller: "c", isFirst: true }).next(controller.signal);
    const staying = turns.open({ caller: "d", isFirst: false }).next();
    controller.abort();
    for (const each of [leaving, leavingFirst]) await expect(each).rejects.toMatchObject({ code: "lib/aborted" });
    await expect(turns.open({ caller: "e", isFirst: false }).next(controller.signal)).rejects.toMatchObject({
      code: "lib/aborted",
    });
    holder.pause();
    await staying;
  });
});
