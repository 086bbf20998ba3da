import { connect } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom, systemRandom } from "../../../src/lib/random.ts";
import { AdnlChannel } from "../../../src/lite/adnl/AdnlChannel.ts";
import { AdnlClient, type AdnlClientOptions } from "../../../src/lite/adnl/AdnlClient.ts";
import type { AdnlHandler } from "../../../src/lite/adnl/AdnlInbound.ts";
import { AdnlServer, type AdnlServerOptions } from "../../../src/lite/adnl/AdnlServer.ts";
import { serverSession } from "../../../src/lite/adnl/cipher.ts";
import { acceptHandshake } from "../../../src/lite/adnl/handshake.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { messageAnswer } from "../../../src/lite/tl/adnlRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { findClosedPort, openRawServer } from "../../kit/api/rawServer.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const seed = new Uint8Array(32).fill(7);
const { publicKey } = makeAdnlKey(seed);
const over = new LiteError("lite/closed", "the test is over");
const toClose: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function openServer(handler: AdnlHandler, options: Partial<AdnlServerOptions> = {}): Promise<AdnlServer> {
  const modules = { clock: new ManualClock(), random: systemRandom, handler };
  const server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [seed], ...options }, modules);
  toClose.push(() => server.destroy(over));
  return server;
}

async function openClient(port: number, options: AdnlClientOptions = {}): Promise<AdnlClient> {
  const modules = { clock: new ManualClock(), random: systemRandom };
  const client = await AdnlClient.open({ host: "127.0.0.1", port, publicKey }, modules, options);
  toClose.push(() => client.destroy(over));
  return client;
}

async function openPlayed(play: Parameters<typeof openRawServer>[0]): Promise<number> {
  const server = await openRawServer(play);
  toClose.push(() => server.close());
  return server.port;
}

const echo: AdnlHandler = async (query) => query;

