import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** How long an attacker waits for a server that takes nothing more. */
const stuckMs = 1_000;

/** The kinds of frames (RFC 6455, 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  readonly isFinal?: boolean;
  /** The reserved bits, as they stand in the first byte. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
}

/** The bytes of a client's frame; the mask is zero, so that payloads stand as they are. */
export function makeFrame(opcode: number, payload: Uint8Array = Buffer.alloc(0), options: FrameOptions = {}): Buffer {
  const { isFinal = true, reserved = 0, isMasked = true } = options;
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra + (isMasked ? 4 : 0));
  head[0] = (isFinal ? 0x80 : 0) | reserved | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** A client of WebSockets that may send anything, and reads only if it is told to. */
export class RawWebSocket {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => {});
    socket.setNoDelay(true);
  }

  /** Opens a WebSocket and stops reading. */
  static async open(origin: string, path = "/api/streaming/v2/ws"): Promise<RawWebSocket> {
    const { hostname, port, host } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const client = new RawWebSocket(socket);
    const head = [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    socket.pause();
    const end = chunk.indexOf("\r\n\r\n");
    if (!chunk.toString("latin1").startsWith("HTTP/1.1 101 ") || end === -1) throw new Error(chunk.toString());
    client.#received = chunk.subarray(end + 4);
    return client;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends bytes; whether the server still takes them. */
  async send(bytes: Uint8Array): Promise<boolean> {
    if (this.#socket.destroyed) return false;
    if (this.#socket.write(bytes)) return true;
    const ended = new AbortController();
    const waits = ["drain", "close"].map((event) =>
      once(this.#socket, event, { signal: ended.signal }).then(
        () => event === "drain",
        () => false,
      ),
    );
    const stuck = setTimeout(() => ended.abort(), stuckMs);
    const isTaken = await Promise.race(waits);
    clearTimeout(stuck);
    ended.abort();
    return isTaken;
  }

  /** Sends the same bytes again and again, until this many were sent or the server takes no more. */
  async flood(bytes: Uint8Array, total: number): Promise<void> {
    for (let sent = 0; sent < total; sent += bytes.length) if (!(await this.send(bytes))) return;
  }

  /** Reads frames until one of this kind comes; `undefined` if the connection ends before. */
  async read(opcode: number): Promise<Buffer | undefined> {
    for (;;) {
      for (let frame = this.#shift(); frame !== undefined; frame = this.#shift())
        if (frame.opcode === opcode) return frame.payload;
      this.#socket.resume();
      const more = await Promise.race([
        once(this.#socket, "data").then(
          ([chunk]) => chunk as Buffer,
          () => undefined,
        ),
        once(this.#socket, "close").then(() => undefined),
      ]);
      if (more === undefined) return undefined;
      this.#received = Buffer.concat([this.#received, more]);
    }
  }

  /** Reads and forgets everything that comes. */
  discard(): void {
    this.#socket.resume();
  }

  /** The code and reason with which the server closes. */
  async readClose(): Promise<{ readonly code: number; readonly reason: string } | undefined> {
    const payload = await this.read(opcodes.close);
    return payload && { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Ends the connection with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #shift(): { readonly opcode: number; readonly payload: Buffer } | undefined {
    const bytes = this.#received;
    if (bytes.length < 2) return undefined;
    const short = bytes.readUInt8(1) & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + extra) return undefined;
    const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const end = 2 + extra + length;
    if (bytes.length < end) return undefined;
    this.#received = bytes.subarray(end);
    return { opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(2 + extra, end) };
  }
}
