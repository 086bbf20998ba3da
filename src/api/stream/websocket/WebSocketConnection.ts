import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { closeCodes } from "../transport/Transport.ts";
import { FrameMeter } from "./FrameMeter.ts";
import { FrameRate, maxFramesPerSecond } from "./FrameRate.ts";
import type { IncomingBytes, IncomingHolder } from "./IncomingBytes.ts";

/** What happens on a WebSocket. */
export interface WebSocketListener {
  /** A whole message: text, or bytes that are taken for text. */
  message(text: string): void;
  /** Anything that came, a pong included. */
  received(): void;
  /** The connection is gone, whoever ended it. */
  closed(): void;
}

/** The limits of a WebSocket. */
export interface WebSocketOptions {
  readonly maxMessageBytes: number;
  /** Counts what all connections hold of unfinished messages. */
  readonly incoming: IncomingBytes;
  readonly nowMs: () => number;
}

/**
 * A message of 1 MiB in frames of 4 KiB has 256 fragments. A chunk is what one read of the socket gave: a frame whose
 * bytes come one by one is ended before it has cost more objects than bytes.
 */
const arrivalLimits = { maxFragments: 1_024, maxBufferedChunks: 8_192 };
/** A client that does not end its side of a closed connection loses it after this time. */
const closeTimeout = 10_000;
/** This many frames may wait for a client; then it must take some first, as after this many bytes. */
const maxUnsentFrames = 256;
/** While more frames than this wait, only the newest ping is answered (RFC 6455, 5.5.3). */
const maxFramesBeforePong = 16;
/** A message that is larger than this is read a piece at a time, with others in between. */
const pieceBytes = 1 << 16;

/** Answers a request for a WebSocket; calls `open` with it, unless the client disconnected. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: WebSocketOptions,
  open: (connection: WebSocketConnection) => WebSocketListener,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: options.maxMessageBytes,
    ...arrivalLimits,
    ...{ closeTimeout },
  });
  server.handleUpgrade(
    request,
    socket,
    head,
    (webSocket) => void new WebSocketConnection(webSocket, socket, options, open),
  );
}

/**
 * A WebSocket of a client, the server's side. `ws` speaks the protocol; this bounds what one client makes the process
 * keep: unfinished messages, frames a second, and answers that it does not take.
 */
export class WebSocketConnection implements IncomingHolder {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #options: WebSocketOptions;
  readonly #listener: WebSocketListener;
  readonly #meter = new FrameMeter();
  readonly #rate: FrameRate;
  #isClosing = false;
  /** Whether nothing more is read of this client. */
  #isRefused = false;
  #isYielding = false;
  /** Frames that the system has not taken yet. */
  #unsentFrames = 0;
  #onDrain: (() => void)[] = [];
  /** The payload of a ping that is answered when frames before it were taken. */
  #waitingPing: Buffer | undefined;

  constructor(
    webSocket: WebSocket,
    socket: Duplex,
    options: WebSocketOptions,
    open: (connection: WebSocketConnection) => WebSocketListener,
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#options = options;
    this.#rate = new FrameRate(options.nowMs);
    socket.prependListener("data", (chunk: Buffer) => this.#measure(chunk));
    socket.once("close", () => this.#end());
    webSocket.on("message", (data) => this.#take(data));
    webSocket.on("ping", (payload) => this.#answerPing(payload));
    // `ws` closes the connection with the code of the error.
    webSocket.on("error", () => {
      this.#isClosing = true;
    });
    this.#listener = open(this);
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  get needsDrain(): boolean {
    return this.#socket.writableNeedDrain || this.#unsentFrames >= maxUnsentFrames;
  }

  send(text: string): void {
    if (this.#isClosing) return;
    this.#unsentFrames += 1;
    this.#webSocket.send(text, this.#sent);
  }

  ping(): void {
    if (this.#isClosing) return;
    this.#unsentFrames += 1;
    this.#webSocket.ping(undefined, undefined, this.#sent);
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  /** Says why, and ends once what waits was sent and the client has ended its side, or after some seconds. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#webSocket.close(code, reason);
    this.#socket.end();
  }

  destroy(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  giveUp(): void {
    if (this.#isClosing) this.destroy();
    else this.#stopReading(closeCodes.slow, "too many bytes of unfinished messages");
    this.#socket.once("finish", () => this.#socket.destroy());
  }

  /** Closes the connection of a client that sends more than it may: the rest of it stays unread. */
  refuse(reason: string): void {
    this.#stopReading(closeCodes.policy, reason);
  }

  #stopReading(code: number, reason: string): void {
    this.#isRefused = true;
    this.#webSocket.pause();
    this.close(code, reason);
  }

  readonly #sent = (error?: Error | null): void => {
    this.#unsentFrames -= 1;
    if (error || this.#unsentFrames > 0) return;
    const ping = this.#waitingPing;
    this.#waitingPing = undefined;
    if (ping !== undefined) this.#answerPing(ping);
    for (const listener of this.#onDrain.splice(0)) listener();
  };

  #measure(chunk: Buffer): void {
    const isWithinRate = this.#rate.take(this.#meter.take(chunk));
    if (isWithinRate) this.#options.incoming.set(this, this.#meter.heldBytes);
    else if (this.#isClosing) this.destroy();
    else this.refuse(`too many frames (limit ${maxFramesPerSecond} per second)`);
    if (this.#meter.heldBytes > pieceBytes) this.#yield();
    if (!this.#isClosing) this.#listener.received();
  }

  /** One turn of the loop reads up to 2 MiB from each socket, which for many of them blocks everybody else. */
  #yield(): void {
    if (this.#isYielding) return;
    this.#isYielding = true;
    this.#webSocket.pause();
    setImmediate(() => {
      this.#isYielding = false;
      if (!this.#isRefused) this.#webSocket.resume();
    });
  }

  #take(data: unknown): void {
    if (!this.#isClosing && Buffer.isBuffer(data)) this.#listener.message(data.toString("utf8"));
  }

  #answerPing(payload: Buffer): void {
    if (this.#isClosing) return;
    if (this.#unsentFrames >= maxFramesBeforePong) {
      // A copy, because the payload is a view into all that came with it.
      this.#waitingPing = Buffer.from(payload);
      return;
    }
    this.#unsentFrames += 1;
    this.#webSocket.pong(payload, undefined, this.#sent);
  }

  #end(): void {
    this.#isClosing = true;
    this.#onDrain = [];
    this.#waitingPing = undefined;
    this.#options.incoming.set(this, 0);
    this.#listener.closed();
  }
}
