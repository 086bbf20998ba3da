import type { Socket } from "node:net";
import type { CancelTimer, Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";
import type { Session } from "./cipher.ts";
import { AdnlFrameReader, FrameWriter } from "./frames.ts";

export interface AdnlModules {
  readonly clock: Clock;
  readonly random: Random;
}

export interface ChannelOptions {
  readonly socket: Socket;
  readonly session: Session;
  readonly maxPayload: number;
  /** How long a closed channel waits for the other side to close too. */
  readonly lingerMs: number;
  readonly onPayload: (payload: Uint8Array) => void;
  /** Called once, whatever ended the channel; nothing is called afterwards. */
  readonly onEnd: (reason: LiteError) => void;
}

/**
 * A connected socket as a stream of payloads in both directions: the common part of client and server after the
 * handshake.
 */
export class AdnlChannel {
  readonly #options: ChannelOptions;
  readonly #modules: AdnlModules;
  readonly #socket: Socket;
  readonly #reader: AdnlFrameReader;
  readonly #writer: FrameWriter;
  readonly #drains = new WaitQueue();
  #paused = false;
  #corked = false;
  #closeTimer: CancelTimer | undefined;
  #ended = false;

  constructor(options: ChannelOptions, modules: AdnlModules) {
    this.#options = options;
    this.#modules = modules;
    this.#socket = options.socket;
    this.#reader = new AdnlFrameReader(options.session.decrypt, options.maxPayload);
    this.#writer = new FrameWriter(options.session.encrypt, options.maxPayload);
    this.#socket.on("data", (chunk: Uint8Array) => this.receive(chunk));
    this.#socket.on("drain", () => this.#drains.admitAll());
    this.#socket.on("error", (cause) => this.#end(new LiteError("lite/lost", "the connection broke", { cause })));
    this.#socket.on("close", () => this.#end(new LiteError("lite/lost", "the other side closed the connection")));
  }

  /** Whether the send buffer is full. */
  get blocked(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Sends a payload; payloads of one event-loop turn are sent together. */
  send(payload: Uint8Array): void {
    const frame = this.#writer.frame(payload, this.#modules.random.bytes(32));
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(frame);
  }

  /** Resolves when more can be sent, or the channel has ended; rejects with the signal's reason. */
  drained(signal?: AbortSignal): Promise<void> {
    if (!this.blocked || this.#ended) return Promise.resolve();
    return this.#drains.wait(signal);
  }

  /** Receives bytes from the socket; also those that arrived together with the handshake. */
  receive(chunk: Uint8Array): void {
    if (this.#closeTimer === undefined) {
      this.#reader.push(chunk);
      this.#deliver();
    }
  }

  /** Delivers no payload until resumed; the socket is not read in the meantime. */
  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (this.#paused && !this.#ended) {
      this.#paused = false;
      this.#socket.resume();
      this.#deliver();
    }
  }

  /** Sends the remaining data, closes the socket and waits a while for the other side to close. */
  close(): void {
    if (!this.#ended && this.#closeTimer === undefined) {
      this.#closeTimer = this.#modules.clock.timer(this.#options.lingerMs, () => this.#socket.destroy());
      this.#socket.end();
      this.#socket.resume();
    }
  }

  destroy(reason: LiteError): void {
    this.#end(reason);
  }

  #deliver(): void {
    try {
      while (!this.#paused && !this.#ended) {
        const payload = this.#reader.next();
        if (payload === undefined) return;
        this.#options.onPayload(payload);
      }
    } catch (error) {
      this.#end(
        error instanceof LiteError
          ? error
          : new LiteError("lite/lost", "an invalid frame was received", { cause: error }),
      );
    }
  }

  #end(reason: LiteError): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#closeTimer?.();
      this.#socket.destroy();
      this.#drains.admitAll();
      this.#options.onEnd(reason);
    }
  }
}
