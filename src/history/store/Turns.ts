import { WaitQueue } from "../../lib/WaitQueue.ts";

/** How many readers go before a writer that waits, when both do. */
const readersBetweenWriters = 4;

/**
 * Whose turn it is where one at a time may go. A writer waits for no more than a few readers, and readers for one
 * writer: neither starves.
 */
export class Turns {
  readonly #writers = new WaitQueue();
  readonly #readers = new WaitQueue();
  #isTaken = false;
  #readersInRow = 0;
  #closed: Error | undefined;

  /** Does the work when it is its turn; rejects with the signal's reason when that comes first. */
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

  /** Refuses those who wait and who come; resolves when the one whose turn it is has ended. */
  async close(reason: Error): Promise<void> {
    this.#closed ??= reason;
    this.#writers.refuseAll(this.#closed);
    this.#readers.refuseAll(this.#closed);
    // Closed a second time, the first to wait for the end is sent away like everybody else.
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
