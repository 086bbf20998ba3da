import { createPrivateKey, sign } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { concatBytes, fromHex } from "../../../src/lib/bytes.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlClient } from "../../../src/lite/adnl/AdnlClient.ts";
import type { AdnlHandler, AdnlPeer } from "../../../src/lite/adnl/AdnlInbound.ts";
import { AdnlServer, type AdnlServerOptions } from "../../../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import {
  frameContent,
  messageAnswer,
  messageQuery,
  tcpAuthentificate,
  tcpAuthentificationComplete,
  tcpPing,
} from "../../../src/lite/tl/adnlRecords.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { RawAdnlClient } from "../../kit/lite/RawAdnlClient.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const seed = new Uint8Array(32).fill(7);
const { publicKey } = makeAdnlKey(seed);
const over = new LiteError("lite/closed", "the test is over");
const echo: AdnlHandler = async (query) => query;
const toClose: (() => void)[] = [];

afterEach(() => {
  for (const close of toClose.splice(0).reverse()) close();
});

interface Opened {
  readonly server: AdnlServer;
  readonly clock: ManualClock;
  /** Resolves with the next reported problem. */
  nextProblem(): Promise<unknown>;
}

async function openServer(handler: AdnlHandler, options: Partial<AdnlServerOptions> = {}): Promise<Opened> {
  const clock = new ManualClock();
  const problems = new EventTarget();
  const modules = {
    clock,
    random: systemRandom,
    handler,
    onProblem: (detail: unknown) => problems.dispatchEvent(new CustomEvent("problem", { detail })),
  };
  const server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [seed], ...options }, modules);
  toClose.push(() => server.destroy(over));
  const nextProblem = async () => {
    const [event] = await once(problems, "problem");
    return (event as CustomEvent).detail;
  };
  return { server, clock, nextProblem };
}

async function openClient(server: AdnlServer, key = publicKey): Promise<AdnlClient> {
  const modules = { clock: new ManualClock(), random: systemRandom };
  const client = await AdnlClient.open({ host: "127.0.0.1", port: server.port, publicKey: key }, modules);
  toClose.push(() => client.destroy(over));
  return client;
}

async function openRaw(server: AdnlServer): Promise<RawAdnlClient> {
  const raw = await RawAdnlClient.connect(server.port, publicKey);
  toClose.push(() => raw.socket.destroy());
  return raw;
}

/** A raw client after its handshake. */
async function openGreeted(server: AdnlServer): Promise<RawAdnlClient> {
  const raw = await openRaw(server);
  raw.socket.write(raw.handshake);
  expect(await raw.next()).toEqual(new Uint8Array(0));
  return raw;
}

function query(id: number, bytes: Uint8Array): Uint8Array {
  return encode(messageQuery.boxed, { queryId: new Uint8Array(32).fill(id), query: bytes });
}

async function nextContent(raw: RawAdnlClient) {
  const payload = await raw.next();
  return payload === undefined ? undefined : decode(frameContent, payload);
}

describe("the server's handshake", () => {
  it("is found by any of its keys", async () => {
    const { server } = await openServer(echo, { seeds: [new Uint8Array(32), seed] });
    for (const key of server.publicKeys) {
      const client = await openClient(server, key);
      expect(await client.query(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    }
  });

  it("may arrive in any chunks, together with following data", async () => {
    const { server } = await openServer(echo);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(500), { maxLength: 6 }), async (cuts) => {
        const raw = await openRaw(server);
        const stream = concatBytes([
          raw.handshake,
          raw.frame(query(1, Uint8Array.of(5))),
          raw.frame(query(2, Uint8Array.of(6))),
        ]);
        const places = [0, ...cuts.map((cut) => cut % stream.length), stream.length].sort((a, b) => a - b);
        for (const [index, end] of places.slice(1).entries())
          await new Promise((resolve) => raw.socket.write(stream.subarray(places[index], end), resolve));
        expect(await raw.next()).toEqual(new Uint8Array(0));
        expect(await nextContent(raw)).toMatchObject({ kind: "answer", answer: Uint8Array.of(5) });
        expect(await nextContent(raw)).toMatchObject({ kind: "answer", answer: Uint8Array.of(6) });
        raw.socket.destroy();
      }),
      { numRuns: 15 },
    );
  });

  it("of invalid bytes ends the connection", async () => {
    const { server, nextProblem } = await openServer(echo);
    const problem = nextProblem();
    const raw = await openRaw(server);
    raw.socket.write(new Uint8Array(256));
    expect(await problem).toMatchObject({ code: "lite/handshake" });
    expect(await raw.next()).toBeUndefined();
  });

  it("that is late ends the connection", async () => {
    const { server, clock, nextProblem } = await openServer(echo, { handshakeTimeoutMs: 2_000 });
    const problem = nextProblem();
    await openRaw(server);
    await untilConnected(server, 1);
    await clock.advance(2_000);
    expect(await problem).toMatchObject({ code: "lite/timeout" });
    expect(server.connections).toBe(0);
    expect(clock.waiting).toBe(0);
  });
});

