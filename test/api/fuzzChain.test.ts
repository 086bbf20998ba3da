import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApi } from "../../src/api/declare/openapi.ts";
import { v2Api } from "../../src/api/v2/envelope.ts";
import { openLog } from "../../src/lib/log.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { TestServer } from "../kit/api/apiServer.ts";
import { type FuzzedRequest, type Seed, V2RequestFuzzer } from "../kit/api/fuzzedV2Requests.ts";
import { type FuzzedAnswer, sendFuzzed } from "../kit/api/sendFuzzed.ts";
import { repeats } from "../kit/suite/everything.ts";
import { openFixtureServer } from "../kit/tvm/fixtureServer.ts";
import { cases } from "./v2/cases.ts";

const requests = repeats({ usual: 1_000, all: 4_000 });

const faults: string[] = [];
let server: TestServer;

beforeAll(async () => {
  const destination = { write: (line: string) => void faults.push(line) };
  server = await openFixtureServer({ log: openLog({ level: "error", destination }) });
});

afterAll(() => server.close());

const document = JSON.parse(JSON.stringify(makeOpenApi(v2Api)));
const bare = new Set(v2Api.endpoints.filter(({ isBare }) => isBare).map(({ name }) => name));
const errors = Compile(v2Api.errorSchema);
const successes = new Map(
  v2Api.endpoints.map(({ name, result }) => [name, Compile(v2Api.successSchema(result.schema))]),
);
const results = new Map(v2Api.endpoints.map(({ name, result }) => [name, Compile(result.schema)]));

/** Documented statuses of each method, plus those of malformed requests. */
const documented = new Map(
  v2Api.endpoints.map(({ name }) => {
    const operations = Object.values<{ responses: object }>(document.paths[`/${name}`]);
    return [
      name,
      new Set([...operations.flatMap(({ responses }) => Object.keys(responses)), "404", "405"].map(Number)),
    ];
  }),
);
const ofRpc = new Set([...Object.keys(document.paths["/jsonRPC"].post.responses)].map(Number));

/** The fault of an answer, if any. */
function findFault(name: string | undefined, body: unknown, isBare: boolean): string | undefined {
  const success = name === undefined ? undefined : (isBare ? results : successes).get(name);
  if (isBare || Object(body).ok === true)
    return success?.Check(body) === true ? undefined : `not the answer of ${name} that is documented`;
  if (!errors.Check(body)) return "not the error that is documented";
  return Object(body).error === "internal error" ? "a fault of ours" : undefined;
}

function checkAnswer(fuzzedRequest: FuzzedRequest, { status, type, text }: FuzzedAnswer): string | undefined {
  const [name = ""] = fuzzedRequest.asks;
  const isRpc = fuzzedRequest.path === "/" || fuzzedRequest.path === "/api/v2/jsonRPC";
  if (fuzzedRequest.method === "HEAD" || status === 204) return undefined;
  if (fuzzedRequest.method === "GET" && (fuzzedRequest.path === "/" || fuzzedRequest.path.startsWith("/api/v2/?")))
    return undefined;
  const allowed = isRpc || fuzzedRequest.asks.length === 0 ? ofRpc : documented.get(name);
  if (allowed !== undefined && !allowed.has(status)) return `status ${status} is not documented`;
  if (type !== "application/json") return `of type ${type}`;
  const body: unknown = JSON.parse(text);
  if (Array.isArray(body) && isRpc)
    return body.map((each, at) => findFault(fuzzedRequest.asks[at], each, false)).find((fault) => fault !== undefined);
  if (status !== 200 && Object(body).code !== status) return `code ${Object(body).code} under status ${status}`;
  return fuzzedRequest.asks.length === 0
    ? undefined
    : findFault(name, body, !isRpc && status === 200 && bare.has(name));
}

it(`${requests} malformed requests are answered as documented, without internal errors`, async () => {
  const seeds: Seed[] = Object.entries(cases).flatMap(([name, each]) => each.map(({ args }) => ({ name, args })));
  const fuzzer = new V2RequestFuzzer(seededRandom("bent requests"), seeds);
  const sent = { count: requests, next: () => fuzzer.next() };
  const { wrong, statuses } = await sendFuzzed(server.port, sent, checkAnswer);
  expect(wrong).toEqual([]);
  expect(faults).toEqual([]);
  // Both accepted and rejected requests show that the mutations are neither too strong nor too weak.
  for (const status of [200, 404, 405, 422, 500]) expect(statuses.get(status) ?? 0).toBeGreaterThan(requests / 200);
});

it("the server still works afterwards", async () => {
  expect((await fetch(`${server.origin}/api/v2/getMasterchainInfo`)).status).toBe(200);
});
