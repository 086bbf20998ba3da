import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { Readers } from "./Readers.ts";

/** A server of streams in this process, and its readers in another. */
export abstract class StreamStage {
  readonly #readers = new Readers();
  protected abstract readonly server: Server;

  /** Makes one block, which every reader is sent as one event. */
  abstract grow(): void;
  protected abstract stop(): Promise<void>;

  async open(count: number, isReading = true): Promise<void> {
    if (!this.server.listening) await once(this.server.listen(0, "127.0.0.1"), "listening");
    const address = this.server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await this.#readers.open({ port, path: "/sse", count, isReading });
  }

  /** Makes blocks and waits until this many readers have all of them; gives the seconds that took. */
  async run(blocks: number, readers: number): Promise<number> {
    await this.#readers.count();
    const before = performance.now();
    for (let block = 0; block < blocks; block++) {
      this.grow();
      await setTimeout(0);
    }
    for (let seen = 0; seen < Math.ceil(blocks) * readers; seen += (await this.#readers.count()).events)
      await setTimeout(2);
    return (performance.now() - before) / 1000;
  }

  async close(): Promise<void> {
    await this.#readers.close();
    await this.stop();
    this.server.close();
  }
}
