import { randomBytes } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";

export type StreamJson = Readonly<Record<string, unknown>>;

/** A message of a stream, with the id that SSE gives it. */
export interface ReceivedMessage {
  readonly json: StreamJson;
  readonly event: string | undefined;
  readonly id: string | undefined;
}

/** Splits a stream of server-sent events into messages, as the standard says. */
export class SseParser {
  lastId: string | undefined;
  comments = 0;
  #rest = "";

  take(text: string): readonly ReceivedMessage[] {
    this.#rest += text;
    const frames = this.#rest.split("\n\n");
    this.#rest = frames.pop() ?? "";
    return frames.flatMap((frame) => {
      const lines = frame.split("\n");
      this.comments += lines.filter((line) => line.startsWith(":")).length;
      const find = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const id = find("id");
      if (id !== undefined) this.lastId = id;
      const data = find("data");
      return data === undefined ? [] : [{ json: JSON.parse(data) as StreamJson, event: find("event"), id }];
    });
  }
}

/** A client of server-sent events that stores every message. */
export class SseClient {
  readonly received: ReceivedMessage[] = [];
  onMessage: (message: ReceivedMessage) => void = () => {};
  readonly parser = new SseParser();
  readonly opened: Promise<number>;
  readonly ended: Promise<void>;
  status = 0;
  text = "";
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;

  constructor(url: string, body: StreamJson | string | undefined, headers: Readonly<Record<string, string>> = {}) {
    const method = body === undefined ? "GET" : "POST";
    this.#request = request(url, { method, headers: { "content-type": "application/json", ...headers } });
    this.opened = new Promise((resolve, reject) => {
      this.#request.once("error", reject);
      this.#request.once("response", (response) => {
        this.#response = response;
        this.status = response.statusCode ?? 0;
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          this.text += text;
          for (const message of this.parser.take(text)) {
            this.received.push(message);
            this.onMessage(message);
          }
        });
        response.on("error", () => {});
        resolve(this.status);
      });
    });
    this.ended = new Promise((resolve) => this.#request.once("close", resolve));
    this.#request.on("error", () => {});
    this.#request.end(typeof body === "object" ? JSON.stringify(body) : body);
  }

  get events(): readonly StreamJson[] {
    return this.received.filter(({ event }) => event !== "connected").map(({ json }) => json);
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  close(): void {
    this.#request.destroy();
  }
}

/** A WebSocket client that stores every message; implements the part of RFC 6455 that tests need. */
export class WsClient {
  readonly received: StreamJson[] = [];
  onMessage: (message: StreamJson) => void = () => {};
  readonly opened: Promise<number>;
  pings = 0;
  closedWith: { readonly code: number; readonly reason: string } | undefined;
  readonly closed: Promise<void>;
  refusal = "";
  #socket: Duplex | undefined;
  #rest: Buffer = Buffer.alloc(0);

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    const key = randomBytes(16).toString("base64");
    const asked = request(url, {
      headers: {
        ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": key },
        ...headers,
      },
    });
    let isGone = () => {};
    this.closed = new Promise((resolve) => {
      isGone = resolve;
    });
    this.opened = new Promise((resolve, reject) => {
      asked.once("error", reject);
      asked.once("response", (response) => {
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          this.refusal += text;
        });
        response.once("end", () => resolve(response.statusCode ?? 0));
      });
      asked.once("upgrade", (_response, socket, head) => {
        this.#socket = socket;
        socket.on("data", (chunk: Buffer) => this.#take(chunk));
        socket.on("error", () => {});
        socket.once("close", isGone);
        if (head.length > 0) this.#take(head);
        resolve(101);
      });
    });
    asked.end();
  }

  get events(): readonly StreamJson[] {
    return this.received.filter(({ type }) => typeof type === "string");
  }

  send(json: unknown): void {
    this.sendFrame(1, Buffer.from(typeof json === "string" ? json : JSON.stringify(json)));
  }

  /** Sends one masked frame. */
  sendFrame(opcode: number, payload: Buffer, isFinal = true): void {
    const mask = randomBytes(4);
    const extra = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
    const head = Buffer.alloc(2 + extra);
    head[0] = (isFinal ? 0x80 : 0) | opcode;
    head[1] = 0x80 | (extra === 0 ? payload.length : extra === 2 ? 126 : 127);
    if (extra === 2) head.writeUInt16BE(payload.length, 2);
    if (extra === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
    const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at & 3] ?? 0)));
    this.#socket?.write(Buffer.concat([head, mask, masked]));
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const [first = 0, second = 0] = this.#rest;
      if (this.#rest.length < 2) return;
      const short = second & 0x7f;
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (this.#rest.length < 2 + extra) return;
      const length =
        extra === 0 ? short : extra === 2 ? this.#rest.readUInt16BE(2) : Number(this.#rest.readBigUInt64BE(2));
      if (this.#rest.length < 2 + extra + length) return;
      this.#handle(first & 0x0f, this.#rest.subarray(2 + extra, 2 + extra + length));
      this.#rest = this.#rest.subarray(2 + extra + length);
    }
  }

  #handle(opcode: number, payload: Buffer): void {
    if (opcode === 1) {
      const message = JSON.parse(payload.toString()) as StreamJson;
      this.received.push(message);
      this.onMessage(message);
    }
    if (opcode === 9) this.pings += 1;
    if (opcode === 8) this.closedWith = { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
  }
}