describe("opening an AdnlClient", () => {
  it("fails with lite/refused where no server listens", async () => {
    await expect(openClient(await findClosedPort())).rejects.toMatchObject({ code: "lite/refused" });
  });

  it("fails with lite/handshake at a server with another key", async () => {
    const server = await openServer(echo, { seeds: [new Uint8Array(32)] });
    await expect(openClient(server.port)).rejects.toMatchObject({ code: "lite/handshake" });
  });

  it.each([
    ["hangs up", (socket: { end(): void }) => socket.end()],
    ["resets the connection", (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
    [
      "answers with garbage",
      (socket: { write(bytes: Uint8Array): void }) => socket.write(new Uint8Array(500).fill(170)),
    ],
  ])("fails with lite/handshake at a server that %s", async (_, play) => {
    const port = await openPlayed((socket) => socket.once("data", () => play(socket)));
    await expect(openClient(port)).rejects.toMatchObject({ code: "lite/handshake" });
  });

  it("fails with lite/timeout at a server that stays silent", async () => {
    const clock = new ManualClock();
    const received = deferred();
    const port = await openPlayed((socket) => socket.once("data", received.resolve));
    const options = { connectTimeoutMs: 3_000 };
    const opening = AdnlClient.open({ host: "127.0.0.1", port, publicKey }, { clock, random: systemRandom }, options);
    const failure = expect(opening).rejects.toMatchObject({ code: "lite/timeout" });
    await received.promise;
    await clock.advance(3_000);
    await failure;
    expect(clock.waiting).toBe(0);
  });

  it("is cancelled by its signal, before and after the connection is made", async () => {
    const controller = new AbortController();
    const received = deferred();
    const port = await openPlayed((socket) => socket.once("data", received.resolve));
    const modules = { clock: new ManualClock(), random: systemRandom };
    const address = { host: "127.0.0.1", port, publicKey };
    const failure = expect(AdnlClient.open(address, modules, {}, controller.signal)).rejects.toBe(over);
    await received.promise;
    controller.abort(over);
    await failure;
    await expect(AdnlClient.open(address, modules, {}, controller.signal)).rejects.toBe(over);
    expect(modules.clock.waiting).toBe(0);
  });
});

describe("AdnlClient", () => {
  it("matches answers with queries, in any order", async () => {
    const waiting: (() => void)[] = [];
    const all = deferred();
    const server = await openServer(async (query) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 20) all.resolve();
      });
      return query;
    });
    const client = await openClient(server.port);
    const queries = Array.from({ length: 20 }, (_, index) => new Uint8Array(index * 37).fill(index));
    const answers = Promise.all(queries.map((query) => client.query(query)));
    await all.promise;
    for (const release of waiting.reverse()) release();
    expect(await answers).toEqual(queries);
  });

  it("carries queries and answers of all sizes up to the limit", async () => {
    const server = await openServer(echo);
    const client = await openClient(server.port);
    const random = seededRandom("sizes");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100_000), { maxLength: 6 }), async (sizes) => {
        const queries = sizes.map((size) => random.bytes(size));
        const answers = await Promise.all(queries.map((query) => client.query(query)));
        answers.forEach((answer, index) => {
          expect(Buffer.compare(answer, queries[index] ?? new Uint8Array(1))).toBe(0);
        });
      }),
      { numRuns: 20 },
    );
  });

  it("rejects a too long query and stays open", async () => {
    const server = await openServer(echo);
    const client = await openClient(server.port, { maxPayload: 1_000 });
    await expect(client.query(new Uint8Array(1_000))).rejects.toMatchObject({ code: "lite/frame" });
    expect(await client.query(new Uint8Array(900))).toHaveLength(900);
  });

  it("ends with lite/frame when the server sends a too long frame", async () => {
    const server = await openServer(async () => new Uint8Array(5_000));
    const client = await openClient(server.port, { maxPayload: 1_000 });
    await expect(client.query(new Uint8Array(1))).rejects.toMatchObject({ code: "lite/frame" });
    expect(await client.ended).toMatchObject({ code: "lite/frame" });
  });

  it("rejects queries in flight with lite/lost when the server disconnects", async () => {
    const asked = deferred();
    const server = await openServer(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const client = await openClient(server.port);
    const failures = [client.query(new Uint8Array(1)), client.query(new Uint8Array(2))].map((answer) =>
      expect(answer).rejects.toMatchObject({ code: "lite/lost" }),
    );
    await asked.promise;
    server.destroy(over);
    await Promise.all(failures);
    await expect(client.query(new Uint8Array(1))).rejects.toMatchObject({ code: "lite/lost" });
    await expect(client.ping()).rejects.toMatchObject({ code: "lite/lost" });
  });

  it("drops the answer to a cancelled query, and stays open", async () => {
    const asked = deferred();
    const release = deferred();
    const server = await openServer(async (query) => {
      asked.resolve();
      await (query[0] === 1 ? release.promise : undefined);
      return query;
    });
    const client = await openClient(server.port);
    const controller = new AbortController();
    const failure = expect(client.query(Uint8Array.of(1), controller.signal)).rejects.toBe(over);
    await asked.promise;
    controller.abort(over);
    await failure;
    release.resolve();
    expect(await client.query(Uint8Array.of(2), controller.signal).catch((error) => error)).toBe(over);
    expect(await client.query(Uint8Array.of(3))).toEqual(Uint8Array.of(3));
  });

  it("disconnects a server that keeps sending unrequested frames", async () => {
    const modules = { clock: new ManualClock(), random: systemRandom };
    const port = await openPlayed((socket) =>
      socket.once("data", (packet) => {
        const { parameters } = acceptHandshake(packet, [makeAdnlKey(seed)]);
        const handlers = { onPayload: () => {}, onEnd: () => {} };
        const session = serverSession(parameters);
        const channel = new AdnlChannel({ socket, session, maxPayload: 1000, lingerMs: 1000, ...handlers }, modules);
        const nothing = { queryId: new Uint8Array(32), answer: new Uint8Array(100) };
        for (let count = 0; count < 5000; count++) channel.send(encode(messageAnswer.boxed, nothing));
      }),
    );
    const client = await openClient(port);
    expect(await client.ended).toMatchObject({ code: "lite/frame" });
  });

  it("accepts late answers to all cancelled queries", async () => {
    const release = deferred();
    const server = await openServer(
      async (query) => {
        await (query[0] === 1 ? release.promise : undefined);
        return query;
      },
      { maxInFlight: 5000 },
    );
    const client = await openClient(server.port);
    const controller = new AbortController();
    const givenUp = Array.from({ length: 3000 }, () => client.query(Uint8Array.of(1), controller.signal));
    const all = Promise.allSettled(givenUp);
    await client.query(Uint8Array.of(2));
    controller.abort(over);
    await all;
    release.resolve();
    expect(await client.query(Uint8Array.of(3))).toEqual(Uint8Array.of(3));
  });

  it("answers pings with pongs", async () => {
    const server = await openServer(echo);
    const client = await openClient(server.port);
    await Promise.all([client.ping(), client.ping()]);
  });

  it("sends no faster than the server reads", async () => {
    const release = deferred();
    let running = 0;
    let max = 0;
    const server = await openServer(
      async (query) => {
        running += 1;
        max = Math.max(max, running);
        await release.promise;
        running -= 1;
        return query.subarray(0, 4);
      },
      { maxInFlight: 3 },
    );
    const client = await openClient(server.port);
    const queries = Array.from({ length: 60 }, (_, index) => new Uint8Array(200_000).fill(index));
    const answers = Promise.all(queries.map((query) => client.query(query)));
    const closing = client.close();
    release.resolve();
    expect(await answers).toEqual(queries.map((query) => query.subarray(0, 4)));
    await closing;
    expect(max).toBeLessThanOrEqual(3);
  });

  it("finishes queries in flight when closed, and accepts no more", async () => {
    const asked = deferred();
    const release = deferred();
    const server = await openServer(async (query) => {
      asked.resolve();
      await release.promise;
      return query;
    });
    const client = await openClient(server.port);
    const answer = client.query(Uint8Array.of(1));
    await asked.promise;
    const closing = client.close();
    await expect(client.query(Uint8Array.of(2))).rejects.toMatchObject({ code: "lite/closed" });
    release.resolve();
    expect(await answer).toEqual(Uint8Array.of(1));
    await closing;
    expect(await client.ended).toMatchObject({ code: "lite/closed" });
  });

  it("ends queries in flight with the reason when destroyed", async () => {
    const asked = deferred();
    const server = await openServer(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const client = await openClient(server.port);
    const failure = expect(client.query(Uint8Array.of(1))).rejects.toBe(over);
    await asked.promise;
    client.destroy(over);
    await failure;
    expect(await client.ended).toBe(over);
    await client.close();
  });

  it("disconnects finally if the server does not, after a timeout", async () => {
    const clock = new ManualClock();
    const server = await openServer(echo);
    // A server that stops reading does not notice that the client disconnects.
    const port = await openPlayed((socket) => {
      const through = connect(server.port, "127.0.0.1");
      socket.pipe(through, { end: false });
      through.pipe(socket, { end: false });
      socket.allowHalfOpen = true;
      toClose.push(() => void through.destroy());
    });
    const client = await AdnlClient.open({ host: "127.0.0.1", port, publicKey }, { clock, random: systemRandom });
    const closing = client.close();
    await clock.advance(1_000);
    await closing;
    expect(clock.waiting).toBe(0);
  });
});
