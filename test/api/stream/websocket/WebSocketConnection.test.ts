import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { makeFrame, opcodes, RawWebSocket } from "../../../../kit/attacks/RawWebSocket.ts";
import { IncomingBytes } from "../../../../src/api/stream/websocket/IncomingBytes.ts";
import { acceptWebSocket, type WebSocketConnection } from "../../../../src/api/stream/websocket/WebSocketConnection.ts";
import { FakeIndex } from "../../../kit/api/stream/fakeIndex.ts";
import { type StreamServer, serveStreams } from "../../../kit/api/stream/streamServer.ts";
import { flushPromises, ManualClock } from "../../../kit/suite/ManualClock.ts";

const opened: { kill(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.kill())));

async function serve(clock = new ManualClock()): Promise<StreamServer> {
  const server = await serveStreams(new FakeIndex(), { clock });
  opened.push(server);
  return server;
}

const text = (json: string) => makeFrame(opcodes.text, Buffer.from(json));
const part = (opcode: number, bytes: Uint8Array | string) => makeFrame(opcode, Buffer.from(bytes), { isFinal: false });
const closing = (code: number, reason: Uint8Array = Buffer.alloc(0)) =>
  makeFrame(opcodes.close, Buffer.concat([Buffer.from([code >> 8, code & 0xff]), reason]));
const invalid = Buffer.from([0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xed, 0xa0, 0x80]);
const ping = '{"operation":"ping","id":"ü"}';

describe("a WebSocket follows RFC 6455 and", () => {
  const refused: Readonly<Record<string, readonly [Buffer, number]>> = {
    "refuses the first reserved bit": [makeFrame(1, Buffer.from("{}"), { reserved: 0x40 }), 1002],
    "refuses the second reserved bit": [makeFrame(1, Buffer.from("{}"), { reserved: 0x20 }), 1002],
    "refuses the third reserved bit": [makeFrame(9, Buffer.from("{}"), { reserved: 0x10 }), 1002],
    "refuses a frame without a mask": [makeFrame(1, Buffer.from("{}"), { isMasked: false }), 1002],
    "refuses unknown data frames": [makeFrame(3), 1002],
    "refuses unknown control frames": [makeFrame(11), 1002],
    "refuses a control frame in fragments": [part(opcodes.ping, "a"), 1002],
    "refuses a control frame over 125 bytes": [makeFrame(opcodes.ping, Buffer.alloc(126)), 1002],
    "refuses the continuation of nothing": [makeFrame(opcodes.continuation, Buffer.from("{}")), 1002],
    "refuses a message within another": [Buffer.concat([part(opcodes.text, "{"), text("{}")]), 1002],
    "refuses text that is not UTF-8": [makeFrame(opcodes.text, invalid), 1007],
    "refuses fragments that are not UTF-8": [
      Buffer.concat([part(opcodes.text, invalid.subarray(0, 5)), makeFrame(opcodes.continuation, invalid.subarray(5))]),
      1007,
    ],
    "refuses a close frame of one byte": [makeFrame(opcodes.close, Buffer.alloc(1)), 1002],
    "refuses the close code 999": [closing(999), 1002],
    "refuses the close code 1005": [closing(1005), 1002],
    "refuses the close code 1006": [closing(1006), 1002],
    "refuses the close code 5000": [closing(5000), 1002],
    "refuses a close reason that is not UTF-8": [closing(1000, invalid), 1007],
    "refuses a message over 1 MiB": [makeFrame(opcodes.text, Buffer.alloc((1 << 20) + 1)), 1009],
    "refuses fragments over 1 MiB together": [
      Buffer.concat([part(opcodes.text, Buffer.alloc(1 << 20)), makeFrame(opcodes.continuation, Buffer.alloc(1))]),
      1009,
    ],
    "refuses a length of 63 bits": [Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255]), 1009],
    "answers a close frame with its code": [closing(4000, Buffer.from("bye")), 4000],
  };
  it.each(Object.entries(refused))("%s", async (_name, [bytes, code]) => {
    const { origin } = await serve();
    const client = await RawWebSocket.open(origin);
    await client.send(bytes);
    expect((await client.readClose())?.code).toBe(code);
    expect(await client.read(opcodes.text)).toBeUndefined();
  });

  it("answers a close frame without a code with one", async () => {
    const client = await RawWebSocket.open((await serve()).origin);
    await client.send(makeFrame(opcodes.close));
    expect(await client.read(opcodes.close)).toEqual(Buffer.alloc(0));
  });

  it("reads a message in fragments with pings in between, cut within a character", async () => {
    const client = await RawWebSocket.open((await serve()).origin);
    const bytes = Buffer.from(ping);
    const cut = bytes.indexOf(0xbc);
    const fragments = [
      part(opcodes.text, bytes.subarray(0, cut)),
      makeFrame(opcodes.ping, Buffer.from("now")),
      part(opcodes.continuation, ""),
      makeFrame(opcodes.continuation, bytes.subarray(cut)),
    ];
    await client.send(Buffer.concat(fragments));
    expect((await client.read(opcodes.pong))?.toString()).toBe("now");
    expect((await client.read(opcodes.text))?.toString()).toBe('{"id":"ü","status":"pong"}');
    client.close();
  });

  it("reads a message of 1 MiB, and one that comes byte by byte", async () => {
    const client = await RawWebSocket.open((await serve()).origin);
    await client.send(text(ping.padEnd((1 << 20) - 1)));
    expect((await client.read(opcodes.text))?.toString()).toBe('{"id":"ü","status":"pong"}');
    for (const byte of text(ping)) await client.send(Buffer.from([byte]));
    expect((await client.read(opcodes.text))?.toString()).toBe('{"id":"ü","status":"pong"}');
    client.close();
  });
});

