import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { openLog } from "../../../src/lib/log.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { FuzzedRequest } from "../../kit/api/fuzzedV2Requests.ts";
import { V3RequestFuzzer, type ValidV3Request } from "../../kit/api/fuzzedV3Requests.ts";
import { type FuzzedAnswer, sendFuzzed } from "../../kit/api/sendFuzzed.ts";
import { openV3Stage, type V3Stage } from "../../kit/api/v3/v3Stage.ts";
import { repeats } from "../../kit/suite/everything.ts";
import { cases } from "./cases.ts";

const requests = repeats({ usual: 800, all: 3_000 });

const faults: string[] = [];
let stage: V3Stage;

beforeAll(async () => {
  const destination = { write: (line: string) => void faults.push(line) };
  stage = await openV3Stage("postgres", { timeoutMs: 60_000 }, { log: openLog({ level: "error", destination }) });
});

afterAll(() => stage.close());

const document = JSON.parse(JSON.stringify(makeOpenApi(v3Api)));
const errors = Compile(v3Api.errorSchema);
const results = new Map(v3Api.endpoints.map(({ name, result }) => [name, Compile(result.schema)]));

/** Documented statuses of each request, plus those of malformed ones. */
const documented = new Map(
  v3Api.endpoints.map(({ name }) => {
    const operations = Object.values<{ responses: object }>(document.paths[`/${name}`]);
    const statuses = operations.flatMap(({ responses }) => Object.keys(responses));
    return [name, new Set([...statuses, "400", "404", "405", "414"].map(Number))];
  }),
);

/** The fault of an answer, if any. */
function findFault({ method, asks: [name] }: FuzzedRequest, { status, type, text }: FuzzedAnswer): string | undefined {
  if (method === "HEAD" || status === 204) return undefined;
  if (name !== undefined && documented.get(name)?.has(status) !== true) return `status ${status} is not documented`;
  if (type?.startsWith("application/json") !== true) return `of type ${type}`;
  const body: unknown = JSON.parse(text);
  if (status === 200) {
    return name !== undefined && results.get(name)?.Check(body) !== true
      ? "not the answer that is documented"
      : undefined;
  }
  if (!errors.Check(body)) return "not the error that is documented";
  if (Object(body).code !== status) return `code ${Object(body).code} under status ${status}`;
  return Object(body).error === "internal server error: unexpected" ? "a fault of ours" : undefined;
}

function validRequests(): readonly ValidV3Request[] {
  return v3Api.endpoints.flatMap(({ name, methods, args }) =>
    (cases[name as keyof typeof cases] ?? []).map((each) => ({
      name,
      methods,
      args: each.args(stage),
      names: Object.keys(args),
    })),
  );
}

it(`${requests} malformed requests are answered as documented, without internal errors`, async () => {
  const fuzzer = new V3RequestFuzzer(seededRandom("bent questions"), validRequests());
  const sent = { count: requests, next: () => fuzzer.next() };
  const { wrong, statuses, asked } = await sendFuzzed(stage.server.port, sent, findFault);
  expect(wrong).toEqual([]);
  expect(faults).toEqual([]);
  // Both accepted and rejected requests show that the mutations are neither too strong nor too weak.
  for (const status of [200, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(requests / 30);
  expect([...asked].toSorted()).toEqual(v3Api.endpoints.map(({ name }) => name).toSorted());
});
