import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ReadersAnswer, ReadersOrder } from "./messages.ts";

/** Readers of streams in a process of their own: their time and their memory are nobody else's. */
export class Readers {
  readonly #process: ChildProcess = fork(join(import.meta.dirname, "readersProcess.js"), [], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });

  async open(order: Omit<Extract<ReadersOrder, { kind: "open" }>, "kind">): Promise<void> {
    await this.#order({ kind: "open", ...order });
  }

  /** Events since the last count. */
  count(): Promise<ReadersAnswer> {
    return this.#order({ kind: "count" });
  }

  async close(): Promise<void> {
    await this.#order({ kind: "close" });
    this.#process.kill();
  }

  async #order(order: ReadersOrder): Promise<ReadersAnswer> {
    this.#process.send(order);
    const [answer] = (await once(this.#process, "message")) as [ReadersAnswer];
    return answer;
  }
}
