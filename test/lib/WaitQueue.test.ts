import { describe, expect, it } from "vitest";
import { WaitQueue } from "../../src/lib/WaitQueue.ts";

describe("a wait queue", () => {
  it("admits the first caller, and reports that nobody waits", async () => {
    const line = new WaitQueue<number>();
    const waiting = [line.wait(), line.wait()];
    expect([line.length, line.admit(1), line.admit(2), line.admit(3), line.length]).toEqual([2, true, true, false, 0]);
    expect(await Promise.all(waiting)).toEqual([1, 2]);
  });

  it("removes callers that stop waiting, and skips them", async () => {
    const line = new WaitQueue<number>();
    const controller = new AbortController();
    const first = line.wait(controller.signal);
    const second = line.wait();
    controller.abort("enough");
    await expect(first).rejects.toMatchObject({ code: "lib/aborted", cause: "enough" });
    expect(line.length).toBe(1);
    line.admit(7);
    expect(await second).toBe(7);
    await expect(line.wait(controller.signal)).rejects.toMatchObject({ code: "lib/aborted" });
    expect(line.length).toBe(0);
  });

  it("rejects everybody with one reason, and can be used again", async () => {
    const line = new WaitQueue();
    const waiting = [line.wait(), line.wait()];
    const reason = new Error("closed");
    line.refuseAll(reason);
    for (const each of waiting) await expect(each).rejects.toBe(reason);
    const later = line.wait();
    line.admit();
    await later;
  });

  it("admits the caller with the lowest rank, of equal ones the first, and skips those without a rank", async () => {
    const queue = new WaitQueue<string>();
    const ranks: Readonly<Record<string, number>> = { a: 2, b: 1, c: 1 };
    const waiting = ["a", "b", "c", "d"].map((caller) => queue.wait(undefined, caller));
    const admit = (value: string) => queue.admitLowest(value, (caller = "") => ranks[caller])?.caller;
    expect(["one", "two", "three", "four"].map(admit)).toEqual(["b", "c", "a", undefined]);
    expect(await Promise.all(waiting.slice(0, 3))).toEqual(["three", "one", "two"]);
    queue.admitAll("all");
    expect([await waiting[3], queue.length]).toEqual(["all", 0]);
  });
});
