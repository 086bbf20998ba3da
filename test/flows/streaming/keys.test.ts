import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TonClient4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { KeyFile } from "../../../src/api/access/KeyFile.ts";
import { makeApiKey } from "../../../src/api/access/keys.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { SseClient, WsClient } from "../../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const patience = { timeout: 300_000, interval: 50 };
const plans = {
  // One request in an hour, so that the second one is refused however slow the machine is.
  tight: { perSecond: 1 / 3_600, burst: 1 },
  fast: { perSecond: "unlimited" },
};
const streams = { keyless: { connections: 1, addresses: 1 }, fast: { connections: 2, addresses: 2 } };

let folder: string;
let service: StartedService;
const keys = new Map<string, string>();
const ids = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tongate-keys-"));
  const file = new KeyFile(folder);
  const owners = ["v4", "emulate", "stream"].map((name) => [name, "tight"] as const);
  for (const [name, plan] of [...owners, ["ann", "fast"] as const, ["gone", "fast"] as const]) {
    const made = makeApiKey({ name, owner: name, plan, networks: ["*"] }, Date.now(), systemRandom);
    file.append(made.event);
    keys.set(name, made.secret);
    ids.set(name, made.event.id);
  }
  const flags = ["--limits", "on", "--demo", "off", "--block-ms", "1000"];
  service = await startService({ folder, config: { plans, streams, keyless: "unlimited" }, flags });
  const isHealthy = async () => (await fetch(`${service.origin}/api/streaming/healthz`)).status === 200;
  await vi.waitFor(async () => expect(await isHealthy()).toBe(true), patience);
}, 600_000);

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = (name: string) => keys.get(name) ?? "";
const account = `0:${"1".repeat(64)}`;

/** The ways into each interface, with a key or with what is none. */
const ways: readonly (readonly [string, string, (key: string) => Promise<Response>])[] = [
  ["v4 by a header", "v4", (key) => fetch(`${service.origin}/api/v4/block/latest`, { headers: { "x-api-key": key } })],
  [
    "emulate by a header",
    "emulate",
    (key) => fetch(`${service.origin}/api/emulate/v1/limits`, { headers: { "x-api-key": key } }),
  ],
  [
    "streams by a query",
    "stream",
    (key) => fetch(`${service.origin}/api/streaming/v2/sse?types=nothing&api_key=${key}`),
  ],
];

describe("keys and plans", () => {
  it.each(ways)("hold for %s", async (_name, owner, ask) => {
    const unknown = await ask("nobody");
    expect([unknown.status, await unknown.json()]).toEqual([
      401,
      expect.objectContaining({ error: expect.stringContaining("API key does not exist") }),
    ]);
    const [first, second] = [await ask(keyOf(owner)), await ask(keyOf(owner))];
    await first.text();
    // A stream without a known type is refused as a request, after its caller was let in.
    expect([first.status, second.status]).toEqual([owner === "stream" ? 400 : 200, 429]);
    expect(second.headers.get("retry-after")).toMatch(/^[0-9]+$/);
  });

  it("are in the path for clients of v4 that can put them nowhere else", async () => {
    const client = new TonClient4({ endpoint: `${service.origin}/api/v4/k/${keyOf("ann")}`, timeout: 300_000 });
    expect((await client.getLastBlock()).last.seqno).toBeGreaterThan(0);
    expect((await fetch(`${service.origin}/api/v4/k/nobody/block/latest`)).status).toBe(401);
    for (const name of ["watch", "watch/changed"]) {
      const socket = new WsClient(`${service.origin}/api/v4/k/${keyOf("ann")}/block/${name}`);
      expect(await socket.opened).toBe(101);
      await expect.poll(() => socket.received.length, patience).toBeGreaterThan(0);
      socket.close();
      const stranger = new WsClient(`${service.origin}/api/v4/k/nobody/block/${name}`);
      expect([await stranger.opened, JSON.parse(stranger.refusal)]).toEqual([
        401,
        { error: "API key does not exist", code: 401 },
      ]);
      const broken = new WsClient(`${service.origin}/api/v4/k/%zz/block/${name}`);
      expect(await broken.opened).toBe(400);
      expect((await fetch(`${service.origin}/api/v4/k/${keyOf("ann")}/block/${name}`)).status).toBe(426);
    }
  });
});

describe("the connections of a key", () => {
  it("count together, whatever is streamed over them", async () => {
    const watch = new WsClient(`${service.origin}/api/v4/block/watch?api_key=${keyOf("ann")}`);
    await vi.waitFor(async () => expect(await watch.opened).toBe(101), patience);
    const events = new SseClient(
      `${service.origin}/api/streaming/v2/sse`,
      { types: ["transactions"], addresses: [account] },
      { "x-api-key": keyOf("ann") },
    );
    await vi.waitFor(async () => expect(await events.opened).toBe(200), patience);
    const third = new WsClient(`${service.origin}/api/v4/k/${keyOf("ann")}/block/watch`);
    expect([await third.opened, JSON.parse(third.refusal)]).toEqual([
      429,
      { error: "connection limit reached: 2 active connections", code: 429 },
    ]);
    watch.close();
    await vi.waitFor(async () => {
      const again = new WsClient(`${service.origin}/api/v4/block/watch?api_key=${keyOf("ann")}`);
      const status = await again.opened;
      again.close();
      expect(status).toBe(101);
    }, patience);
    events.close();
  });

  it("end when the key is revoked", async () => {
    const watch = new WsClient(`${service.origin}/api/v4/k/${keyOf("gone")}/block/watch`);
    expect(await watch.opened).toBe(101);
    new KeyFile(folder).append({
      kind: "revoked",
      id: ids.get("gone") ?? "",
      revokedAt: Math.floor(Date.now() / 1_000),
    });
    await watch.closed;
    expect(watch.closedWith).toEqual({ code: 1008, reason: "API key does not exist" });
  });
});
