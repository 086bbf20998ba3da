import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { KeyFile } from "../../../src/api/access/KeyFile.ts";
import { makeApiKey } from "../../../src/api/access/keys.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { SseClient, type StreamJson, WsClient } from "../../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const patience = { timeout: 300_000, interval: 50 };
const limits = {
  keyless: { connections: 1, addresses: 1 },
  free: { connections: 2, addresses: 2 },
  plus: { connections: 9, addresses: 1, all: true },
};
let folder: string;
let service: StartedService;
let base: string;
const keys = new Map<string, string>();
/** Id of the last created key. */
let revokedId = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tongate-stream-limits-"));
  const file = new KeyFile(folder);
  for (const plan of ["free", "plus", "revoked"]) {
    const owner = { name: plan, owner: plan, plan: plan === "revoked" ? "free" : plan, networks: ["*"] };
    const made = makeApiKey(owner, Date.now(), systemRandom);
    file.append(made.event);
    keys.set(plan, made.secret);
    revokedId = made.event.id;
  }
  const fast = { perSecond: "unlimited" };
  const config = { streams: limits, keyless: "unlimited", plans: { free: fast, plus: fast } };
  service = await startService({ folder, config, flags: ["--limits", "on", "--demo", "off", "--block-ms", "1000"] });
  base = `${service.origin}/api/streaming/v2`;
  await vi.waitFor(
    async () => expect((await fetch(`${service.origin}/api/streaming/healthz`)).status).toBe(200),
    patience,
  );
}, 600_000);

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const account = (n: number) => `0:${n.toString(16).padStart(64, "0").toUpperCase()}`;
const want = (count: number): StreamJson => ({
  types: ["transactions"],
  addresses: Array.from({ length: count }, (_, at) => account(at + 1)),
});
const keyOf = (plan: string) => ({ "x-api-key": keys.get(plan) ?? "" });

async function open(body: StreamJson, headers: Readonly<Record<string, string>>): Promise<SseClient> {
  const stream = new SseClient(`${base}/sse`, body, headers);
  await stream.opened;
  return stream;
}

async function refusal(body: StreamJson, headers: Readonly<Record<string, string>>, query = "") {
  const response = await fetch(`${base}/sse${query}`, { method: "POST", body: JSON.stringify(body), headers });
  return [response.status, await response.json()];
}

describe("limits of streams", () => {
  it("apply per key, and a closed connection frees its slot", async () => {
    const first = await open(want(2), keyOf("free"));
    const socket = new WsClient(`${base}/ws?api_key=${keys.get("free")}`);
    expect([first.status, await socket.opened]).toEqual([200, 101]);
    expect(await refusal({ ...want(1), id: "a" }, keyOf("free"))).toEqual([
      429,
      { id: "a", error: "connection limit reached: 2 active connections" },
    ]);
    const third = new WsClient(`${base}/ws?token=${keys.get("free")}`);
    await third.opened;
    await third.closed;
    expect(third.received).toEqual([{ error: "connection limit reached: 2 active connections" }]);
    expect(third.closedWith).toEqual({ code: 1008, reason: "connection limit reached" });
    // Other keys have their own limit.
    const other = await open(want(1), { authorization: `Bearer ${keys.get("plus")}` });
    expect(other.status).toBe(200);
    first.close();
    await vi.waitFor(async () => {
      const again = await open(want(1), keyOf("free"));
      again.close();
      expect(again.status).toBe(200);
    }, patience);
    other.close();
    socket.close();
  });

  it("bound the addresses of a subscription, and who may subscribe to everything", async () => {
    // The limit frees up once the server has seen the earlier connections close.
    await vi.waitFor(
      async () =>
        expect(await refusal(want(3), keyOf("free"))).toEqual([400, { error: "too many addresses: 3 > max 2" }]),
      patience,
    );
    const socket = new WsClient(`${base}/ws?api_key=${keys.get("plus")}`);
    await socket.opened;
    socket.send({ operation: "subscribe", id: 1, ...want(2) });
    socket.send({ operation: "subscribe", id: 2, types: ["transactions"], addresses: ["*"] });
    // Events of all addresses come too; answers carry the id of their request.
    await vi.waitFor(
      () =>
        expect(socket.received.filter(({ id }) => id !== undefined)).toEqual([
          { id: 1, error: "address limit exceeded: current 0 + new 2 > max 1" },
          { id: 2, status: "subscribed" },
        ]),
      patience,
    );
    socket.close();
  });

  it("check keys, and end the streams of a revoked key", async () => {
    expect(await refusal(want(1), { "x-api-key": "nobody" })).toEqual([401, { error: "API key does not exist" }]);
    const socket = new WsClient(`${base}/ws?api_key=nobody`);
    expect([await socket.opened, JSON.parse(socket.refusal)]).toEqual([401, { error: "API key does not exist" }]);
    const live = new WsClient(`${base}/ws?api_key=${keys.get("revoked")}`);
    const stream = await open(want(1), keyOf("revoked"));
    expect(await live.opened).toBe(101);
    new KeyFile(folder).append({ kind: "revoked", id: revokedId, revokedAt: Math.floor(Date.now() / 1_000) });
    await Promise.all([live.closed, stream.ended]);
    expect(live.closedWith).toEqual({ code: 1008, reason: "API key does not exist" });
  });
});