/** Connections are accepted in order: when a later one is served, this many are known. */
async function untilConnected(server: AdnlServer, count: number): Promise<void> {
  const probe = await openClient(server);
  expect(server.connections).toBe(count + 1);
  await probe.close();
}

describe("AdnlServer", () => {
  it("passes the client and its proved key to the handler", async () => {
    const peers: AdnlPeer[] = [];
    const { server } = await openServer(async (bytes, peer) => {
      peers.push(peer);
      return bytes;
    });
    const raw = await openGreeted(server);
    raw.send(query(1, Uint8Array.of(1)));
    await raw.next();
    const shown = await showKey(raw);
    raw.send(query(2, Uint8Array.of(2)));
    await raw.next();
    const { localAddress: host, localPort: port } = raw.socket;
    const sessionKey = raw.handshake.slice(32, 64);
    expect(peers).toEqual([
      { host, port, sessionKey, shownKey: undefined },
      { host, port, sessionKey, shownKey: shown },
    ]);
  });

  it("ends a connection that shows a key without proof", async () => {
    const { server, nextProblem } = await openServer(echo);
    const problem = nextProblem();
    const raw = await openGreeted(server);
    raw.send(encode(tcpAuthentificate.boxed, { nonce: new Uint8Array(32) }));
    await raw.next();
    const key = { kind: "ed25519", key: publicKey } as const;
    raw.send(encode(tcpAuthentificationComplete.boxed, { key, signature: new Uint8Array(64) }));
    expect(await problem).toMatchObject({ code: "lite/handshake" });
    expect(await raw.next()).toBeUndefined();
  });

  it("ends a connection that starts authentication twice", async () => {
    const { server, nextProblem } = await openServer(echo);
    const problem = nextProblem();
    const raw = await openGreeted(server);
    await showKey(raw);
    raw.send(encode(tcpAuthentificate.boxed, { nonce: new Uint8Array(32) }));
    expect(await problem).toMatchObject({ code: "lite/handshake" });
    expect(await raw.next()).toBeUndefined();
  });

  it.each([
    ["an answer", encode(messageAnswer.boxed, { queryId: new Uint8Array(32), answer: new Uint8Array(0) }), "lite/tl"],
    ["an unknown message", new Uint8Array(8), "lite/tl"],
    ["a cut message", query(1, new Uint8Array(8)).subarray(0, 36), "lite/tl"],
    ["a frame too long", query(1, new Uint8Array(2_000)), "lite/frame"],
  ])("ends a connection that sends %s", async (_, payload, code) => {
    const { server, nextProblem } = await openServer(echo, { maxPayload: 1_000 });
    const problem = nextProblem();
    const raw = await openGreeted(server);
    raw.send(payload);
    expect(await problem).toMatchObject({ code });
    expect(await raw.next()).toBeUndefined();
  });

  it("survives noise instead of frames", async () => {
    const { server } = await openServer(echo);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 4, maxLength: 500 }), async (noise) => {
        const raw = await openGreeted(server);
        raw.socket.end(noise);
        expect(await raw.next()).toBeUndefined();
      }),
      { numRuns: 30 },
    );
    const client = await openClient(server);
    expect(await client.query(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
  });

  it("answers pings and ignores empty frames", async () => {
    const { server } = await openServer(echo);
    const raw = await openGreeted(server);
    raw.send(new Uint8Array(0));
    raw.send(encode(tcpPing.boxed, { randomId: -5n }));
    expect(await nextContent(raw)).toEqual({ kind: "pong", randomId: -5n });
  });

  it("stays silent if the handler does, and reports errors of a handler", async () => {
    const { server, nextProblem } = await openServer(async (bytes) => {
      if (bytes[0] === 1) throw new Error("broken");
      return bytes[0] === 2 ? undefined : bytes;
    });
    const problem = nextProblem();
    const raw = await openGreeted(server);
    raw.send(query(1, Uint8Array.of(1)));
    raw.send(query(2, Uint8Array.of(2)));
    raw.send(query(3, Uint8Array.of(3)));
    expect(await nextContent(raw)).toMatchObject({ kind: "answer", answer: Uint8Array.of(3) });
    expect(await problem).toMatchObject({ message: "broken" });
  });

  it("limits the running queries of one client", async () => {
    const release = deferred();
    const full = deferred();
    let running = 0;
    let max = 0;
    const { server } = await openServer(
      async (bytes) => {
        running += 1;
        max = Math.max(max, running);
        if (running === 4) full.resolve();
        await release.promise;
        running -= 1;
        return bytes;
      },
      { maxInFlight: 4 },
    );
    const raw = await openGreeted(server);
    raw.socket.write(concatBytes(Array.from({ length: 50 }, (_, id) => raw.frame(query(id, Uint8Array.of(id))))));
    await full.promise;
    release.resolve();
    for (let id = 0; id < 50; id++)
      expect(await nextContent(raw)).toMatchObject({ kind: "answer", answer: Uint8Array.of(id) });
    expect(max).toBe(4);
  });

  it("drops a client above its limit of connections", async () => {
    const { server, nextProblem } = await openServer(echo, { maxConnections: 1 });
    const first = await openClient(server);
    const problem = nextProblem();
    await expect(openClient(server)).rejects.toMatchObject({ kind: "remote" });
    expect(await problem).toMatchObject({ code: "lite/busy" });
    expect(await first.query(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
  });

  it("gives the place of a connection without a handshake, or of a silent one, to a new client", async () => {
    const { server, clock } = await openServer(echo, { maxConnections: 3 });
    const first = await openClient(server);
    const halfOpen = [await openRaw(server), await openRaw(server)];
    await expect.poll(() => server.connections).toBe(3);
    const clients = [await openClient(server), await openClient(server)];
    await expect.poll(() => halfOpen.every(({ socket }) => socket.destroyed)).toBe(true);
    await clock.advance(20_000);
    for (const client of clients) await client.ping();
    await clock.advance(20_000);
    const last = await openClient(server);
    for (const client of [...clients, last]) expect(await client.query(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    await expect(first.query(Uint8Array.of(1))).rejects.toMatchObject({ kind: "remote" });
  });

  it("drops a client that was silent too long, not one that pinged", async () => {
    const { server, clock, nextProblem } = await openServer(echo, { idleTimeoutMs: 10_000 });
    const client = await openClient(server);
    await clock.advance(9_000);
    await client.ping();
    await clock.advance(9_000);
    await client.ping();
    const problem = nextProblem();
    await clock.advance(10_000);
    expect(await problem).toMatchObject({ code: "lite/timeout" });
    expect(await client.ended).toMatchObject({ code: "lite/lost" });
  });

  it("finishes running queries when closed, and accepts no more", async () => {
    const asked = deferred();
    const release = deferred();
    const { server, clock } = await openServer(async (bytes) => {
      asked.resolve();
      await release.promise;
      return bytes;
    });
    const busy = await openClient(server);
    const idle = await openClient(server);
    const shaking = await openRaw(server);
    const answer = busy.query(Uint8Array.of(1));
    await asked.promise;
    const closing = server.close();
    expect(await idle.ended).toMatchObject({ code: "lite/lost" });
    expect(await shaking.next()).toBeUndefined();
    await expect(openClient(server)).rejects.toMatchObject({ kind: "remote" });
    release.resolve();
    expect(await answer).toEqual(Uint8Array.of(1));
    await closing;
    await server.close();
    expect(server.connections).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it("drops all clients when destroyed, and tells handlers the reason", async () => {
    const asked = deferred();
    const reasons: unknown[] = [];
    const { server, clock } = await openServer((_bytes, _peer, signal) => {
      asked.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    });
    const client = await openClient(server);
    const failure = expect(client.query(Uint8Array.of(1))).rejects.toMatchObject({ code: "lite/lost" });
    await asked.promise;
    server.destroy(over);
    await failure;
    expect(reasons).toEqual([over]);
    expect(clock.waiting).toBe(0);
  });

  it("reports if it cannot listen", async () => {
    const { server } = await openServer(echo);
    const again = openServer(echo, { port: server.port });
    await expect(again).rejects.toMatchObject({ code: "lite/refused" });
  });

  it("handles a connection reset at any time", async () => {
    const { server } = await openServer(echo);
    for (const before of [0, 100, 256, 300]) {
      const socket = connect(server.port, "127.0.0.1");
      await once(socket, "connect");
      await new Promise((resolve) => socket.write(new Uint8Array(before), resolve));
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    const client = await openClient(server);
    expect(await client.query(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
  });
});

/** Performs the three steps of client authentication; returns the key. */
async function showKey(raw: RawAdnlClient): Promise<Uint8Array> {
  const own = new Uint8Array(32).fill(9);
  const clientNonce = Uint8Array.of(1, 2, 3);
  raw.send(encode(tcpAuthentificate.boxed, { nonce: clientNonce }));
  const content = await nextContent(raw);
  if (content?.kind !== "authentificationNonce") throw new Error(`not a nonce: ${content?.kind}`);
  expect(content.nonce.length).toBe(256);
  const der = Buffer.from(concatBytes([fromHex("302e020100300506032b657004220420"), own]));
  const signature = sign(
    null,
    concatBytes([clientNonce, content.nonce]),
    createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
  );
  const shown = makeAdnlKey(own).publicKey;
  raw.send(encode(tcpAuthentificationComplete.boxed, { key: { kind: "ed25519", key: shown }, signature }));
  return shown;
}
