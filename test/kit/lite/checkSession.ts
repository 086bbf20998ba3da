import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect } from "vitest";
import { concatBytes, fromBase64, fromHex, toHex } from "../../../src/lib/bytes.ts";
import type { Random } from "../../../src/lib/random.ts";
import { AdnlClient } from "../../../src/lite/adnl/AdnlClient.ts";
import { clientSession, serverSession } from "../../../src/lite/adnl/cipher.ts";
import { AdnlFrameReader, FrameWriter, maxPayloadBytes } from "../../../src/lite/adnl/frames.ts";
import { makeHandshake } from "../../../src/lite/adnl/handshake.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { frameContent } from "../../../src/lite/tl/adnlRecords.ts";
import { decode, type TlValue } from "../../../src/lite/tl/types.ts";
import { ManualClock } from "../suite/ManualClock.ts";
import type { AdnlPacket, AdnlSession } from "./adnlSession.ts";

/**
 * Checks the handshake and both streams in both directions, from the recorded secrets: only keys, cipher and frames.
 */
export function checkSessionBytes(session: AdnlSession): void {
  const key = makeAdnlKey(fromHex(session.client.ed25519_seed_hex));
  const serverKey = fromBase64(session.server.public_key_base64);
  const parameters = fromHex(session.client.session_parameters_hex);
  expect(toHex(key.publicKey)).toBe(session.client.ed25519_public_key_hex);
  expect(toHex(key.agree(serverKey))).toBe(session.client.shared_secret_hex);
  expect(toHex(makeHandshake(key, serverKey, parameters))).toBe(session.handshake_hex);
  const [client, server] = [clientSession(parameters), serverSession(parameters)];
  checkStream(sent(session, "client"), session.client_stream_after_handshake_hex, client.encrypt, server.decrypt);
  checkStream(sent(session, "server"), session.server_stream_hex, server.encrypt, client.decrypt);
}

function checkStream(
  packets: readonly AdnlPacket[],
  stream: string,
  encrypt: (bytes: Uint8Array) => Uint8Array,
  decrypt: (bytes: Uint8Array) => Uint8Array,
): void {
  const writer = new FrameWriter(encrypt, maxPayloadBytes);
  const frames = packets.map(({ payload, nonce }) => toHex(writer.frame(fromHex(payload), fromHex(nonce))));
  expect(frames).toEqual(packets.map(({ encrypted }) => encrypted));
  expect(frames.join("")).toBe(stream);
  const reader = new AdnlFrameReader(decrypt, maxPayloadBytes);
  reader.push(fromHex(stream));
  expect(packets.map(() => toHex(reader.next() ?? new Uint8Array(1)))).toEqual(packets.map(({ payload }) => payload));
  expect(reader.next()).toBeUndefined();
}

/**
 * Runs the whole client over a real socket, against a server that replays the recorded bytes in the recorded chunks.
 */
export async function checkSessionOverSocket(session: AdnlSession): Promise<void> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const played = once(server, "connection").then(([socket]) => playServer(socket as Socket, session));
  const random = scriptedRandom(session);
  const address = { host: "127.0.0.1", port, publicKey: fromBase64(session.server.public_key_base64) };
  const client = await AdnlClient.open(address, { clock: new ManualClock(), random });
  await askAsRecorded(client, session);
  await client.close();
  expect(toHex(await played)).toBe(session.handshake_hex + session.client_stream_after_handshake_hex);
  server.close();
}

/**
 * Sends queries in the recorded order; queries that the recording sends before the next answer are in flight together.
 */
async function askAsRecorded(client: AdnlClient, session: AdnlSession): Promise<void> {
  const answers = new Map(sent(session, "server").map(({ payload }) => [payload.slice(8, 72), payload]));
  let inFlight: Promise<void>[] = [];
  for (const { from, payload } of session.packets) {
    if (from === "server") {
      await Promise.all(inFlight);
      inFlight = [];
    } else {
      inFlight.push(askOne(client, decode(frameContent, fromHex(payload)), answers));
    }
  }
}

async function askOne(
  client: AdnlClient,
  content: TlValue<typeof frameContent>,
  answers: ReadonlyMap<string, string>,
): Promise<void> {
  if (content.kind !== "query") return client.ping();
  const recorded = decode(frameContent, fromHex(answers.get(toHex(content.queryId)) ?? ""));
  const answer = await client.query(content.query);
  expect({ ...recorded, answer }).toEqual(recorded);
}

/** Replays the server side: each chunk is sent after the client bytes that preceded it. Returns all client bytes. */
async function playServer(socket: Socket, session: AdnlSession): Promise<Uint8Array> {
  const received: Uint8Array[] = [];
  let length = 0;
  const chunks = pieces(session);
  socket.on("data", (chunk: Uint8Array) => {
    received.push(chunk);
    length += chunk.length;
    for (let next = chunks[0]; next !== undefined && length >= next.after; next = chunks[0]) {
      socket.write(next.bytes);
      chunks.shift();
    }
  });
  await once(socket, "close");
  return concatBytes(received);
}

/** The recorded chunks, each with the number of client bytes, including the handshake, sent before its last byte. */
function pieces(session: AdnlSession): { readonly after: number; readonly bytes: Uint8Array }[] {
  const stream = fromHex(session.server_stream_hex);
  let start = 0;
  return session.server_tcp_chunk_sizes.map((size) => {
    const bytes = stream.subarray(start, start + size);
    start += size;
    return { after: clientBytesBefore(session, start), bytes };
  });
}

function clientBytesBefore(session: AdnlSession, serverBytes: number): number {
  let [client, server] = [session.handshake_hex.length / 2, 0];
  for (const { from, encrypted } of session.packets) {
    if (from === "client") {
      client += encrypted.length / 2;
      continue;
    }
    server += encrypted.length / 2;
    if (server >= serverBytes) return client;
  }
  return client;
}

/** Returns the recorded random values in the order in which the client uses them. */
function scriptedRandom(session: AdnlSession): Random {
  const draws = [session.client.ed25519_seed_hex, session.client.session_parameters_hex];
  const turns: { readonly ids: string; readonly nonce: string }[] = sent(session, "client").map((packet) => ({
    ids: packet.payload.startsWith("9a2b084d") ? packet.payload.slice(8, 24) : packet.payload.slice(8, 72),
    nonce: packet.nonce,
  }));
  draws.push(...turns.flatMap(({ ids, nonce }) => [ids, nonce]));
  const bytes = (length: number): Uint8Array => {
    const draw = fromHex(draws.shift() ?? "");
    expect(draw.length).toBe(length);
    return draw;
  };
  return { bytes, next: () => 0, int: () => 0 };
}

function sent(session: AdnlSession, side: "client" | "server"): readonly AdnlPacket[] {
  return session.packets.filter(({ from }) => from === side);
}
