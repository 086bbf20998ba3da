import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { noChain, openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { someOf } from "../../kit/suite/everything.ts";
import { openFixtureServer } from "../../kit/tvm/fixtureServer.ts";
import type { Case } from "./cases/Case.ts";
import { cases } from "./cases.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openFixtureServer();
});

afterAll(() => server.close());

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const get = (name: string, args: Case["args"]) =>
  ask(
    `/${name}?${new URLSearchParams(Object.entries(args).map(([key, value]): [string, string] => [key, String(value)]))}`,
  );
const post = (name: string, args: Case["args"]) => ask(`/${name}`, args);
const rpc = (name: string, args: Case["args"]) =>
  ask("/jsonRPC", { id: 7, jsonrpc: "2.0", method: name, params: args });

async function ask(path: string, body?: unknown): Promise<Answered> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${server.origin}/api/v2${path}`, init);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-api-version")).toBe("2.1.0");
  return { status: response.status, body: await response.json() };
}

const stamp = expect.stringMatching(/^\d{10}:(_|\d+(,\d+)*):\d+(\.\d{1,3})?(:c)?$/);

function expected({ answer }: Case): Answered {
  return answer.kind === "result"
    ? { status: 200, body: { ok: true, result: answer.result, "@extra": stamp } }
    : { status: answer.status, body: { ok: false, error: answer.error, code: answer.status, "@extra": stamp } };
}

describe.each(v2Endpoints)("$name", (endpoint) => {
  const { name, methods, result, isBare } = endpoint;
  const table: Readonly<Record<string, readonly Case[]>> = cases;

  it.each(table[name] ?? [])("answers $note, as documented", async (each) => {
    const answered = expected(each);
    const overHttp = isBare && each.answer.kind === "result" ? { status: 200, body: each.answer.result } : answered;
    const ways = [...(methods.includes("GET") ? [get] : []), ...(methods.includes("POST") ? [post] : [])];
    // In the ordinary run the second way is tried with the first case of an endpoint.
    const tried = someOf(ways, (_, at) => at === 0 || each === table[name]?.[0]);
    const answers = await Promise.all(tried.map((way) => way(name, each.args)));
    expect(answers).toEqual(answers.map(() => overHttp));
    const echo = { id: 7, jsonrpc: "2.0" };
    const refused = { status: 404, body: { ok: false, error: "Method not found", code: 404, "@extra": "_" } };
    const { status, body } = methods.includes("POST") ? answered : refused;
    const overRpc = await rpc(name, each.args);
    expect(overRpc).toEqual({ status, body: { ...Object(body), ...echo } });
    const success = isBare ? result.schema : v2Api.successSchema(result.schema);
    const schema = each.answer.kind === "result" ? success : v2Api.errorSchema;
    expect(Value.Errors(schema, isBare ? answers[0]?.body : overRpc.body)).toEqual([]);
  });
});

it("the health check fails when no lite server is in use", async () => {
  const dead = await openV2Server({}, { ...noChain, isLive: () => false });
  const response = await fetch(`${dead.origin}/api/v2/healthcheck`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toEqual({ ok: false, error: "no lite server is in use", code: 503, "@extra": stamp });
  await dead.close();
});
