import { describe, expect, it } from "vitest";
import { inParallel } from "../../../src/lib/sharing/inParallel.ts";
import { flushPromises } from "../../kit/suite/ManualClock.ts";

describe("parallel work", () => {
  it("returns results in the order of the inputs, with limited concurrency", async () => {
    let underWay = 0;
    let max = 0;
    const results = await inParallel([5, 3, 8, 1], 2, async (item, index) => {
      max = Math.max(max, ++underWay);
      for (let turns = 0; turns < item; turns++) await flushPromises();
      underWay--;
      return `${index}:${item}`;
    });
    expect(results).toEqual(["0:5", "1:3", "2:8", "3:1"]);
    expect(max).toBe(2);
    expect(await inParallel([], 2, async () => 1)).toEqual([]);
  });

  it("starts nothing more after a failure", async () => {
    const begun: number[] = [];
    const failure = new Error("no");
    const work = inParallel([0, 1, 2, 3, 4], 1, async (item) => {
      begun.push(item);
      if (item === 1) throw failure;
    });
    await expect(work).rejects.toBe(failure);
    await flushPromises();
    expect(begun).toEqual([0, 1]);
  });
});
