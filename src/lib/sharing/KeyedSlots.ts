import { WaitQueue } from "../WaitQueue.ts";

interface Holders {
  count: number;
  readonly waiting: WaitQueue;
}

/** Slots by key: each key has a fixed number; callers without a free slot wait in order. */
export class KeyedSlots {
  readonly #limit: number;
  readonly #keys = new Map<string, Holders>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when a slot is free, which is taken now; otherwise resolves once one is taken. */
  take(key: string, signal?: AbortSignal): Promise<void> | undefined {
    const holders = this.#keys.get(key);
    if (holders === undefined) {
      this.#keys.set(key, { count: 1, waiting: new WaitQueue() });
      return undefined;
    }
    if (holders.count >= this.#limit) return holders.waiting.wait(signal);
    holders.count++;
    return undefined;
  }

  /** Passes a slot to the first waiting caller, or frees it. */
  release(key: string): void {
    const holders = this.#keys.get(key);
    if (holders === undefined || holders.waiting.admit()) return;
    holders.count--;
    if (holders.count === 0) this.#keys.delete(key);
  }
}
