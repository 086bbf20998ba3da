import { WaitQueue } from "../../lib/WaitQueue.ts";

/** How many readers go before a waiting writer. */
const readersBetweenWriters = 4;

/**
 * Gives turns, one at a time. A writer waits for at most a few readers, and readers for one writer: neither starves.
 */
export class Turns {
  readonly #writers = new WaitQueue();
  readonly #readers = new WaitQueue();
  #isTaken = false;
  #readersInRow = 0;
  #closed: Error | undefined;

  /** Runs the work in its turn; rejects with the reason of the signal when that comes first. */
  async take<T>(who: "reader" | "writer", work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#wait(who === "writer" ? this.#writers : this.#readers, signal);
    this.#readersInRow = who === "writer" ? 0 : this.#readersInRow + 1;
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.#next();
    }
  }

  /** Rejects all waiters; resolves when the current turn has ended. */
  async close(reason: Error): Promise<void> {
    this.#closed ??= reason;
    this.#writers.refuseAll(this.#closed);
    this.#readers.refuseAll(this.#closed);
    // On a second call, the first caller that waits for the end is rejected like everybody else.
    if (this.#isTaken) await this.#writers.wait().catch(() => {});
  }

  #wait(line: WaitQueue, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const turn = line.wait(signal);
    this.#next();
    return turn;
  }

  #next(): void {
    if (this.#isTaken) return;
    const isReadersTurn = this.#readers.length > 0 && this.#readersInRow < readersBetweenWriters;
    const [first, second] = isReadersTurn ? [this.#readers, this.#writers] : [this.#writers, this.#readers];
    this.#isTaken = first.admit() || second.admit();
  }
}
