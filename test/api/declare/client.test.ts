import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { type Client, createClient } from "../../../src/api/declare/client.ts";
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
  it("asks any endpoint by its name, and knows what comes back", async () => {
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

  it("throws what the server refused, with its status", async () => {
    await expect(client.detectHash({ hash: "zz" })).rejects.toMatchObject({
      code: "api/refused",
      message: "detectHash: invalid hash: 'zz'",
      data: { status: 422, error: "invalid hash: 'zz'" },
    });
  });

  it("sends the key, and the numbers of the answer lose no digit", async () => {
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

  it("tells when nobody answers, or somebody else", async () => {
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

  it("can be handed to what looks for a promise", async () => {
    expect(await Promise.resolve(client)).toBe(client);
  });
});
