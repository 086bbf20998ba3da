import { Duplex } from "node:stream";
import { flushPromises } from "../suite/ManualClock.ts";

/** A connection in memory: what the server receives in one chunk is what the test sends in one. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = "192.0.2.7";
  readonly timeouts: number[] = [];
  /** Everything that was sent, one character for each byte. */
  sent = "";
  /** Whether the client reads; writes of a server wait for it. */
  isRead = true;
  #pending: (() => void) | undefined;

  override _read(): void {}

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.sent += typeof chunk === "string" ? chunk : chunk.toString("latin1");
    if (this.isRead) done();
    else this.#pending = done;
  }

  setTimeout(ms: number): this {
    this.timeouts.push(ms);
    return this;
  }

  /** The client reads again. */
  startReading(): void {
    this.isRead = true;
    this.#pending?.();
    this.#pending = undefined;
  }

  /** Sends a chunk and waits until the server has done everything it does about it. */
  async deliver(chunk: string): Promise<void> {
    if (!this.destroyed && !this.readableEnded) this.push(Buffer.from(chunk, "latin1"));
    await this.quiet();
  }

  async quiet(): Promise<void> {
    for (let round = 0; round < 5; round++) await flushPromises();
  }
}
