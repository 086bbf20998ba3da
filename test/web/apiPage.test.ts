import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillDocument } from "../../web/apiPage/fill.ts";
import { gatherSamples, type Samples } from "../../web/apiPage/samples.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { until } from "../kit/web/localActs.ts";

type Json = Readonly<Record<string, unknown>>;

let service: StartedService;
let samples: Samples;

async function ask(path: string): Promise<unknown> {
  const response = await fetch(`${service.origin}${path}`);
  return response.ok ? response.json() : undefined;
}

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.ok ? response.json() : undefined;
}

/** Sends to the wallet whose pending transactions the page asks for; they are pending until the next block. */
async function sendAgain(): Promise<void> {
  const { from } = Object(samples.values["signed sendBoc"]);
  const { from: to } = Object(samples.values["signed message"]);
  const { result } = Object(await post("/localnet/signTransfer", { from, to, amount: "0.01" }));
  await post("/api/v3/message", { boc: result?.boc });
}

beforeAll(async () => {
  service = await startService();
  await until(isIndexed);
  samples = await gatherSamples(ask, post);
});

afterAll(() => service?.close());

/** The demo set is indexed when its last contract is. */
async function isIndexed(): Promise<boolean> {
  const { values } = await gatherSamples(ask, async () => undefined);
  return values.vesting !== undefined && values.multisig !== undefined && values.master !== undefined;
}

/** Executes an operation with the values in the page's fields. */
async function execute(base: string, path: string, method: string, operation: Json): Promise<number> {
  const parameters = (operation.parameters ?? []) as readonly Json[];
  const query = parameters.flatMap(({ name, example }): [string, string][] => {
    if (example === undefined) return [];
    return (Array.isArray(example) ? example : [example]).map((each) => [String(name), String(each)]);
  });
  const body = Object(Object(operation.requestBody).content)["application/json"]?.example;
  const url = `${service.origin}${base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ""}`;
  const response = await fetch(url, {
    method: method.toUpperCase(),
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

describe("the fields of the API pages", () => {
  it("find a sample of every kind on a local network with its demo set", () => {
    const kinds = [
      "account",
      "action",
      "block",
      "body",
      "collection",
      "createdLt",
      "destination",
      "domain",
      "hash",
      "item",
    ];
    const more = [
      "jettonOwner",
      "jettonWallet",
      "lt",
      "master",
      "message",
      "multisig",
      "opcode",
      "resolver",
      "sale",
      "seqno",
      "shard",
    ];
    const signed = [
      "message",
      "sendBoc",
      "sendBocReturnHash",
      "sendBocReturnHashNoError",
      "sendQuery",
      "sendQuerySimple",
    ];
    const last = ["source", "trace", "vesting", "wallet", "workchain"];
    expect(Object.keys(samples.values).toSorted()).toEqual([
      ...kinds,
      ...more,
      ...signed.map((name) => `signed ${name}`),
      ...last,
    ]);
  });

  it.each(["/api/v2", "/api/v3", "/localnet"])("make Execute work for every operation of %s", async (base) => {
    const document = Object(await ask(`${base}/openapi.json`)) as Json;
    const filled = fillDocument(document, samples);
    const failed: string[] = [];
    let count = 0;
    for (const [path, item] of Object.entries(
      Object(filled.paths) as Readonly<Record<string, Readonly<Record<string, Json>>>>,
    )) {
      for (const [method, operation] of Object.entries(item)) {
        count += 1;
        let status = await execute(base, path, method, operation);
        // Nothing is pending on an idle network. A sent message is run first, and a block may come before the request.
        for (let tries = 0; path === "/pendingTransactions" && status === 404 && tries < 200; tries++) {
          if (tries % 10 === 0) await sendAgain();
          await new Promise((resolve) => setTimeout(resolve, 30));
          status = await execute(base, path, method, operation);
        }
        if (status !== 200) failed.push(`${method} ${path}: ${status}`);
      }
    }
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(2);
  });

  it("leave every other field empty, so that nothing unwanted is sent", async () => {
    const document = Object(await ask("/api/v3/openapi.json")) as Json;
    const filled = fillDocument(document, samples);
    const { parameters } = Object(filled.paths)["/transactions"].get;
    const prefilled = parameters.filter(({ example, schema }: Json) => {
      return example !== undefined || Object(schema).example !== undefined || Object(schema).examples !== undefined;
    });
    expect(prefilled.map(({ name, example }: Json) => [name, example])).toEqual([["limit", 3]]);
  });
});
