import { format, inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { Client } from "../../../src/api/client/client.ts";
import { ApiError, createClient } from "../../../src/api/client/client.ts";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await openV2Server();
  client = createClient(`${server.origin}/api/v2/`);
});
afterAll(() => server.close());

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";

describe("the client", () => {
  it("calls any endpoint by its name, with a typed result", async () => {
    const detected = await client.detectAddress({ address: raw });
    expect(detected.bounceable.b64url).toBe("EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N");
    expect(await client.packAddress({ address: raw })).toBe(detected.bounceable.b64url);
    expect(await client.healthcheck()).toBe("OK");
    expectTypeOf(detected["@type"]).toEqualTypeOf<"ext.utils.detectedAddress">();
    expectTypeOf(detected.given_type).toEqualTypeOf<"raw_form" | "friendly_bounceable" | "friendly_non_bounceable">();
    expectTypeOf<{ hash: string }>().toExtend<Parameters<Client["detectHash"]>[0]>();
    expectTypeOf<{ hash: number }>().not.toExtend<Parameters<Client["detectHash"]>[0]>();
    expectTypeOf<{ seqno: number }>().not.toExtend<Parameters<Client["detectHash"]>[0]>();
    expectTypeOf(client.unpackAddress).returns.resolves.toEqualTypeOf<string>();
  });

  it("throws the server's error with its status", async () => {
    await expect(client.detectHash({ hash: "zz" })).rejects.toMatchObject({
      code: "api/refused",
      message: "detectHash: invalid hash: 'zz'",
      data: { status: 422, error: "invalid hash: 'zz'" },
    });
  });

  it("sends the key, and keeps every digit of numbers in answers", async () => {
    const seen: RequestInit[] = [];
    const fake = async (_url: unknown, init?: RequestInit) => {
      seen.push(init ?? {});
      return new Response('{"ok":true,"result":18446744073709551615}');
    };
    const keyed = createClient("http://x/api/v2", { apiKey: "secret", fetch: fake as typeof fetch });
    expect(await keyed.unpackAddress({ address: raw })).toBe(18446744073709551615n);
    expect(seen).toEqual([
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "secret" },
        body: JSON.stringify({ jsonrpc: "2.0", id: "1", method: "unpackAddress", params: { address: raw } }),
      },
    ]);
  });

  it("reports a missing server and a foreign one", async () => {
    const nobody = createClient("http://127.0.0.1:1/api/v2");
    await expect(nobody.healthcheck()).rejects.toMatchObject({ code: "api/unreachable" });
    const other = createClient("http://x", {
      fetch: (async () => new Response("<html>", { status: 502 })) as typeof fetch,
    });
    await expect(other.healthcheck()).rejects.toMatchObject({
      code: "api/unreachable",
      message: 'healthcheck: no such interface there: status 502, "<html>"',
    });
    const aborted = AbortSignal.abort();
    await expect(client.healthcheck({}, { signal: aborted })).rejects.toMatchObject({ code: "api/unreachable" });
  });

  it("is not mistaken for a promise", async () => {
    expect(await Promise.resolve(client)).toBe(client);
  });
});

describe("a client as an object", () => {
  it("sends nothing when it is printed, awaited, compared or probed", async () => {
    const asked: unknown[] = [];
    const fetch = (async (url: unknown) => {
      asked.push(url);
      return new Response("{}");
    }) as typeof globalThis.fetch;
    for (const each of [createClient("http://x/api/v2", { fetch }), createV3Client("http://x/api/v3", { fetch })]) {
      expect(JSON.stringify(each)).toBe("{}");
      expect(`${each}`).toBe("[object Object]");
      expect(await Promise.resolve(each)).toBe(each);
      expect(Object.keys(each)).toEqual([]);
      expect(structuredClone(each)).toEqual({});
      expect(inspect(each, { depth: 5, getters: true })).toBe("{}");
      expect(format("%o %O %s %j %d", each, each, each, each, each)).toMatch(/ \{\} NaN$/);
      expect([{ ...each }, Object.entries(each), String(each)]).toEqual([{}, [], "[object Object]"]);
      for (const probe of [
        Symbol.iterator,
        Symbol.asyncIterator,
        Symbol.toPrimitive,
        Symbol.toStringTag,
        inspect.custom,
      ])
        expect([probe in each, Reflect.get(each, probe)]).toEqual([false, undefined]);
      expect(["then" in each, "masterchainInfo" in each || "healthcheck" in each]).toEqual([false, true]);
      expect(each).not.toEqual({ a: 1 });
      for (const name of ["then", "toJSON", "$$typeof", "nodeType", "asymmetricMatch", "inspect", "constructorName"])
        expect(Reflect.get(each, name)).toBeUndefined();
    }
    expect(asked).toEqual([]);
  });

  it("has a method for every endpoint", () => {
    const [v2, v3] = [createClient("http://127.0.0.1"), createV3Client("http://127.0.0.1")];
    for (const { name } of v2Endpoints) expect([name, Reflect.get(v2, name)]).toEqual([name, expect.any(Function)]);
    for (const { name } of v3Endpoints) expect([name, Reflect.get(v3, name)]).toEqual([name, expect.any(Function)]);
  });

  it("reads a list page by page, and names the source of an error", async () => {
    const asked: string[] = [];
    const fetch = (async (url: string) => {
      asked.push(url);
      const page = asked.length;
      if (page > 3) return new Response('{"error":"no","code":422}', { status: 422 });
      const headers: Record<string, string> = page < 3 ? { "x-next-cursor": `c${page}` } : {};
      return new Response(JSON.stringify({ transactions: [{ lt: `${page}` }, { lt: `${page}0` }], address_book: {} }), {
        headers,
      });
    }) as typeof globalThis.fetch;
    const v3 = createV3Client("http://x/api/v3", { fetch });
    const lts: string[] = [];
    for await (const { lt } of v3.pages("transactions", { limit: 2 })) lts.push(lt);
    expect(lts).toEqual(["1", "10", "2", "20", "3", "30"]);
    expect(asked.map((url) => new URL(url).search)).toEqual(["?limit=2", "?limit=2&cursor=c1", "?limit=2&cursor=c2"]);
    const refused = await v3.transactions({ limit: 2 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({
      code: "api/refused",
      data: { status: 422, error: "no", url: "http://x/api/v3/transactions?limit=2" },
    });
  });
});
