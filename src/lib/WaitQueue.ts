import { onAbort } from "./abort.ts";
import { RecyclingMap } from "./RecyclingMap.ts";

interface Waiter<T> {
  readonly caller: string | undefined;
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
  wait(signal?: AbortSignal, caller?: string): Promise<T> {
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = () => {
        this.#waiters.delete(waiter);
        stopListening();
      };
      const waiter: Waiter<T> = {
        caller,
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

  /** Resolves the first waiting call; returns whether there was one. */
  admit(value: T): boolean {
    const first = this.#waiters.first();
    first?.admit(value);
    return first !== undefined;
  }

  /**
   * Resolves the call whose caller has the lowest rank, of equal ones the first, and returns its caller. A caller without
   * a rank goes on waiting.
   */
  admitLowest(value: T, rank: (caller?: string) => number | undefined): Pick<Waiter<T>, "caller"> | undefined {
    let lowest: { readonly waiter: Waiter<T>; readonly rank: number } | undefined;
    for (const waiter of this.#waiters.list()) {
      const own = rank(waiter.caller);
      if (own !== undefined && (lowest === undefined || own < lowest.rank)) lowest = { waiter, rank: own };
    }
    lowest?.waiter.admit(value);
    return lowest?.waiter;
  }

  /** Resolves every waiting call. */
  admitAll(value: T): void {
    for (const waiter of this.#waiters.list()) waiter.admit(value);
  }

  /** Rejects every waiting call. */
  refuseAll(reason: Error): void {
    for (const waiter of this.#waiters.list()) waiter.refuse(reason);
  }
}
