import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { History, type HistoryOptions } from "../../src/history/queries/kit/History.ts";
import type { Database, ReadOptions } from "../../src/history/store/Database.ts";
import { readHeavily, statements } from "../kit/attacks/heavyReads.ts";
import { openFresh } from "../kit/history/database.ts";

describe("a caller that reads a lot from the built-in database", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh("embedded");
  });
  afterAll(() => database.close());

  it.each([
    ["another caller", "address:10.0.0.2"],
    ["the same caller", "address:10.0.0.1"],
    ["the service itself", undefined],
  ])("lets a short read of %s in after a few of its statements", async (_, caller) => {
    let heavy = 0;
    const attack = Array.from({ length: 3 }, () => readHeavily(database, "address:10.0.0.1", () => heavy++));
    while (heavy < 10) await new Promise((resolve) => setTimeout(resolve, 1));

    const before = heavy;
    const short = await database.read(
      async (session) => {
        for (let at = 0; at < 3; at++) await session.query("select 1");
        return heavy - before;
      },
      { caller },
    );
    expect(short).toBeLessThanOrEqual(6);
    await Promise.all(attack);
    expect(heavy).toBeGreaterThanOrEqual(3 * statements);
  });

  it("lets a writer in before its next request", async () => {
    let heavy = 0;
    let ended = 0;
    const attack: Promise<unknown>[] = [];
    // Begun by a statement of the reader itself: a busy machine cannot delay it until all have ended.
    const endedBefore = new Promise<number>((resolve, reject) => {
      const onStatement = () => {
        heavy++;
        if (heavy === 10) database.write((session) => session.run("select 1")).then(() => resolve(ended), reject);
      };
      for (let count = 0; count < 3; count++)
        attack.push(readHeavily(database, "address:10.0.0.1", onStatement).then(() => ended++));
    });
    expect(await endedBefore).toBeLessThan(3);
    await Promise.all(attack);
  });

  it("cannot hold it for ever with a request that fails while more of its statements wait", async () => {
    for (let count = 0; count < 5; count++) {
      const failing = database.read((session) =>
        Promise.all(["select no_such_column", ...Array(8).fill("select 1")].map((sql) => session.query(sql))),
      );
      await expect(failing).rejects.toMatchObject({ data: { state: "42703" } });
    }
    await database.write((session) => session.run("select 1"));
    expect(await database.query("select 2 as two")).toEqual([{ two: 2 }]);
  });

  it("keeps its failures to itself: other readers of the snapshot go on", async () => {
    const first = database.read(async (session) => {
      await session.query("select 1");
      await expect(database.read((other) => other.query("select no_such_column"))).rejects.toMatchObject({
        data: { state: "42703" },
      });
      return session.query("select 2 as two");
    });
    expect(await first).toEqual([{ two: 2 }]);
  });
});

it("names the caller of a request to the database", async () => {
  const readOptionses: (ReadOptions | undefined)[] = [];
  const database: Pick<Database, "read" | "layout"> = {
    read: (_, options) => {
      readOptionses.push(options);
      return Promise.reject(new Error("not read"));
    },
  };
  const history = new History({ timeoutMs: 1 } as HistoryOptions, { database });
  await expect(history.read({ caller: "owner:shop" }, async () => {})).rejects.toThrow("not read");
  expect(readOptionses).toEqual([{ timeoutMs: 1, caller: "owner:shop", bytesAsText: true }]);
});
