import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import { KeyFile } from "../../../src/api/access/KeyFile.ts";
import { KeyRing } from "../../../src/api/access/KeyRing.ts";
import { makeApiKey, type NewKey } from "../../../src/api/access/keys.ts";
import { type LimitStore, MemoryLimits } from "../../../src/api/access/limits.ts";
import { findIpRange } from "../../../src/lib/ip.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { openV2Server, quietLog, type TestServer, type TestServerOptions } from "../../kit/api/apiServer.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const plans = new Map([
  ["free", { perSecond: 10, burst: 2 }],
  ["enterprise", { perSecond: Number.POSITIVE_INFINITY, burst: 1 }],
]);

async function open(options: TestServerOptions = {}, wrap = (limits: LimitStore) => limits) {
  const clock = new ManualClock();
  const file = new KeyFile(mkdtempSync(join(tmpdir(), "tongate-access-")));
  const addKey = (facts: Partial<NewKey> = {}) => {
    const made = makeApiKey(
      { name: "n", owner: "o", plan: "free", networks: ["mainnet"], ...facts },
      clock.now(),
      systemRandom,
    );
    file.append(made.event);
    return { secret: made.secret, id: made.event.id };
  };
  const ring = KeyRing.open(file, { clock, log: quietLog });
  const limits = wrap(new MemoryLimits({ maxNames: 100 }, clock));
  const access = new Gatekeeper(
    { network: "mainnet", plans, keyless: { perSecond: 1, burst: 1 } },
    { keys: ring, limits },
  );
  const server = await openV2Server({ ...options, access, clock });
  closers.push(
    () => ring.close(),
    () => server.destroy(),
  );
  return { clock, server, file, addKey };
}

const path = "/api/v2/detectHash?hash=x";

async function ask(
  server: TestServer,
  init: RequestInit = {},
  query = "",
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(`${server.origin}${path}${query}`, init);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const withKey = (secret: string): RequestInit => ({ headers: { "x-api-key": secret } });
const limited = { ok: false, error: "Ratelimit exceeded", code: 429 };

describe("without a key", () => {
  it("one request per second is admitted, and the next gets Retry-After", async () => {
    const { server, clock } = await open();
    expect((await ask(server)).status).toBe(422);
    await clock.advance(300);
    const { status, body, headers } = await ask(server);
    expect([status, body]).toEqual([429, limited]);
    expect(
      ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) =>
        headers.get(name),
      ),
    ).toEqual(["1", "1", "0", "1"]);
    await clock.advance(700);
    expect((await ask(server)).status).toBe(422);
  });

  it("counts clients behind a trusted proxy separately, and IPv6 networks together", async () => {
    const proxy = findIpRange("127.0.0.0/8");
    const { server } = await open({ trustedProxies: proxy === undefined ? [] : [proxy] });
    const from = async (address: string) => (await ask(server, { headers: { "x-forwarded-for": address } })).status;
    expect([await from("1.1.1.1"), await from("1.1.1.1"), await from("2.2.2.2")]).toEqual([422, 429, 422]);
    expect([await from("2001:db8::1"), await from("2001:db8::2"), await from("2001:db8:0:1::1")]).toEqual([
      422, 429, 422,
    ]);
  });

  it("trusts only configured proxies", async () => {
    const { server } = await open();
    const from = async (address: string) => (await ask(server, { headers: { "x-forwarded-for": address } })).status;
    expect([await from("1.1.1.1"), await from("2.2.2.2")]).toEqual([422, 429]);
  });
});

describe("with a key", () => {
  it("in the header or the query, the plan's rate applies to all keys of an owner", async () => {
    const { server, clock, addKey } = await open();
    const [one, other, stranger] = [addKey(), addKey(), addKey({ owner: "p" })];
    await clock.advance(1000);
    expect((await ask(server, withKey(one.secret))).status).toBe(422);
    expect((await ask(server, {}, `&api_key=${other.secret}`)).status).toBe(422);
    const { status, headers } = await ask(server, withKey(one.secret));
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([429, "10"]);
    expect((await ask(server, withKey(stranger.secret))).status).toBe(422);
    await clock.advance(100);
    expect((await ask(server, withKey(one.secret))).status).toBe(422);
  });

  it("rejects an unknown or revoked key; an empty key counts as none", async () => {
    const { server, clock, addKey, file } = await open();
    const { secret, id } = addKey();
    await clock.advance(1000);
    file.append({ kind: "revoked", id, revokedAt: 1 });
    await clock.advance(1000);
    const unknown = { ok: false, error: "API key does not exist", code: 401 };
    expect([(await ask(server, withKey(secret))).body, (await ask(server, withKey("x"))).body]).toEqual([
      unknown,
      unknown,
    ]);
    expect((await ask(server, withKey("x"))).status).toBe(401);
    expect((await ask(server, {}, "&api_key=")).status).toBe(422);
  });

  it("rejects a key of another network before any rate is checked", async () => {
    const { server, clock, addKey } = await open();
    const [other, every] = [addKey({ networks: ["testnet"] }), addKey({ networks: ["*"] })];
    await clock.advance(1000);
    for (let count = 0; count < 30; count++) {
      const { status, body } = await ask(server, withKey(other.secret));
      expect([status, body]).toEqual([403, { ok: false, error: "Network not allowed", code: 403 }]);
    }
    expect((await ask(server, withKey(every.secret))).status).toBe(422);
  });

  it("answers everything without a limit, and treats a removed plan like no key", async () => {
    const { server, clock, addKey } = await open();
    const [enterprise, gone] = [addKey({ plan: "enterprise" }), addKey({ plan: "gone", owner: "q" })];
    await clock.advance(1000);
    for (let count = 0; count < 20; count++) expect((await ask(server, withKey(enterprise.secret))).status).toBe(422);
    expect((await ask(server, withKey(gone.secret))).status).toBe(422);
    expect((await ask(server, withKey(gone.secret))).headers.get("x-ratelimit-limit")).toBe("1");
  });
});

it("refuses before reading the request, and counts refusals by reason", async () => {
  const { server } = await open();
  const post = (body: string) => fetch(`${server.origin}/api/v2/jsonRPC`, { method: "POST", body, ...withKey("x") });
  expect(await (await post("{bad json")).json()).toMatchObject({ code: 401 });
  await ask(server);
  await ask(server);
  expect(await server.metricsText()).toContain('tongate_access_refused_total{reason="key"} 1');
  expect(await server.metricsText()).toContain('tongate_access_refused_total{reason="limit"} 1');
});

it("counts every request of a batch, and refuses those over the limit in their place", async () => {
  const { server, clock, addKey } = await open();
  const { secret } = addKey();
  await clock.advance(1000);
  const item = (id: number) => ({ id, method: "packAddress", params: { address: `0:${"0".repeat(64)}` } });
  const init = { method: "POST", body: JSON.stringify([item(1), item(2), item(3)]), ...withKey(secret) };
  const response = await fetch(`${server.origin}/api/v2/jsonRPC`, init);
  expect([response.status, await response.json()]).toEqual([
    200,
    [expect.objectContaining({ ok: true, id: 1 }), expect.objectContaining({ ok: true, id: 2 }), { ...limited, id: 3 }],
  ]);
});

it("waits for asynchronous counters", async () => {
  const later = (limits: LimitStore): LimitStore => ({
    isImmediate: false,
    take: async (name, rate) => limits.take(name, rate),
    add: async (name, rate, count) => limits.add(name, rate, count),
    close: () => limits.close(),
  });
  const { server } = await open({}, later);
  expect([(await ask(server)).status, (await ask(server)).status]).toEqual([422, 429]);
});
