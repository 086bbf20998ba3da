import { beforeEach, describe, expect, it } from "vitest";
import { ThreadPool } from "../../../src/tvm/engine/ThreadPool.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { ManualClock, settle } from "../../kit/suite/ManualClock.ts";
import { FakeThread, fakeAnswer, fakeJob } from "../../kit/tvm/FakeThread.ts";

const options = { maxThreads: 2, maxWaiting: 2, maxRunMs: 1000 };

describe("a pool of threads", () => {
  let clock: ManualClock;
  let threads: FakeThread[];
  let pool: ThreadPool;
  let opening: "at once" | "later";

  beforeEach(() => {
    clock = new ManualClock();
    threads = [];
    opening = "at once";
    const openThread = () => {
      const thread = new FakeThread(opening);
      threads.push(thread);
      return thread;
    };
    pool = new ThreadPool(options, { clock, openThread });
  });

  /** The thread opened as this one; that it was opened is part of the test. */
  function thread(index: number): FakeThread {
    const found = threads[index];
    if (found === undefined) throw new Error(`thread ${index} was never opened`);
    return found;
  }

  it("opens threads as runs come, no more than allowed, and uses them again", async () => {
    const first = pool.run(fakeJob);
    await settle();
    thread(0).end("first");
    expect(await first).toEqual(fakeAnswer("first"));
    const runs = [pool.run(fakeJob), pool.run(fakeJob), pool.run(fakeJob)];
    await settle();
    expect(pool.counters).toEqual({ threads: 2, running: 2, waiting: 1, replaced: 0 });
    thread(0).end("a");
    await settle();
    thread(0).end("c");
    thread(1).end("b");
    expect(await Promise.all(runs)).toEqual([fakeAnswer("a"), fakeAnswer("b"), fakeAnswer("c")]);
    expect(pool.counters).toEqual({ threads: 2, running: 0, waiting: 0, replaced: 0 });
    expect(clock.waiting).toBe(0);
  });

  it("refuses a run when too many wait, and takes one again when there is room", async () => {
    const controller = new AbortController();
    const runs = [pool.run(fakeJob), pool.run(fakeJob), pool.run(fakeJob)];
    const leaving = pool.run(fakeJob, controller.signal);
    await expect(pool.run(fakeJob)).rejects.toMatchObject({ code: "tvm/busy" });
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "lib/aborted" });
    const late = pool.run(fakeJob);
    for (let round = 0; round < 3; round++) {
      await settle();
      for (const each of threads) each.end();
    }
    await Promise.all([...runs, late]);
    expect(threads.map(({ jobs }) => jobs.length)).toEqual([2, 2]);
  });

  it("lets urgent runs go before those that wait, and refuses none of them", async () => {
    const ended: string[] = [];
    const note = (name: string, run: Promise<unknown>): Promise<unknown> => run.then(() => ended.push(name));
    const runs = ["a", "b", "c", "d"].map((name) => note(name, pool.run(fakeJob)));
    const urgent = ["u", "v", "w"].map((name) => note(name, pool.run(fakeJob, undefined, "first")));
    expect(pool.counters).toMatchObject({ running: 2, waiting: 5 });
    for (let round = 0; round < 4; round++) {
      await settle();
      for (const each of threads) each.end();
    }
    await Promise.all([...runs, ...urgent]);
    expect(ended).toEqual(["a", "b", "u", "v", "w", "c", "d"]);
  });

  it("ends a run that takes too long and replaces its thread, without hurting the others", async () => {
    const slow = pool.run(fakeJob);
    const refused = expect(slow).rejects.toMatchObject({ code: "tvm/timeout" });
    await clock.advance(600);
    const other = pool.run(fakeJob);
    const waiting = pool.run(fakeJob);
    await clock.advance(400);
    await refused;
    expect(thread(0).destroyedBy).toMatchObject({ code: "tvm/timeout" });
    expect(thread(1).isRunning).toBe(true);
    expect(pool.counters).toEqual({ threads: 2, running: 2, waiting: 0, replaced: 1 });
    thread(1).end("other");
    thread(2).end("waiting");
    expect(await Promise.all([other, waiting])).toEqual([fakeAnswer("other"), fakeAnswer("waiting")]);
    expect(clock.waiting).toBe(0);
  });

  it("lets a run whose caller left end by itself and keeps its thread", async () => {
    const controller = new AbortController();
    const run = pool.run(fakeJob, controller.signal);
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: "lib/aborted" });
    expect(pool.counters.running).toBe(1);
    await clock.advance(20);
    thread(0).end();
    await settle();
    expect(pool.counters).toEqual({ threads: 1, running: 0, waiting: 0, replaced: 0 });
    expect(clock.waiting).toBe(0);
  });

  it("ends the thread of a run that does not end soon after its caller left", async () => {
    const controller = new AbortController();
    const run = pool.run(fakeJob, controller.signal);
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: "lib/aborted" });
    await clock.advance(50);
    expect(thread(0).destroyedBy).toMatchObject({ code: "lib/aborted" });
    expect(pool.counters).toEqual({ threads: 0, running: 0, waiting: 0, replaced: 1 });
  });

  it("does not start a run whose caller has left before", async () => {
    await expect(pool.run(fakeJob, AbortSignal.abort())).rejects.toMatchObject({ code: "lib/aborted" });
    expect(threads).toEqual([]);
  });

  it("tells a crash to the run that met it and gives the next one a new thread", async () => {
    const runs = [pool.run(fakeJob), pool.run(fakeJob), pool.run(fakeJob)];
    const [crashing, other, waiting] = runs;
    await settle();
    thread(0).crash();
    await expect(crashing).rejects.toMatchObject({ code: "tvm/crash" });
    await settle();
    thread(1).end("other");
    thread(2).end("waiting");
    expect(await Promise.all([other, waiting])).toEqual([fakeAnswer("other"), fakeAnswer("waiting")]);
    expect(pool.counters).toEqual({ threads: 2, running: 0, waiting: 0, replaced: 1 });
  });

  it("replaces a thread that has grown too large, and one that died while idle", async () => {
    const large = pool.run(fakeJob);
    await settle();
    thread(0).wearOut();
    await large;
    expect(thread(0).destroyedBy).toMatchObject({ code: "tvm/closed" });
    const second = pool.run(fakeJob);
    await settle();
    thread(1).end();
    await second;
    thread(1).crash();
    const third = pool.run(fakeJob);
    await settle();
    thread(2).end("third");
    expect(await third).toEqual(fakeAnswer("third"));
    expect(pool.counters).toEqual({ threads: 1, running: 0, waiting: 0, replaced: 2 });
  });

  it("does not count the start of a thread as time of the run, but gives up one that never starts", async () => {
    opening = "later";
    const run = pool.run(fakeJob);
    await clock.advance(10_000);
    thread(0).open();
    await settle();
    expect(thread(0).isRunning).toBe(true);
    thread(0).end("late");
    expect(await run).toEqual(fakeAnswer("late"));
    const others = [pool.run(fakeJob), pool.run(fakeJob)];
    const refused = expect(others[1]).rejects.toMatchObject({ code: "tvm/crash" });
    await settle();
    thread(0).end();
    await clock.advance(30_000);
    await refused;
    expect(clock.waiting).toBe(0);
  });

  it("finishes what runs and waits when it is closed, and takes nothing new", async () => {
    const runs = [pool.run(fakeJob), pool.run(fakeJob), pool.run(fakeJob)];
    await settle();
    const closed = pool.close();
    await expect(pool.run(fakeJob)).rejects.toMatchObject({ code: "tvm/closed" });
    thread(0).end("a");
    thread(1).end("b");
    await settle();
    thread(0).end("c");
    thread(1).end("c");
    expect(await Promise.all(runs)).toEqual([fakeAnswer("a"), fakeAnswer("b"), fakeAnswer("c")]);
    await closed;
    expect(threads.map(({ destroyedBy }) => destroyedBy?.message)).toEqual([
      "the executor is closed",
      "the executor is closed",
    ]);
  });

  it("ends everything with the reason when it is destroyed", async () => {
    const reason = new TvmError("tvm/closed", "the test is over");
    const runs = [pool.run(fakeJob), pool.run(fakeJob), pool.run(fakeJob)];
    const outcomes = Promise.allSettled(runs);
    await settle();
    pool.destroy(reason);
    expect(await outcomes).toEqual(runs.map(() => ({ status: "rejected", reason })));
    await expect(pool.run(fakeJob)).rejects.toBe(reason);
    expect(pool.counters.threads).toBe(0);
    expect(clock.waiting).toBe(0);
  });
});
