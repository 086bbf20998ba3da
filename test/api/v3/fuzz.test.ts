import { Agent, request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { openLog } from "../../../src/lib/log.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { FuzzedRequest } from "../../kit/api/fuzzedV2Requests.ts";
import { V3RequestFuzzer, type ValidV3Request } from "../../kit/api/fuzzedV3Requests.ts";
import { openV3Stage, type V3Stage } from "../../kit/api/v3/v3Stage.ts";
import { repeats } from "../../kit/suite/everything.ts";
import { cases } from "./cases.ts";

const requests = repeats({ usual: 1_500, all: 10_000 });
const together = 16;

const faults: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: together });
let stage: V3Stage;

beforeAll(async () => {
  const destination = { write: (line: string) => void faults.push(line) };
  stage = await openV3Stage("postgres", { timeoutMs: 60_000 }, { log: openLog({ level: "error", destination }) });
});

afterAll(async () => {
  agent.destroy();
  await stage.close();
});

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

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

function send({ method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  const { port } = stage.server;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes).toString() : bytes.toString();
        resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"], text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The fault of an answer, if any. */
function findFault({ method, asks: [name] }: FuzzedRequest, { status, type, text }: Answer): string | undefined {
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
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();
  const asked = new Set<string>();
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const request = fuzzer.next();
      const answer = await send(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      for (const name of request.asks) asked.add(name);
      const fault = findFault(request, answer);
      if (fault !== undefined && wrong.length < 20) wrong.push({ fault, request, answer: answer.text.slice(0, 500) });
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  expect(wrong).toEqual([]);
  expect(faults).toEqual([]);
  // Both accepted and rejected requests show that the mutations are neither too strong nor too weak.
  for (const status of [200, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(50);
  expect([...asked].toSorted()).toEqual(v3Api.endpoints.map(({ name }) => name).toSorted());
});
