import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Random, systemRandom } from "../../../src/lib/random.ts";
import type { AdnlHandler } from "../../../src/lite/adnl/AdnlInbound.ts";
import { AdnlServer, type AdnlServerOptions } from "../../../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { LiteConnection, type LiteConnectionOptions } from "../../../src/lite/server/LiteConnection.ts";
import { ask } from "../../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import { getTime } from "../../../src/lite/tl/liteQueries.ts";
import { currentTime } from "../../../src/lite/tl/liteRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { findClosedPort, openRawServer, type RawServer } from "../../kit/api/rawServer.ts";
import { type Deferred, deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const seed = new Uint8Array(32).fill(7);
const { publicKey } = makeAdnlKey(seed);
const over = new LiteError("lite/closed", "the test is over");
const { signal } = new AbortController();
const toClose: (() => void | Promise<void>)[] = [];
const time = encode(currentTime.boxed, { now: 5 });

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** A random without jitter: always the full wait. */
const steady: Random = { ...systemRandom, next: () => 1 };

function makeConnection(port: number, clock: ManualClock, options: LiteConnectionOptions = {}): LiteConnection {
  const connection = new LiteConnection({ host: "127.0.0.1", port, publicKey }, { clock, random: steady }, options);
  toClose.push(() => connection.destroy(over));
  return connection;
}

const reporting: AdnlHandler = serveLite(
  { ask: async () => time, close: async () => {}, destroy: () => {} },
  new ManualClock(),
);

async function openServer(handler = reporting, options: Partial<AdnlServerOptions> = {}): Promise<AdnlServer> {
  const modules = { clock: new ManualClock(), random: systemRandom, handler };
  const server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [seed], ...options }, modules);
  toClose.push(() => server.destroy(over));
  return server;
}

/** A handler that holds its answers back and signals when it was called. */
function holding(): { readonly handler: AdnlHandler; readonly asked: Deferred; readonly release: Deferred } {
  const [asked, release] = [deferred(), deferred()];
  const handler: AdnlHandler = async () => {
    asked.resolve();
    await release.promise;
    return time;
  };
  return { handler, asked, release };
}

/** A proxy that can stop forwarding, which makes a connection half-open. */
async function openWire(port: number): Promise<RawServer & { cut(): void }> {
  const wires: Socket[] = [];
  const raw = await openRawServer((socket) => {
    const through = connect(port, "127.0.0.1");
    through.on("error", () => {});
    socket.pipe(through).pipe(socket);
    wires.push(through);
  });
  const cut = () => {
    for (const [index, socket] of raw.sockets.entries()) {
      socket.unpipe();
      wires[index]?.unpipe();
    }
  };
  const close = async () => {
    for (const wire of wires) wire.destroy();
    await raw.close();
  };
  toClose.push(close);
  return { port: raw.port, sockets: raw.sockets, close, cut };
}

