import { describe, expect, it } from "vitest";
import { Turns } from "../../../src/history/store/Turns.ts";

/** Work that records its name and ends on request. */
function notingWork(names: string[]) {
  return (name: string) => async () => {
    names.push(name);
    await Promise.resolve();
  };
}

describe("turns", () => {
  it("are exclusive, with a writer after at most four readers", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const noting = notingWork(order);
    const all = [
      turns.take("writer", noting("w1")),
      ...[1, 2, 3, 4, 5, 6].map((number) => turns.take("reader", noting(`r${number}`))),
      turns.take("writer", noting("w2")),
      turns.take("writer", noting("w3")),
    ];
    await Promise.all(all);
    expect(order).toEqual(["w1", "r1", "r2", "r3", "r4", "w2", "r5", "r6", "w3"]);
  });

  it("continue after a failure", async () => {
    const turns = new Turns();
    const failed = turns.take("writer", () => Promise.reject(new Error("no")));
    const next = turns.take("reader", async () => "done");
    await expect(failed).rejects.toThrowError("no");
    expect(await next).toBe("done");
  });

  it("are released by callers that leave while they wait", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const leaving = new AbortController();
    const first = turns.take("reader", notingWork(order)("first"));
    const left = turns.take("reader", notingWork(order)("left"), leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "lib/aborted" });
    await first;
    await turns.take("reader", notingWork(order)("last"));
    expect(order).toEqual(["first", "last"]);
  });

  it("end for all but the current one", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const first = turns.take("reader", notingWork(order)("first"));
    const waiting = turns.take("writer", notingWork(order)("waiting"));
    waiting.catch(() => {});
    await turns.close(new Error("closed"));
    expect(order).toEqual(["first"]);
    await first;
    await expect(waiting).rejects.toThrowError("closed");
    await expect(turns.take("reader", notingWork(order)("late"))).rejects.toThrowError("closed");
  });
});
