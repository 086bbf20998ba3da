import { beforeEach, describe, expect, it } from "vitest";
import { type InTurn, type ReaderOptions, Turns } from "../../../../src/history/store/engine/Turns.ts";
import { deferred } from "../../../kit/suite/deferred.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

describe("turns of one session", () => {
  let clock: ManualClock;
  let turns: Turns;
  /** What had the engine, in order. */
  let order: string[];
  beforeEach(() => {
    clock = new ManualClock();
    order = [];
    turns = new Turns(clock, async () => void order.push("end of snapshot"));
  });

  const write = (name: string, signal?: AbortSignal) =>
    turns.write(async () => {
      order.push(name);
      await Promise.resolve();
      return name;
    }, signal);

  /** A reader whose statements take these times. */
  const read = (name: string, times: readonly number[], options: ReaderOptions = {}) =>
    turns.read(async (inTurn) => {
      for (const [at, ms] of times.entries()) await statement(inTurn, `${name}${at + 1}`, ms);
      return name;
    }, options);

  const statement = (inTurn: InTurn, name: string, ms: number) =>
    inTurn(async () => {
      order.push(name);
      await clock.advance(ms);
    });

  it("give a writer the engine alone, after the readers that have begun", async () => {
    const reading = read("a", [1, 1]);
    const writing = write("w");
    await Promise.all([reading, writing]);
    expect(order).toEqual(["a1", "a2", "end of snapshot", "w"]);
  });

  it("let a short read in between two statements of a long one, also of the same caller", async () => {
    const long = read("long", [110, 110, 110], { caller: "one" });
    const short = read("short", [1, 1], { caller: "one" });
    await Promise.all([long, short]);
    expect(order).toEqual(["long1", "short1", "short2", "long2", "long3", "end of snapshot"]);
  });

  it("prefer the caller that has used the engine least", async () => {
    const greedy = Array.from({ length: 3 }, (_, at) => read(`greedy${at}.`, [10], { caller: "greedy" }));
    const modest = read("modest", [10], { caller: "modest" });
    await Promise.all([...greedy, modest]);
    expect(order).toEqual(["greedy0.1", "modest1", "greedy1.1", "greedy2.1", "end of snapshot"]);
  });

  it("hold one long reader at a time: a second one begins again when the first has ended", async () => {
    const first = read("first", [110, 110, 110]);
    const second = read("second", [110, 110]);
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
    expect(order).toEqual(["first1", "second1", "first2", "first3", "second1", "second2", "end of snapshot"]);
  });

  it("ignore how a restarted reader handles its refusal", async () => {
    const first = read("first", [110, 110, 110]);
    let runs = 0;
    const second = turns.read(async (inTurn) => {
      runs += 1;
      await statement(inTurn, "second", 110);
      return statement(inTurn, "more", 1).then(
        () => "read",
        () => "nothing",
      );
    });
    expect(await second).toBe("read");
    expect(runs).toBe(2);
    await first;
  });

  it("let readers begin beside a waiting writer for a short time only", async () => {
    const gate = deferred();
    const held = turns.read(async (inTurn) => {
      await statement(inTurn, "held", 1);
      await gate.promise;
    });
    await clock.advance(0);
    const writing = write("w");
    await read("soon", [1]);
    await clock.advance(60);
    const late = read("late", [1]);
    gate.resolve();
    await Promise.all([held, writing, late]);
    expect(order).toEqual(["held", "soon1", "end of snapshot", "w", "late1", "end of snapshot"]);
  });

  it("let short reads begin beside a long one although a writer waits, for half a second", async () => {
    const gate = deferred();
    const held = turns.read(async (inTurn) => {
      await statement(inTurn, "long1", 110);
      await statement(inTurn, "long2", 30);
      await gate.promise;
    });
    await clock.advance(0);
    const writing = write("w");
    await clock.advance(100);
    await read("short", [1]);
    await clock.advance(500);
    const late = read("late", [1]);
    gate.resolve();
    await Promise.all([held, writing, late]);
    expect(order).toEqual(["long1", "long2", "short1", "end of snapshot", "w", "late1", "end of snapshot"]);
  });

  it("starve no reader: readers come between two writers", async () => {
    const all = [write("w1"), write("w2"), read("a", [30]), read("b", [30]), read("c", [30]), write("w3")];
    await Promise.all(all);
    expect(order).toEqual(["w1", "a1", "b1", "end of snapshot", "w2", "c1", "end of snapshot", "w3"]);
  });

  it("continue after a failure", async () => {
    const failed = turns.write(() => Promise.reject(new Error("no")));
    const refused = turns.read((inTurn) => inTurn(() => Promise.reject(new Error("nor this"))));
    const next = read("next", [1]);
    await expect(failed).rejects.toThrowError("no");
    await expect(refused).rejects.toThrowError("nor this");
    expect(await next).toBe("next");
  });

  it("go on after a reader that failed and left statements behind, which never run", async () => {
    const failing = turns.read((inTurn) =>
      Promise.all([
        inTurn(() => Promise.reject(new Error("no"))),
        statement(inTurn, "beside", 1),
        statement(inTurn, "left behind", 1),
        statement(inTurn, "left behind, too", 1),
      ]),
    );
    await expect(failing).rejects.toThrow("no");
    await write("w");
    await read("r", [1]);
    await write("w");
    expect(order).toEqual(["beside", "end of snapshot", "w", "r1", "end of snapshot", "w"]);
  });

  it("refuse a statement of a reader that has ended", async () => {
    let later: InTurn | undefined;
    await turns.read(async (inTurn) => {
      later = inTurn;
    });
    await expect(later?.(async () => {})).rejects.toThrow("this reader has ended");
    await write("w");
  });

  it("are released by callers that leave while they wait", async () => {
    const leaving = new AbortController();
    const first = read("first", [1]);
    const left = [write("left", leaving.signal), read("left", [1], { signal: leaving.signal })];
    const next = read("next", [1]);
    leaving.abort();
    for (const each of left) await expect(each).rejects.toMatchObject({ code: "lib/aborted" });
    await Promise.all([first, next]);
    expect(order).toEqual(["first1", "next1", "end of snapshot"]);
  });

  it("end for all but those that have begun", async () => {
    const first = read("first", [1, 1]);
    const waiting = [write("waiting"), read("waiting", [1])];
    for (const each of waiting) each.catch(() => {});
    await turns.close(new Error("closed"));
    await first;
    expect(order).toEqual(["first1", "first2", "end of snapshot"]);
    for (const each of waiting) await expect(each).rejects.toThrowError("closed");
    await expect(read("late", [1])).rejects.toThrowError("closed");
    await expect(write("late")).rejects.toThrowError("closed");
  });
});
