import { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";

/** So many places and no more: whoever finds none free waits in line, and when the line is full is refused. */
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

  /** Runs the work in a place of its own; rejects with `lite/busy` when the line is full, or with the signal's reason. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#taken < this.#maxTaken) this.#taken += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Changes the number of places, which is at least one; those who have one too many keep it until they leave. */
  resize(maxTaken: number): void {
    this.#maxTaken = maxTaken;
    while (this.#taken < maxTaken && this.#line.admit()) this.#taken += 1;
  }

  /** Sends everybody in line away; those who have a place keep it. */
  refuseWaiting(reason: Error): void {
    this.#line.refuseAll(reason);
  }

  /** Resolves when no place is taken and nobody waits. */
  async idle(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#line.length >= this.#maxWaiting)
      throw new LiteError("lite/busy", `${this.#maxWaiting} questions already wait for this server`);
    return this.#line.wait(signal);
  }

  /** Hands the place to the first in line, or leaves it free. */
  #release(): void {
    if (this.#taken <= this.#maxTaken && this.#line.admit()) return;
    this.#taken -= 1;
    if (this.#taken === 0) {
      for (const resolve of this.#idle) resolve();
      this.#idle.clear();
    }
  }
}
