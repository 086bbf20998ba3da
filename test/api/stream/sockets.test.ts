import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeIndex } from "../../kit/api/stream/fakeIndex.ts";
import { SseClient, WsClient } from "../../kit/api/stream/streamClients.ts";
import { type StreamServer, serveStreams } from "../../kit/api/stream/streamServer.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const patience = { timeout: 300_000, interval: 5 };
const opened: { kill(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.kill())));

async function serve(clock: ManualClock): Promise<StreamServer> {
  const server = await serveStreams(new FakeIndex(), { clock });
  opened.push(server);
  return server;
}

async function openSocket({ origin }: StreamServer): Promise<WsClient> {
  const socket = new WsClient(`${origin}/api/streaming/v2/ws`);
  expect(await socket.opened).toBe(101);
  return socket;
}

/** Lets seconds pass, each with a moment for the sockets. */
async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a WebSocket of a stream", () => {
  it("is pinged every 20 seconds, and closed after a minute in which nothing came", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const [silent, speaking] = [await openSocket(server), await openSocket(server)];
    await vi.waitFor(() => expect(server.hub.counters().connections).toBe(2), patience);
    for (let round = 0; round < 3; round++) {
      await pass(clock, 20);
      await vi.waitFor(() => expect(silent.pings).toBe(round + 1), patience);
      // A pong is enough to live.
      speaking.sendFrame(10, Buffer.alloc(0));
      speaking.send({ operation: "ping", id: round });
      await vi.waitFor(() => expect(speaking.received).toHaveLength(round + 1), patience);
    }
    await pass(clock, 2);
    await silent.closed;
    expect(silent.closedWith).toEqual({ code: 1001, reason: "no data was received for a minute" });
    expect(speaking.closedWith).toBeUndefined();
    speaking.close();
  });

  it("takes binary frames for text, and answers ids as they came", async () => {
    const server = await serve(new ManualClock());
    const socket = await openSocket(server);
    socket.sendFrame(2, Buffer.from('{"operation":"ping","id":"ü"}'));
    socket.send({ operation: "ping", id: 5 });
    socket.send({ operation: "ping", id: null });
    await vi.waitFor(
      () =>
        expect(socket.received).toEqual([{ id: "ü", status: "pong" }, { id: 5, status: "pong" }, { status: "pong" }]),
      patience,
    );
    socket.close();
  });

  it("answers what it cannot read with the texts of the contract, and stays open", async () => {
    const server = await serve(new ManualClock());
    const socket = await openSocket(server);
    const requests: readonly (readonly [unknown, object])[] = [
      ["{", { error: "invalid request envelope: it must be a JSON object" }],
      [
        { operation: "subscribe", id: "1", types: "actions" },
        { id: "1", error: "invalid subscribe request: types must be a list of strings" },
      ],
      [
        { operation: "unsubscribe", id: "2", addresses: "all" },
        { id: "2", error: "invalid unsubscribe request: it must have lists of strings" },
      ],
      [{ operation: "unsubscribe", addresses: ["?"] }, { error: "invalid address: ?" }],
      [
        { operation: "unsubscribe", trace_external_hash_norms: [""] },
        { error: "trace_external_hash_norms contains empty value" },
      ],
      [{}, { error: "unknown operation: " }],
      [
        { operation: "subscribe", types: ["actions"], addresses: [`0:${"1".repeat(64)}`], min_finality: "soon" },
        { error: "invalid subscribe request: unknown finality state: soon" },
      ],
      [{ operation: "subscribe", types: ["blocks"], after: "c1.x" }, { error: "invalid cursor" }],
    ];
    for (const [request] of requests) socket.send(request);
    await vi.waitFor(() => expect(socket.received).toEqual(requests.map(([, answer]) => answer)), patience);
    socket.send({ operation: "unsubscribe", id: "3", addresses: [`0:${"1".repeat(64)}`] });
    await vi.waitFor(() => expect(socket.received.at(-1)).toEqual({ id: "3", status: "unsubscribed" }), patience);
    socket.close();
  });
});

describe("a stream that is asked for proofs", () => {
  const text = "events have no proof: ask v3 for the transactions, traces or blocks that they name, with proof=1";
  const wanted = { types: ["blocks"] };

  it("refuses them over SSE, whether a query, a body or the header asks", async () => {
    const { origin } = await serve(new ManualClock());
    const post = (body: object, headers = {}) => ({ method: "POST", body: JSON.stringify(body), headers });
    const header = { "X-Proof": "1" };
    const asks: readonly (readonly [query: string, init: RequestInit])[] = [
      ["?types=blocks&proof=1", {}],
      ["?types=blocks", { headers: header }],
      ["", post({ ...wanted, proof: 1 })],
      ["", post(wanted, header)],
    ];
    const refusals = await Promise.all(
      asks.map(async ([query, init]) => {
        const response = await fetch(`${origin}/api/streaming/v2/sse${query}`, init);
        return [response.status, await response.json()];
      }),
    );
    expect(refusals).toEqual(asks.map(() => [422, { error: text }]));
    const unread = await fetch(`${origin}/api/streaming/v2/sse`, post(wanted, { "X-Proof": "maybe" }));
    expect([unread.status, await unread.json()]).toEqual([422, { error: "failed to parse proof; give 1" }]);
    // The parameter counts where both say something, as for operations.
    const declined = new SseClient(`${origin}/api/streaming/v2/sse`, { ...wanted, proof: 0 }, header);
    expect(await declined.opened).toBe(200);
    declined.close();
  });

  it("refuses them over WebSockets, whether a request or the header of the connection asks", async () => {
    const server = await serve(new ManualClock());
    const url = `${server.origin}/api/streaming/v2/ws`;
    const [plain, asking] = [new WsClient(url), new WsClient(url, { "X-Proof": "1" })];
    for (const socket of [plain, asking]) expect(await socket.opened).toBe(101);
    plain.send({ operation: "subscribe", id: 1, ...wanted, proof: 1 });
    asking.send({ operation: "subscribe", id: 1, ...wanted });
    for (const { received } of [plain, asking])
      await vi.waitFor(() => expect(received).toEqual([{ id: 1, error: text }]), patience);
    for (const socket of [plain, asking]) socket.close();
  });
});

