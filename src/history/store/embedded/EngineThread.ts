import { Worker } from "node:worker_threads";
import { HistoryError } from "../../errors.ts";
import { databaseError } from "../databaseErrors.ts";
import { databaseWorkerUrl } from "./databaseWorkerUrl.ts";
import type { TextRows, ThreadOrder, ThreadReply, ThreadStart } from "./protocol.ts";

interface Waiting {
  readonly resolve: (found: TextRows | undefined) => void;
  readonly reject: (reason: Error) => void;
}

/** What comes and goes with each order is small: a larger place for it would only be filled before it is cleared. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** The thread of the built-in engine. It takes one order at a time; when it ends, by whatever cause, so does the order. */
export class EngineThread {
  readonly opened: Promise<void>;
  /** Resolves when nothing of the thread runs any more. */
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #ended: Error | undefined;

  constructor(start: ThreadStart) {
    // Nothing of the process is handed on; the engine's warnings and notes do not belong in our output.
    this.#worker = new Worker(databaseWorkerUrl, { workerData: start, resourceLimits, stdout: true, stderr: true });
    this.opened = this.#answer().then(() => {});
    // Whoever opened the thread is told; nobody need listen.
    this.opened.catch(() => {});
    this.#worker.on("message", (reply: ThreadReply) => this.#hear(reply));
    this.#worker.on("error", (cause) => {
      this.#end(new HistoryError("history/database", `the built-in database broke: ${cause.message}`, { cause }));
    });
    this.gone = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#end(new HistoryError("history/database", "the built-in database ended"));
        resolve();
      });
    });
  }

  /** Whether another order may come. */
  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  ask(order: ThreadOrder): Promise<TextRows | undefined> {
    const answer = this.#answer();
    // Bytes are handed over, not copied.
    const handed = order.kind === "copy" ? [order.bytes.buffer] : [];
    if (this.#ended === undefined) this.#worker.postMessage(order, handed);
    return answer;
  }

  /** Ends the thread at once; the order under way fails with this reason. What was not committed is gone. */
  async destroy(reason: Error): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #answer(): Promise<TextRows | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) reject(this.#ended);
      else this.#waiting = { resolve, reject };
    });
  }

  #hear(reply: ThreadReply): void {
    if (reply.kind === "broken") {
      this.#end(databaseError(reply, "the built-in database ended"));
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (reply.kind === "failed") waiting?.reject(databaseError(reply, "a statement"));
    else waiting?.resolve(reply.kind === "done" ? reply.found : undefined);
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#waiting?.reject(this.#ended);
    this.#waiting = undefined;
  }
}
