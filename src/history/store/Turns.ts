import { Lifetime } from "../../lib/Lifetime.ts";
import { WaitQueue } from "../../lib/WaitQueue.ts";

/** How many readers go before a waiting writer. */
const readersBetweenWriters = 4;

/**
 * Gives turns, one at a time. A writer waits for at most a few readers, and readers for one writer: neither starves.
 */
export class Turns {
  readonly #writers = new WaitQueue();
  readonly #readers = new WaitQueue();
  /** The current turn is its work. */
  readonly #lifetime = new Lifetime((reason) => reason);
  #turn: { readonly end: () => void } | undefined;
  #readersInRow = 0;

  /** Runs the work in its turn; rejects with the reason of the signal when that comes first. */
  async take<T>(who: "reader" | "writer", work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#lifetime.throwIfEnded();
    await this.#wait(who === "writer" ? this.#writers : this.#readers, signal);
    this.#readersInRow = who === "writer" ? 0 : this.#readersInRow + 1;
    try {
      return await work();
    } finally {
      this.#turn?.end();
      this.#turn = undefined;
      this.#next();
    }
  }

  /** Rejects all waiters; resolves when the current turn has ended. */
  async close(reason: Error): Promise<void> {
    const closed = this.#lifetime.close(reason);
    const first = this.#lifetime.reason ?? reason;
    this.#writers.refuseAll(first);
    this.#readers.refuseAll(first);
    await closed;
  }

  #wait(line: WaitQueue, signal: AbortSignal | undefined): Promise<void> {
    const turn = line.wait(signal);
    this.#next();
    return turn;
  }

  #next(): void {
    if (this.#turn !== undefined) return;
    const isReadersTurn = this.#readers.length > 0 && this.#readersInRow < readersBetweenWriters;
    const [first, second] = isReadersTurn ? [this.#readers, this.#writers] : [this.#writers, this.#readers];
    // The turn begins when it is given: a close between this moment and the work itself waits for the work.
    if (first.admit() || second.admit()) this.#turn = this.#lifetime.begin();
  }
}
