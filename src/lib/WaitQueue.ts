import { onAbort } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { RecyclingMap } from "./memory/RecyclingMap.ts";

interface Waiter<T> {
  readonly admit: (value: T) => void;
  readonly refuse: (reason: Error) => void;
}

/** Callers that wait for the same thing, in the order in which they came. */
export class WaitQueue<T = void> {
  readonly #waiters = new RecyclingMap<Waiter<T>, Waiter<T>>();

  get length(): number {
    return this.#waiters.size;
  }

  /** Waits at the end of the queue; rejects with the signal's reason as soon as that aborts. */
  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => this.#enlist({ admit: resolve, refuse: reject }, signal));
  }

  /** Like `wait`, but for no longer than `delayMs`. */
  waitAtMost(this: WaitQueue, clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = clock.timer(delayMs, () => waiter.admit());
      const admit = () => {
        cancel();
        resolve();
      };
      const refuse = (reason: Error) => {
        cancel();
        reject(reason);
      };
      const waiter = this.#enlist({ admit, refuse }, signal);
    });
  }

  /** Resolves the first waiting call; returns whether there was one. */
  admit(value: T): boolean {
    const first = this.#waiters.first();
    first?.admit(value);
    return first !== undefined;
  }

  /** Resolves every waiting call. */
  admitAll(value: T): void {
    for (const waiter of this.#waiters.list()) waiter.admit(value);
  }

  /** Rejects every waiting call. */
  refuseAll(reason: Error): void {
    for (const waiter of this.#waiters.list()) waiter.refuse(reason);
  }

  /** Returns the waiter that leaves the queue before it admits or refuses. */
  #enlist({ admit, refuse }: Waiter<T>, signal: AbortSignal | undefined): Waiter<T> {
    let stopListening = () => {};
    const leave = () => {
      this.#waiters.delete(waiter);
      stopListening();
    };
    const waiter: Waiter<T> = {
      admit: (value) => {
        leave();
        admit(value);
      },
      refuse: (reason) => {
        leave();
        refuse(reason);
      },
    };
    this.#waiters.set(waiter, waiter);
    stopListening = onAbort(signal, waiter.refuse);
    return waiter;
  }
}
