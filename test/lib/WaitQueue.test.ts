import { describe, expect, it } from "vitest";
import { WaitQueue } from "../../src/lib/WaitQueue.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

const aborted = { code: "lib/aborted" };

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

  it("admits everybody at once", async () => {
    const queue = new WaitQueue<string>();
    const waiting = [queue.wait(), queue.wait()];
    queue.admitAll("all");
    expect([await Promise.all(waiting), queue.length]).toEqual([["all", "all"], 0]);
  });

  it("limits the waiting time", async () => {
    const clock = new ManualClock();
    const queue = new WaitQueue();
    const late = queue.waitAtMost(clock, 1_000);
    await clock.advance(1_000);
    await late;
    const admitted = queue.waitAtMost(clock, 1_000);
    queue.admitAll();
    await admitted;
    expect([queue.length, clock.waiting]).toEqual([0, 0]);
  });

  it("ends a limited wait whose signal aborts, before or while it lasts", async () => {
    const queue = new WaitQueue();
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = expect(queue.waitAtMost(clock, 1_000, controller.signal)).rejects.toMatchObject(aborted);
    controller.abort();
    await waiting;
    await expect(queue.waitAtMost(clock, 1_000, controller.signal)).rejects.toMatchObject(aborted);
    expect([queue.length, clock.waiting]).toEqual([0, 0]);
  });
});
