import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Frame, FrameError, opcodes, WebSocketFrameReader, writeFrame } from "./frames.ts";

/** What happens on a WebSocket. */
export interface WebSocketListener {
  /** A whole message: text, or bytes that are taken for text. */
  message(text: string): void;
  /** Anything that came, a pong included. */
  received(): void;
  /** The connection is gone, whoever ended it. */
  closed(): void;
}

/** A WebSocket of a client (RFC 6455), the server's side. */
export class WebSocketConnection {
  readonly #socket: Duplex;
  readonly #listener: WebSocketListener;
  readonly #reader: WebSocketFrameReader;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isClosing = false;

  constructor(socket: Duplex, head: Buffer, maxBytes: number, listener: WebSocketListener) {
    this.#socket = socket;
    this.#listener = listener;
    this.#maxBytes = maxBytes;
    this.#reader = new WebSocketFrameReader(maxBytes);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("end", () => socket.end());
    socket.once("close", () => listener.closed());
    if (head.length > 0) this.#take(head);
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  get needsDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  send(text: string): void {
    if (!this.#isClosing) this.#socket.write(writeFrame(opcodes.text, Buffer.from(text)));
  }

  ping(): void {
    if (!this.#isClosing) this.#socket.write(writeFrame(opcodes.ping, Buffer.alloc(0)));
  }

  onDrain(listener: () => void): void {
    this.#socket.once("drain", listener);
  }

  /** Says why, and ends once the client has answered or what waits was sent. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code, 0);
    payload.write(reason, 2);
    this.#socket.write(writeFrame(opcodes.close, payload));
    this.#isClosing = true;
    this.#socket.end();
  }

  destroy(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#isClosing) return;
    this.#listener.received();
    try {
      for (const frame of this.#reader.take(chunk)) this.#handle(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.close(error.code, error.message);
    }
  }

  #handle({ opcode, isFinal, payload }: Frame): void {
    switch (opcode) {
      case opcodes.ping:
        this.#socket.write(writeFrame(opcodes.pong, payload));
        return;
      case opcodes.pong:
        return;
      case opcodes.close:
        this.close(payload.length >= 2 ? payload.readUInt16BE(0) : 1000, "");
        return;
      case opcodes.text:
      case opcodes.binary:
      case opcodes.continuation:
        this.#collect(opcode, isFinal, payload);
        return;
      default:
        throw new FrameError(1002, `there is no frame of kind ${opcode}`);
    }
  }

  #collect(opcode: number, isFinal: boolean, payload: Buffer): void {
    if ((opcode === opcodes.continuation) !== this.#parts.length > 0)
      throw new FrameError(1002, "a message is continued that was not begun");
    this.#partBytes += payload.length;
    if (this.#partBytes > this.#maxBytes) throw new FrameError(1009, `a message may have ${this.#maxBytes} bytes`);
    this.#parts.push(payload);
    if (!isFinal) return;
    const text = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#partBytes = 0;
    this.#listener.message(text);
  }
}

const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Whether a request asks for a WebSocket in the only version there is. */
export function isUpgrade({ headers }: IncomingMessage): boolean {
  const wanted = headers.upgrade?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13";
  return wanted && /^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "");
}

/** Answers a request for a WebSocket; from then on the connection speaks frames. */
export function acceptUpgrade({ headers }: IncomingMessage, socket: Duplex): void {
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${acceptSuffix}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}

/** Refuses a request for a WebSocket with an answer of HTTP. */
export function refuseUpgrade(socket: Duplex, status: number, reason: string, body: string): void {
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.on("error", () => socket.destroy());
  socket.end(`${head}${body}`);
}
