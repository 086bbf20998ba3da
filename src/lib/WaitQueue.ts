import { onAbort } from "./abort.ts";
import { RecyclingMap } from "./RecyclingMap.ts";

interface Waiter<T> {
  readonly admit: (value: T) => void;
  readonly refuse: (reason: Error) => void;
}

/** Those who wait for the same thing, in the order in which they came. */
export class WaitQueue<T = void> {
  readonly #waiters = new RecyclingMap<Waiter<T>, Waiter<T>>();

  get length(): number {
    return this.#waiters.size;
  }

  /** Waits at the end of the line; rejects with the signal's reason as soon as that aborts. */
  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = () => {
        this.#waiters.delete(waiter);
        stopListening();
      };
      const waiter: Waiter<T> = {
        admit: (value) => {
          leave();
          resolve(value);
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      this.#waiters.set(waiter, waiter);
      stopListening = onAbort(signal, waiter.refuse);
    });
  }

  /** Gives the first in line what it waits for, and tells whether there was one. */
  admit(value: T): boolean {
    const first = this.#waiters.first();
    first?.admit(value);
    return first !== undefined;
  }

  /** Sends everybody away. */
  refuseAll(reason: Error): void {
    for (const waiter of this.#waiters.list()) waiter.refuse(reason);
  }
}
