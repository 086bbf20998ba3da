import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../src/history/store/Database.ts";
import { openFresh } from "../../kit/history/database.ts";
import { explain, listBroken } from "../../kit/history/explain.ts";
import { planCases } from "./planCases.ts";

const folder = join(import.meta.dirname, "../../../src/history/queries");

let database: Database;

beforeAll(async () => {
  database = await openFresh("postgres");
});

afterAll(() => database.close());

describe("the plan of every query", () => {
  it("is checked", async () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const modules = await Promise.all(files.map((file) => import(join(folder, file))));
    const names = modules.flatMap((module: object) => Object.keys(module)).filter((name) => /\w+Sql$/.test(name));
    expect(Object.keys(planCases).toSorted()).toEqual(names.filter((name) => name !== "listSql").toSorted());
  });

  const all = Object.entries(planCases).flatMap(([name, cases]) =>
    Object.entries(cases).map(([note, promise]) => ({ name: `${name}, ${note}`, promise })),
  );

  it.each(all)("follows its rules: $name", async ({ promise }) => {
    const plan = await explain(database, promise);
    expect([listBroken(plan, promise), plan]).toEqual([[], plan]);
  });

  it("has the indexes of external messages only where these are skipped: others would read and sort all of them", async () => {
    const others = Object.entries(planCases).filter(([name]) => name !== "externalBehindSql");
    const plans = await Promise.all(
      others.flatMap(([, cases]) =>
        Object.values(cases).map((promise) => explain(database, { ...promise, sorts: true })),
      ),
    );
    expect(plans.filter((plan) => plan.includes("messages_external_"))).toEqual([]);
  });

  it.each([
    [
      "a whole table",
      "select * from transactions t where t.now + 0 = 5",
      {},
      ["reads a whole table: Seq Scan on transactions"],
    ],
    ["a sort", "select * from transactions t where t.account = '\\x00' order by t.total_fees", {}, ["sorts all rows"]],
    ["a walk", "select * from transactions t order by t.lt limit 1", {}, ["walks along transactions_by_lt"]],
    [
      "another index",
      "select * from transactions t where t.hash = '\\x00'",
      { by: "transactions_by_mc" },
      ["does not use transactions_by_mc"],
    ],
  ])("is rejected if it has %s that is not allowed", async (_note, text, promise, broken) => {
    const own = { ...promise, statement: { text, params: [] } };
    expect(listBroken(await explain(database, own), own)).toEqual(broken);
  });
});
