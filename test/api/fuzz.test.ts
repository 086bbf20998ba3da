import fc from "fast-check";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, it } from "vitest";
import { v2Api } from "../../src/api/v2/envelope.ts";
import { openV2Server, type TestServer } from "../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../kit/api/rawHttp.ts";
import { repeats } from "../kit/suite/everything.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openV2Server();
});
afterAll(() => server.destroy());

/** Allowed statuses of requests without a chain; 500 is not among them. */
const documented = new Set([200, 400, 404, 405, 413, 414, 422, 431]);

const names = ["detectAddress", "detectHash", "packAddress", "unpackAddress", "healthcheck"];
const address = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const nearly = fc.oneof(
  fc.constantFrom(address, `0:${"a".repeat(64)}`, "", "null", "true", "-1", "9223372036854775808"),
  fc.string({ unit: "binary" }),
  fc
    .tuple(fc.constant(address), fc.nat(47), fc.string({ minLength: 1, maxLength: 1 }))
    .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1)),
);
const argument = fc.oneof(
  nearly,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const args = fc.dictionary(
  fc.oneof(fc.constantFrom("address", "hash", "api_key", "__proto__"), fc.string()),
  argument,
  { maxKeys: 4 },
);
const name = fc.oneof(fc.constantFrom(...names, "jsonRPC", "noSuchMethod", ""), fc.webSegment());

async function check(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${server.origin}${path}`, init);
  const text = await response.text();
  expect(documented).toContain(response.status);
  if (response.headers.get("content-type") === "application/json" && init.method !== "HEAD") {
    const body: unknown = JSON.parse(text);
    if (response.status !== 200) {
      expect(Value.Errors(v2Api.errorSchema, body)).toEqual([]);
      expect(Object(body).code).toBe(response.status);
    }
  }
}

it("any query is answered as documented", async () => {
  await fc.assert(
    fc.asyncProperty(name, args, async (path, given) => {
      const query = Object.entries(given).map(([key, value]) => {
        // An object with a `toString` of its own has no text.
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
      });
      await check(`/api/v2/${path}?${query.join("&")}`, {});
    }),
    { numRuns: repeats({ usual: 80, all: 400 }) },
  );
});

it("any body is answered as documented", async () => {
  const mutated = fc
    .tuple(
      args.map((value) => JSON.stringify(value)),
      fc.nat(200),
      fc.string({ maxLength: 3 }),
    )
    .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at));
  const body = fc.oneof(
    args.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.string({ unit: "binary" }),
    mutated,
  );
  await fc.assert(
    fc.asyncProperty(name, body, fc.constantFrom("POST", "PUT", "DELETE", "PATCH"), async (path, text, method) => {
      await check(`/api/v2/${path}`, { method, body: text });
    }),
    { numRuns: repeats({ usual: 80, all: 400 }) },
  );
});

it("any JSON-RPC is answered as documented", async () => {
  const request = fc.record(
    {
      id: argument,
      jsonrpc: argument,
      method: fc.oneof(fc.constantFrom(...names), argument),
      params: fc.oneof(args, argument),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(request, fc.array(request, { maxLength: 5 })), async (body) => {
      await check("/api/v2/jsonRPC", { method: "POST", body: JSON.stringify(body) });
    }),
    { numRuns: repeats({ usual: 80, all: 400 }) },
  );
});

it("any bytes get a documented answer or none", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "GET /api/v2/detectHash?hash=a HTTP/1.1",
      "POST /api/v2/jsonRPC HTTP/1.1",
      "Host: x",
      "Content-Length: 5",
      "Transfer-Encoding: chunked",
      "Connection: close",
      "",
      "5",
      "hello",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const answer = await sendRaw(server.port, `${lines.join("\r\n")}\r\n\r\nGARBAGE NO HTTP\r\n\r\n`);
      if (answer !== "") expect(documented).toContain(readRaw(answer.slice(0, answer.indexOf("\r\n\r\n") + 4)).status);
    }),
    { numRuns: repeats({ usual: 50, all: 300 }) },
  );
});

it("the server still works afterwards", async () => {
  expect(await (await fetch(`${server.origin}/api/v2/healthcheck`)).json()).toBe("OK");
});
