import { makeFrame, opcodes, RawWebSocket } from "./RawWebSocket.ts";

/** An attack that goes on holding what it holds until it is ended. */
export type WebSocketAttack = (origin: string, path?: string) => Promise<() => void>;

const floodBytes = 40_000_000;

function text(json: unknown): Buffer {
  return makeFrame(opcodes.text, Buffer.from(typeof json === "string" ? json : JSON.stringify(json)));
}

/** Repeats a frame until it fills about 64 KB. */
function repeat(frame: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(65_536 / frame.length)) }, () => frame));
}

function floodWith(first: Buffer, frame: Buffer, reading: "reads" | "never reads" = "never reads"): WebSocketAttack {
  return async (origin, path) => {
    const client = await RawWebSocket.open(origin, path);
    if (reading === "reads") client.discard();
    await client.send(first);
    await client.flood(repeat(frame), floodBytes);
    return () => client.close();
  };
}

/** Opens many connections, each with a few bytes less than a whole message. */
async function openUnfinished(origin: string, path?: string): Promise<() => void> {
  const message = makeFrame(opcodes.text, Buffer.alloc(path === undefined ? 1_048_576 : 65_536, "x"));
  const clients: RawWebSocket[] = [];
  for (let count = 0; count < 150; count++) clients.push(await RawWebSocket.open(origin, path));
  await Promise.all(clients.map((client) => client.send(message.subarray(0, -1))));
  return () => {
    for (const client of clients) client.close();
  };
}

/** Sends most of a large message at once, and its end byte by byte. */
async function sendByteByByte(origin: string, path?: string): Promise<() => void> {
  const client = await RawWebSocket.open(origin, path);
  const message = makeFrame(opcodes.text, Buffer.alloc(path === undefined ? 1_048_576 : 65_536, "x"));
  const slow = Math.min(50_000, message.length - 100);
  await client.send(message.subarray(0, -slow));
  for (let at = message.length - slow; at < message.length - 1; at++) {
    if (!(await client.send(message.subarray(at, at + 1)))) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return () => client.close();
}

const none = Buffer.alloc(0);
const waiting = { operation: "subscribe", types: ["blocks"], from_mc_seqno: 1_000_000_000 };
const begun = makeFrame(opcodes.text, Buffer.from("{"), { isFinal: false });

/** Attacks of one client on any WebSocket, by name. */
export const webSocketAttacks = {
  "empty continuation frames": floodWith(begun, makeFrame(opcodes.continuation, none, { isFinal: false }), "reads"),
  "continuation frames of one byte": floodWith(
    begun,
    makeFrame(opcodes.continuation, Buffer.from(" "), { isFinal: false }),
    "reads",
  ),
  "pings never read": floodWith(none, makeFrame(opcodes.ping, Buffer.alloc(125))),
  "empty pings never read": floodWith(none, makeFrame(opcodes.ping)),
  "unfinished messages of many connections": openUnfinished,
  "a message that ends byte by byte": sendByteByByte,
} satisfies Readonly<Record<string, WebSocketAttack>>;

/** Attacks on the requests of a stream, by name. */
export const streamSocketAttacks = {
  "requests with long ids never read": floodWith(none, text({ operation: "ping", id: "i".repeat(60_000) })),
  "short requests never read": floodWith(none, text({ operation: "ping", id: 1 })),
  "refusals never read": floodWith(none, text({ operation: "o".repeat(60_000) })),
  "large messages behind a waiting subscription": floodWith(
    text(waiting),
    text({ operation: "ping", id: "i".repeat(60_000) }),
    "reads",
  ),
  "small messages behind a waiting subscription": floodWith(text(waiting), text("{}"), "reads"),
} satisfies Readonly<Record<string, WebSocketAttack>>;
