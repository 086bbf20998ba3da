import { describe, expect, it } from "vitest";
import { SessionPool } from "../../../../../src/history/store/engine/postgres/SessionPool.ts";
import { deferred } from "../../../../kit/suite/deferred.ts";

function openPool(count: number) {
  return new SessionPool(
    Array.from({ length: count }, (_, name) => ({ name, close: async () => {}, destroy: () => {} })),
  );
}

/** Work that runs until it is released; `started` has the names of all started work, in order. */
function worker(pool: ReturnType<typeof openPool>) {
  const started: string[] = [];
  const start = (name: string, caller?: string) => {
    const end = deferred();
    const done = pool.use(
      async () => {
        started.push(name);
        await end.promise;
      },
      { caller },
    );
    return { release: end.resolve, done };
  };
  return { started, start };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("sessions", () => {
  it("are held by one caller up to half, while others get the rest", async () => {
    const { started, start } = worker(openPool(4));
    const greedy = ["a1", "a2", "a3"].map((name) => start(name, "a"));
    start("b1", "b");
    await turn();
    expect(started).toEqual(["a1", "a2", "b1"]);
    greedy[0]?.release();
    await turn();
    expect(started).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("go to the waiting caller with the fewest", async () => {
    const { started, start } = worker(openPool(4));
    const first = start("a1", "a");
    start("a2", "a");
    start("b1", "b");
    start("own");
    start("b2", "b");
    start("c1", "c");
    await turn();
    expect(started).toEqual(["a1", "a2", "b1", "own"]);
    first.release();
    await turn();
    expect(started).toEqual(["a1", "a2", "b1", "own", "c1"]);
  });

  it("have no limit for the service's own work", async () => {
    const { started, start } = worker(openPool(3));
    for (const name of ["1", "2", "3"]) start(name);
    await turn();
    expect(started).toEqual(["1", "2", "3"]);
  });

  it("are not awaited after an abort, and refused after closing", async () => {
    const pool = openPool(1);
    const { start } = worker(pool);
    start("1");
    const leaving = new AbortController();
    const waiting = pool.use(async () => {}, { signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
    const refused = pool.use(async () => {});
    await pool.close();
    await expect(refused).rejects.toMatchObject({ code: "history/database" });
  });
});