describe("LiteConnection", () => {
  it("connects at the first query, and stays connected", async () => {
    const server = await openServer();
    const connection = makeConnection(server.port, new ManualClock());
    expect(connection.state).toEqual({ kind: "idle" });
    expect(server.connections).toBe(0);
    await Promise.all([1, 2, 3].map(() => ask(connection, getTime, {}, { signal })));
    expect(await ask(connection, getTime, {}, { signal })).toEqual({ now: 5 });
    expect(connection.state.kind).toBe("open");
    expect(server.connections).toBe(1);
  });

  it("fails at once during its growing delay after a failure, and retries afterwards", async () => {
    const clock = new ManualClock();
    const connection = makeConnection(await findClosedPort(), clock, { backoffMs: 100, maxBackoffMs: 350 });
    for (const waitMs of [100, 200, 350, 350]) {
      const refused = { code: "lite/refused", data: {} };
      await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject(refused);
      await clock.advance(waitMs - 1);
      const waiting = { code: "lite/refused", data: { retryInMs: 1 } };
      await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject(waiting);
      await clock.advance(1);
    }
  });

  it("recovers with the server", async () => {
    const clock = new ManualClock();
    const first = await openServer();
    const connection = makeConnection(first.port, clock);
    await ask(connection, getTime, {}, { signal });
    const lost = connection.state.kind === "open" ? connection.state.client.ended : undefined;
    await first.close();
    await lost;
    await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/refused" });
    await openServer(reporting, { port: first.port });
    await clock.advance(1_500);
    expect(await ask(connection, getTime, {}, { signal })).toEqual({ now: 5 });
  });

  it("reconnects without a delay when a working connection is lost", async () => {
    const server = await openServer();
    const wire = await openWire(server.port);
    const connection = makeConnection(wire.port, new ManualClock());
    await ask(connection, getTime, {}, { signal });
    const lost = connection.state.kind === "open" ? connection.state.client.ended : undefined;
    wire.sockets[0]?.resetAndDestroy();
    await lost;
    expect(await ask(connection, getTime, {}, { signal })).toEqual({ now: 5 });
    expect(wire.sockets).toHaveLength(2);
  });

  it("waits between connections that are lost before their first answer", async () => {
    const clock = new ManualClock();
    const server = await openServer((_query, _peer, gone) => {
      reset();
      return new Promise((_resolve, reject) => gone.addEventListener("abort", () => reject(gone.reason)));
    });
    const wire = await openWire(server.port);
    const reset = () => wire.sockets.at(-1)?.resetAndDestroy();
    const connection = makeConnection(wire.port, clock);
    await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/lost" });
    await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/lost" });
    await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ data: { retryInMs: 200 } });
    expect(wire.sockets).toHaveLength(2);
  });

  it("drops a half-open connection when its ping is not answered", async () => {
    const clock = new ManualClock();
    const { handler, asked } = holding();
    const server = await openServer(handler);
    const wire = await openWire(server.port);
    const connection = makeConnection(wire.port, clock, { pingEveryMs: 5_000, pingTimeoutMs: 3_000 });
    const failure = expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/lost" });
    await asked.promise;
    wire.cut();
    await clock.advance(7_999);
    expect(connection.state.kind).toBe("open");
    await clock.advance(1);
    await failure;
    expect(connection.state).toMatchObject({ kind: "down", reason: { code: "lite/lost" } });
  });

  it("keeps a silent connection that answers its pings", async () => {
    const clock = new ManualClock();
    const server = await openServer();
    const connection = makeConnection(server.port, clock, { pingEveryMs: 5_000, pingTimeoutMs: 3_000 });
    await ask(connection, getTime, {}, { signal });
    const client = connection.state.kind === "open" ? connection.state.client : undefined;
    for (let round = 0; round < 5; round++) {
      const before = client?.lastHeardMs;
      await clock.advance(5_000);
      await client?.ping();
      expect(client?.lastHeardMs).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
    }
    expect(await ask(connection, getTime, {}, { signal })).toEqual({ now: 5 });
    expect(server.connections).toBe(1);
  });

  it("does not limit queries in flight: its caller does", async () => {
    const { handler, asked, release } = holding();
    const server = await openServer(handler, { maxInFlight: 100 });
    const connection = makeConnection(server.port, new ManualClock());
    const answers = Array.from({ length: 40 }, () => ask(connection, getTime, {}, { signal }));
    await asked.promise;
    release.resolve();
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ now: 5 })));
  });

  it("rejects with the signal's reason, while connecting and querying", async () => {
    const { handler, asked } = holding();
    const server = await openServer(handler);
    const connection = makeConnection(server.port, new ManualClock());
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const failures = controllers.map((controller) =>
      expect(ask(connection, getTime, {}, { signal: controller.signal })).rejects.toBe(over),
    );
    controllers[0]?.abort(over);
    await failures[0];
    await asked.promise;
    controllers[2]?.abort(over);
    await failures[2];
    controllers[1]?.abort(over);
    await failures[1];
  });

  it("finishes running queries when closed, and accepts no more", async () => {
    const clock = new ManualClock();
    const { handler, asked, release } = holding();
    const server = await openServer(handler);
    const connection = makeConnection(server.port, clock);
    const answers = [1, 2].map(() => ask(connection, getTime, {}, { signal }));
    await asked.promise;
    const closing = connection.close();
    await expect(ask(connection, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/closed" });
    release.resolve();
    expect(await Promise.all(answers)).toEqual([{ now: 5 }, { now: 5 }]);
    await closing;
    await connection.close();
    expect(connection.state.kind).toBe("closed");
    expect(clock.waiting).toBe(0);
  });

  it("ends running queries with the reason when destroyed, connected or connecting", async () => {
    const { handler, asked } = holding();
    const server = await openServer(handler);
    const clock = new ManualClock();
    const reason = new LiteError("lite/closed", "no more");
    const connected = makeConnection(server.port, clock);
    const connecting = makeConnection(server.port, clock);
    const first = [1, 2].map(() => expect(ask(connected, getTime, {}, { signal })).rejects.toBe(reason));
    await asked.promise;
    const second = expect(ask(connecting, getTime, {}, { signal })).rejects.toBe(reason);
    connected.destroy(reason);
    connecting.destroy(reason);
    await Promise.all([...first, second]);
    await expect(ask(connected, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/closed" });
    await connecting.close();
    expect(clock.waiting).toBe(0);
  });
});
