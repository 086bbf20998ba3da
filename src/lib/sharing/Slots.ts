import { WaitQueue } from "../WaitQueue.ts";

export interface SlotLimits {
  /** Slots of all keys together; no limit if absent. */
  readonly total?: number;
  /** Slots of one key; no limit if absent. */
  readonly perKey?: number;
}

/** Who takes a slot, and until when it waits. Work without a key counts towards the total only. */
export interface SlotUse {
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Limits how much work runs at once, in total and for each key. Work without a free slot waits: next is the key that
 * holds the fewest slots, of equal ones the key whose last turn was longest ago, and of its work the first.
 */
export class Slots {
  readonly #perKey: number;
  #total: number;
  #taken = 0;
  readonly #held = new Map<string, number>();
  readonly #queues = new Map<string | undefined, WaitQueue>();
  readonly #idle = new WaitQueue();

  constructor({ total = Number.POSITIVE_INFINITY, perKey = Number.POSITIVE_INFINITY }: SlotLimits) {
    this.#total = total;
    this.#perKey = perKey;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  /** Runs the work in a slot; rejects with the signal's reason if that aborts before. */
  async run<T>(work: () => Promise<T>, use: SlotUse = {}): Promise<T> {
    const wait = this.take(use);
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.release(use.key);
    }
  }

  /** Undefined when a slot is free, which is taken now; otherwise resolves once one is taken. */
  take({ key, signal }: SlotUse = {}): Promise<void> | undefined {
    if (this.isFree(key)) {
      this.#count(key, 1);
      return undefined;
    }
    const queue = this.#queues.get(key) ?? new WaitQueue();
    this.#queues.set(key, queue);
    return queue.wait(signal);
  }

  /** Passes a taken slot on, or frees it. */
  release(key?: string): void {
    this.#count(key, -1);
    this.#admit(key);
    if (this.#taken === 0) this.#idle.admitAll();
  }

  isFree(key?: string): boolean {
    return this.#taken < this.#total && this.#holds(key) < this.#perKey;
  }

  /** Changes the total, which is at least one; running work keeps its slot. */
  resize(total: number): void {
    this.#total = total;
    this.#admit();
  }

  /** Rejects all waiting work; running work keeps its slot. */
  refuseWaiting(reason: Error): void {
    for (const queue of this.#queues.values()) queue.refuseAll(reason);
    this.#queues.clear();
  }

  /** Resolves when no work runs or waits. */
  async idle(): Promise<void> {
    if (this.#taken > 0) await this.#idle.wait();
  }

  #admit(freed?: string): void {
    for (;;) {
      const next = this.#findNext(freed);
      if (next === undefined) return;
      const { key, queue } = next;
      this.#count(key, 1);
      queue.admit();
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
    }
  }

  /** Without a total, only work with the freed key can be next. */
  #findNext(freed: string | undefined) {
    let next: { readonly key: string | undefined; readonly queue: WaitQueue } | undefined;
    for (const key of this.#total === Number.POSITIVE_INFINITY ? [freed] : this.#queues.keys()) {
      const queue = this.#queues.get(key);
      if (queue === undefined) continue;
      if (queue.length === 0) this.#queues.delete(key);
      else if (this.isFree(key) && (next === undefined || this.#holds(key) < this.#holds(next.key)))
        next = { key, queue };
    }
    return next;
  }

  #holds(key: string | undefined): number {
    return key === undefined ? 0 : (this.#held.get(key) ?? 0);
  }

  #count(key: string | undefined, change: number): void {
    this.#taken += change;
    if (key === undefined) return;
    const held = this.#holds(key) + change;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
  }
}