describe("what waits for a WebSocket", () => {
  const waiting = { operation: "subscribe", types: ["blocks"], from_mc_seqno: 1_000_000 };

  it("is at most 256 requests behind one that is being answered", async () => {
    const server = await serve(new ManualClock());
    const socket = await openSocket(server);
    socket.send(waiting);
    for (let count = 0; count < 256; count++) socket.send({ operation: "ping", id: count });
    socket.send({ operation: "ping" });
    await socket.closed;
    expect(socket.closedWith).toEqual({
      code: 1008,
      reason: "too many waiting requests (limit 256 requests, 2097152 bytes)",
    });
    expect(socket.received).toEqual([]);
  });

  it("is at most 2 MiB of requests", async () => {
    const server = await serve(new ManualClock());
    const socket = await openSocket(server);
    socket.send(waiting);
    for (let count = 0; count < 3; count++) socket.send({ operation: "ping", id: "x".repeat(1_000_000) });
    await socket.closed;
    expect(socket.closedWith).toEqual({
      code: 1008,
      reason: "too many waiting requests (limit 256 requests, 2097152 bytes)",
    });
  });

  it("ends with the connection", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const idle = clock.waiting;
    const socket = await openSocket(server);
    socket.send(waiting);
    socket.send({ operation: "ping" });
    await vi.waitFor(() => expect(clock.waiting).toBe(idle + 1), patience);
    socket.close();
    await vi.waitFor(() => expect(server.hub.counters().connections).toBe(0), patience);
    await vi.waitFor(() => expect(clock.waiting).toBe(idle), patience);
  });

  it("has at most 256 bytes of an id, in whole characters", async () => {
    const server = await serve(new ManualClock());
    const socket = await openSocket(server);
    const ids = ["x".repeat(256), "x".repeat(257), `x${"ü".repeat(200)}`, "x".repeat(1_000_000)];
    for (const id of ids) socket.send({ operation: "ping", id });
    const echoed = ["x".repeat(256), "x".repeat(256), `x${"ü".repeat(127)}`, "x".repeat(256)];
    await vi.waitFor(() => expect(socket.received).toEqual(echoed.map((id) => ({ id, status: "pong" }))), patience);
    socket.send({ operation: "x", id: "y".repeat(300) });
    await vi.waitFor(
      () => expect(socket.received.at(-1)).toEqual({ id: "y".repeat(256), error: "unknown operation: x" }),
      patience,
    );
    socket.close();
  });
});

describe("a server that stops", () => {
  it("closes WebSockets with 1001, ends other streams, and takes no more", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const socket = await openSocket(server);
    const stream = new SseClient(`${server.origin}/api/streaming/v2/sse`, { types: ["blocks"] });
    expect(await stream.opened).toBe(200);
    await vi.waitFor(() => expect(server.hub.counters().connections).toBe(2), patience);
    const closing = server.hub.close(1_000);
    await Promise.all([socket.closed, stream.ended]);
    expect(socket.closedWith).toEqual({ code: 1001, reason: "this server is stopping" });
    const late = new WsClient(`${server.origin}/api/streaming/v2/ws`);
    expect([await late.opened, JSON.parse(late.refusal)]).toEqual([503, { error: "this server is stopping" }]);
    await pass(clock, 2);
    await closing;
  });
});

describe("server-sent events", () => {
  it("are not to be cached or buffered, and may be read by any page", async () => {
    const server = await serve(new ManualClock());
    const stop = new AbortController();
    const { headers, status } = await fetch(`${server.origin}/api/streaming/v2/sse?types=blocks`, {
      signal: stop.signal,
    });
    const names = ["content-type", "cache-control", "x-accel-buffering", "access-control-allow-origin"];
    expect([status, names.map((name) => headers.get(name))]).toEqual([
      200,
      ["text/event-stream", "no-cache", "no", "*"],
    ]);
    stop.abort();
  });

  it("have a keep-alive every five seconds", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const stream = new SseClient(`${server.origin}/api/streaming/v2/sse`, { types: ["blocks"] });
    await stream.opened;
    await vi.waitFor(() => expect(server.hub.counters().connections).toBe(1), patience);
    for (let round = 1; round <= 3; round++) {
      await pass(clock, 5);
      await vi.waitFor(() => expect(stream.parser.comments).toBe(round), patience);
    }
    stream.close();
  });
});
