import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { controlArgs } from "../../../src/api/v3/args/args.ts";
import { v3Api, v3Version } from "../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { countDeferred, formatPlain } from "../../../src/lib/kit/deferredJson.ts";
import { openV3Stage, type V3Stage } from "../../kit/api/v3/v3Stage.ts";
import { enginesOfStatements } from "../../kit/history/database.ts";
import type { Expected, GivenArgs, V3Case } from "./cases/V3Case.ts";
import { cases } from "./cases.ts";
import { contractErrors } from "./contractErrors.ts";

let stage: V3Stage;

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

function queryOf(args: GivenArgs): string {
  const pairs = Object.entries(args).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}

async function ask(path: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(`${stage.server.origin}/api/v3/${path}`, init);
  const { headers } = response;
  expect([headers.get("content-type"), headers.get("x-api-version"), headers.get("server-timing")]).toEqual([
    "application/json; charset=utf-8",
    v3Version,
    expect.stringMatching(/^app;dur=\d+(\.\d{1,3})?$/),
  ]);
  return { status: response.status, body: await response.json() };
}

/** The compared part of the answer. */
function seen({ status, body }: Answered, expected: Expected): unknown {
  if (expected.kind !== "list" || status !== 200) return { status, body };
  const items = Object(body)[expected.key] as readonly Readonly<Record<string, unknown>>[];
  return { status, items: items.map((item) => item[expected.by]) };
}

function wanted(expected: Expected): unknown {
  switch (expected.kind) {
    case "result":
      return { status: 200, body: expected.result };
    case "list":
      return { status: 200, items: expected.items };
    case "error":
      return { status: expected.status, body: { code: expected.status, error: expected.error } };
  }
}

const plainEncode = new Map(v3Endpoints.map(({ result }) => [result, result.encode]));

/** The encoded value, whose text, where it is made at once, must be the same JSON: long lists have it of each item. */
function compareTexts(result: Endpoints["result"], value: unknown): unknown {
  const encoded = plainEncode.get(result)?.(value);
  const before = countDeferred();
  const text = result.format?.(value);
  if (countDeferred() === before) expect(text).toBe(formatPlain(encoded));
  return encoded;
}

type Endpoints = (typeof v3Endpoints)[number];

/** Arguments that another test covers: this chain has no pending messages. */
const elsewhere = {
  "pendingTransactions.account": "pending.test.ts",
  "pendingTransactions.trace_id": "pending.test.ts",
  "message.boc": "pending.test.ts",
};

/** Arguments of every list that paging.test.ts covers. */
const pagingArgs = ["limit", "offset", "cursor"];

describe("cases", () => {
  beforeAll(async () => {
    stage = await openV3Stage("postgres");
  });

  afterAll(() => stage.close());

  const table: Readonly<Record<string, readonly V3Case[]>> = cases;
  const askedBy = (name: string) => {
    const answered = (table[name] ?? []).filter((each) => each.answer(stage).kind !== "error");
    return new Set(answered.flatMap((each) => Object.keys(each.args(stage))));
  };

  it("use every parameter of every endpoint, with a compared answer", () => {
    const missing = v3Endpoints.flatMap(({ name, args }) => {
      const known = new Set([...askedBy(name), ...Object.keys(controlArgs), ...pagingArgs]);
      const left = Object.keys(args).filter((arg) => !known.has(arg));
      return left.map((arg) => `${name}.${arg}`).filter((each) => !Object.hasOwn(elsewhere, each));
    });
    expect(missing).toEqual([]);
  });

  it("are refused without a parameter that is marked as required", async () => {
    const answered = v3Endpoints.flatMap(({ name, methods, args: declared }) =>
      Object.keys(declared).flatMap((left) => {
        const v3Case = (table[name] ?? []).find((each) => Object.hasOwn(each.args(stage), left));
        if (declared[left]?.required !== true || v3Case === undefined) return [];
        const { [left]: _left, ...args } = v3Case.args(stage);
        const body = { method: "POST", body: JSON.stringify(args) };
        const asked = methods.includes("GET") ? ask(`${name}?${queryOf(args)}`, {}) : ask(name, body);
        return [asked.then(({ status }) => [`${name}.${left}`, status >= 400 && status < 500] as const)];
      }),
    );
    const refused = await Promise.all(answered);
    expect(refused.length).toBeGreaterThan(15);
    expect(refused.filter(([, isRefused]) => !isRefused)).toEqual([]);
  });

  it("use every common parameter somewhere", () => {
    const asked = new Set(v3Endpoints.flatMap(({ name }) => [...askedBy(name)]));
    expect(Object.keys(controlArgs).filter((arg) => !asked.has(arg))).toEqual([]);
  });

  it("cover every row of the contract's error table, for every endpoint in it", () => {
    const missing = contractErrors.flatMap(({ status, text, where }) =>
      where
        .filter((name) => {
          const answers = (table[name] ?? []).map((each) => each.answer(stage));
          return !answers.some(
            (answer) => answer.kind === "error" && answer.status === status && text.test(answer.error),
          );
        })
        .map((name) => `${name}: ${status} ${text.source}`),
    );
    expect(missing).toEqual([]);
  });
});

describe.each(enginesOfStatements)("over %s", (engine) => {
  beforeAll(async () => {
    stage = await openV3Stage(engine);
  });

  afterAll(() => stage.close());

  describe.each(v3Endpoints)("$name", ({ name, methods, result }) => {
    const table: Readonly<Record<string, readonly V3Case[]>> = cases;

    it.each(table[name] ?? [])("answers $note", async (each) => {
      const [args, expected] = [each.args(stage), each.answer(stage)];
      const texts = vi.spyOn(result, "encode").mockImplementation((value) => compareTexts(result, value));
      onTestFinished(() => texts.mockRestore());
      const { headers = {} } = each;
      const answers: Answered[] = [];
      if (methods.includes("GET")) answers.push(await ask(`${name}?${queryOf(args)}`, { headers }));
      if (methods.includes("POST"))
        answers.push(await ask(name, { headers, method: "POST", body: JSON.stringify(args) }));
      for (const answer of answers) {
        expect(seen(answer, expected)).toEqual(wanted(expected));
        const schema = expected.kind === "error" ? v3Api.errorSchema : result.schema;
        expect(Value.Errors(schema, answer.body)).toEqual([]);
      }
    });
  });
});