describe("a WebSocket", () => {
  it("is closed after more than 1000 frames a second, fragments and control frames included", async () => {
    for (const frame of [
      text(ping),
      makeFrame(opcodes.ping),
      makeFrame(opcodes.pong),
      part(opcodes.continuation, ""),
    ]) {
      const client = await RawWebSocket.open((await serve()).origin);
      await client.send(part(opcodes.text, "{"));
      await client.send(Buffer.concat(Array.from({ length: 1_001 }, () => frame)));
      const close = await client.readClose();
      expect(close).toEqual({ code: 1008, reason: "too many frames (limit 1000 per second)" });
    }
  });

  it("survives clients that reset the connection at any moment of the upgrade", async () => {
    const { origin } = await serve();
    for (let round = 0; round < 30; round++) {
      const client = await RawWebSocket.open(origin);
      void client.send(text(ping));
      client.reset();
    }
    const after = await RawWebSocket.open(origin);
    await after.send(text(ping));
    expect((await after.read(opcodes.text))?.toString()).toBe('{"id":"ü","status":"pong"}');
    after.close();
  });
});

/** A client that never reads: bytes are written once and never taken. */
class StuckSocket extends Duplex {
  override _read(): void {}
  override _write(): void {}
}

function openStuck(nowMs: () => number): { readonly socket: StuckSocket; readonly connection: WebSocketConnection } {
  const socket = new StuckSocket();
  const request = new IncomingMessage(new Socket());
  request.method = "GET";
  request.headers = {
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  const opened: WebSocketConnection[] = [];
  const options = { maxMessageBytes: 1 << 20, incoming: new IncomingBytes(), nowMs };
  acceptWebSocket(request, socket, Buffer.alloc(0), options, (connection) => {
    opened.push(connection);
    return { message: () => {}, received: () => {}, closed: () => {} };
  });
  const [connection] = opened;
  if (connection === undefined) throw new Error("the upgrade was refused");
  return { socket, connection };
}

it("keeps the answer to one ping for a client that reads none, however many it sends within its rate", async () => {
  const clock = new ManualClock();
  const { socket, connection } = openStuck(() => clock.monotonic());
  for (let second = 0; second < 20; second++) {
    for (let count = 0; count < 900; count++) socket.push(makeFrame(opcodes.ping, Buffer.alloc(125)));
    await flushPromises();
    await clock.advance(1_000);
  }
  expect(connection.waitingBytes).toBeLessThan(4_096);
  connection.destroy();
});

it("asks to wait when 256 frames wait, however small they are", () => {
  const { connection } = openStuck(() => 0);
  for (let count = 0; count < 255; count++) connection.send("");
  expect(connection.needsDrain).toBe(false);
  connection.send("");
  expect(connection.needsDrain).toBe(true);
  connection.destroy();
});
