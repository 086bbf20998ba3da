import { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";

/** A fixed number of slots: work waits in a queue when none is free, and is refused when the queue is full. */
export class Slots {
  #maxTaken: number;
  readonly #maxWaiting: number;
  readonly #line = new WaitQueue();
  readonly #idle = new Set<() => void>();
  #taken = 0;

  constructor(maxTaken: number, maxWaiting: number) {
    this.#maxTaken = maxTaken;
    this.#maxWaiting = maxWaiting;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Runs the work in a slot; rejects with `lite/busy` when the queue is full, or with the signal's reason. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#taken < this.#maxTaken) this.#taken += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Changes the number of slots, which is at least one; running work keeps its slot. */
  resize(maxTaken: number): void {
    this.#maxTaken = maxTaken;
    while (this.#taken < maxTaken && this.#line.admit()) this.#taken += 1;
  }

  /** Rejects all waiting work; running work keeps its slot. */
  refuseWaiting(reason: Error): void {
    this.#line.refuseAll(reason);
  }

  /** Resolves when no slot is used and no work waits. */
  async idle(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#line.length >= this.#maxWaiting)
      throw new LiteError("lite/busy", `${this.#maxWaiting} queries already wait for this server`);
    return this.#line.wait(signal);
  }

  /** Passes the slot to the first waiting work, or frees it. */
  #release(): void {
    if (this.#taken <= this.#maxTaken && this.#line.admit()) return;
    this.#taken -= 1;
    if (this.#taken === 0) {
      for (const resolve of this.#idle) resolve();
      this.#idle.clear();
    }
  }
}
