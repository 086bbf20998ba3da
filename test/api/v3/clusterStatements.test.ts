import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { planCasesOf } from "../../history/queries/planCases.ts";
import { openV3Stage, type V3Stage } from "../../kit/api/v3/v3Stage.ts";
import { describeCitus } from "../../kit/history/cluster/citus.ts";
import { listJoinsApart, listSessionState, readsFactAmongRows } from "../../kit/history/cluster/clusterRules.ts";
import { recordStatements } from "../../kit/history/cluster/recordStatements.ts";
import type { V3Case } from "./cases/V3Case.ts";
import { cases } from "./cases.ts";

/** Every statement that indexing a chain and answering all cases runs on a cluster; they run on one machine as well. */
const texts = new Set<string>();
let cluster: V3Stage;
let single: V3Stage;

beforeAll(async () => {
  cluster = await openV3Stage("postgres", {}, {}, (database) => recordStatements(database, texts));
  single = await openV3Stage("postgres");
});

afterAll(async () => {
  await cluster?.close();
  await single?.close();
});

/** An answer with the order of its keys. */
async function ask(stage: V3Stage, name: string, each: V3Case): Promise<unknown> {
  const pairs = Object.entries(each.args(stage)).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
  );
  const path = `${stage.server.origin}/api/v3/${name}?${new URLSearchParams(pairs)}`;
  const response = await fetch(path, { headers: each.headers ?? {} });
  return { status: response.status, body: await response.text() };
}

const table: Readonly<Record<string, readonly V3Case[]>> = cases;
const asked = v3Endpoints.filter(({ methods }) => methods.includes("GET"));

async function expectSame(name: string, other: V3Stage): Promise<void> {
  for (const each of table[name] ?? [])
    expect([each.note, await ask(other, name, each)]).toEqual([each.note, await ask(single, name, each)]);
}

describeCitus("a Citus cluster", () => {
  let real: V3Stage;
  beforeAll(async () => {
    real = await openV3Stage("citus");
  });
  afterAll(() => real?.close());

  it.each(asked)("gives the answers of one machine: $name", ({ name }) => expectSame(name, real));
});

describe("the statements for a cluster", () => {
  it.each(asked)("give the answers of one machine: $name", ({ name }) => expectSame(name, cluster));

  it("join rows of different machines only behind a lookup", () => {
    const planned = Object.values(planCasesOf("distributed")).flatMap((forms) => Object.values(forms));
    const all = [...texts, ...planned.map(({ statement }) => statement.text)];
    expect(all.length).toBeGreaterThan(250);
    expect(all.flatMap((sql) => listJoinsApart(sql).map((broken) => [broken, sql]))).toEqual([]);
  });

  it("read facts of the coordinator by themselves", () => {
    expect([...texts].filter(readsFactAmongRows)).toEqual([]);
  });

  it("leave nothing in the session", () => {
    expect([...texts].flatMap((sql) => listSessionState(sql).map((broken) => [broken, sql]))).toEqual([]);
  });
});

describe("a statement that a cluster cannot run is found when it", () => {
  it.each([
    [
      "joins by another column",
      "select 1 from messages m join transactions t on t.in_msg_hash = m.hash",
      ["joins messages and transactions, whose rows are on different machines"],
    ],
    [
      "joins in an arm of a union",
      "select 1 union all (select 1 from traces t join actions a on a.action_id = t.trace_id)",
      ["joins traces and actions, whose rows are on different machines"],
    ],
    [
      "looks at another table for each row",
      "select 1 from messages m where exists (select 1 from transactions t where t.in_msg_hash = m.hash)",
      ["looks at transactions for each row of messages"],
    ],
    [
      "reads the first rows of each key of a list",
      "select 1 from unnest($1::bytea[]) k(key) cross join lateral (select 1 from actions a where a.type = k.key limit 1) t",
      ["looks at actions for each row of a list"],
    ],
  ])("%s", (_note, sql, broken) => expect(listJoinsApart(sql)).toEqual(broken));

  it.each([
    ["joins by the column of the distribution", "select 1 from traces t join actions a on a.trace_id = t.trace_id"],
    [
      "looks up what a query found",
      "select 1 from (select m.hash from messages m) m join transactions t on t.in_msg_hash = m.hash",
    ],
    [
      "joins with a table that every machine has",
      "select 1 from latest_account_states s join codes c on c.hash = s.code_hash",
    ],
  ])("and only then: one that %s passes", (_note, sql) => expect(listJoinsApart(sql)).toEqual([]));

  it.each([
    ["set jit = off", ["changes a setting of the session"]],
    ["create temporary table x (y int)", ["leaves a temporary table in the session"]],
    ["select pg_advisory_lock(1)", ["locks for the session"]],
    ["listen blocks", ["needs the same session later"]],
    ["set local jit = off", []],
    ["update t set jit = 1", []],
    ["create temporary table x (y int) on commit drop", []],
  ])("needs its session later: %s", (sql, broken) => expect(listSessionState(sql)).toEqual(broken));
});
