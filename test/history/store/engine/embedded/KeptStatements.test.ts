import { expect, it } from "vitest";
import { KeptStatements } from "../../../../../src/history/store/engine/embedded/KeptStatements.ts";
import { openFresh } from "../../../../kit/history/database.ts";

it("names a statement once, and forgets the one that was used longest ago", () => {
  const kept = new KeptStatements(2);
  expect(kept.take("a")).toEqual({ name: "kept0", isNew: true, dropped: [] });
  expect(kept.take("b")).toEqual({ name: "kept1", isNew: true, dropped: [] });
  expect(kept.take("a")).toEqual({ name: "kept0", isNew: false, dropped: [] });
  expect(kept.take("c")).toEqual({ name: "kept2", isNew: true, dropped: ["kept1"] });
  expect(kept.take("a")).toEqual({ name: "kept0", isNew: false, dropped: [] });
  expect(kept.take("b")).toEqual({ name: "kept3", isNew: true, dropped: ["kept2"] });
});

it("gives a statement that failed another name", () => {
  const kept = new KeptStatements(2);
  kept.take("a");
  kept.drop("a");
  expect(kept.take("a")).toEqual({ name: "kept1", isNew: true, dropped: ["kept0"] });
});

it("runs kept statements with other values, after failures, and when there are more than the engine keeps", async () => {
  const database = await openFresh("embedded");
  const ask = (at: number, value: string) =>
    database.query(`select $1::int + ${at} as sum`, [value], { plan: "kept" }).then(([row]) => row?.sum);
  try {
    expect(await ask(0, "1")).toBe(1);
    expect(await ask(0, "2")).toBe(2);
    await expect(ask(1, "x")).rejects.toThrow();
    expect(await ask(1, "3")).toBe(4);
    await expect(database.query("select from nothing_there", [], { plan: "kept" })).rejects.toThrow();
    for (let at = 0; at < 50; at++) expect(await ask(at, "1")).toBe(1 + at);
    const [row] = await database.query("select count(*)::int as count from pg_prepared_statements");
    expect(row?.count).toBe(32);
    expect(await ask(0, "5")).toBe(5);
  } finally {
    await database.close();
  }
});
