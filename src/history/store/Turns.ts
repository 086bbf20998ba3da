import { onAbort } from "../../lib/abort.ts";

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/** How many readers go before a writer that waits, when both do. */
const readersBetweenWriters = 4;

/**
 * Whose turn it is where one at a time may go. A writer waits for no more than a few readers, and readers for one
 * writer: neither starves.
 */
export class Turns {
  readonly #writers = new Set<Waiter>();
  readonly #readers = new Set<Waiter>();
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
    for (const waiter of [...this.#writers, ...this.#readers]) waiter.refuse(this.#closed);
    if (this.#isTaken)
      await new Promise<void>((resolve) => this.#writers.add({ admit: resolve, refuse: () => resolve() }));
  }

  #wait(line: Set<Waiter>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      let stopListening = () => {};
      const leave = (how: () => void) => {
        line.delete(waiter);
        stopListening();
        how();
      };
      const waiter: Waiter = {
        admit: () => leave(resolve),
        refuse: (reason) => leave(() => reject(reason)),
      };
      line.add(waiter);
      stopListening = onAbort(signal, waiter.refuse);
      this.#next();
    });
  }

  #next(): void {
    if (this.#isTaken) return;
    const [writer] = this.#writers;
    const [reader] = this.#readers;
    const next = reader !== undefined && this.#readersInRow < readersBetweenWriters ? reader : (writer ?? reader);
    if (next === undefined) return;
    this.#isTaken = true;
    next.admit();
  }
}
