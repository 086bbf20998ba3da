import { onAbort } from "../lib/abort.ts";
import { PassingMap } from "../lib/PassingMap.ts";
import { LiteError } from "./errors.ts";

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/** So many places and no more: whoever finds none free waits in line, and when the line is full is refused. */
export class Slots {
  #maxTaken: number;
  readonly #maxWaiting: number;
  readonly #line = new PassingMap<Waiter, Waiter>();
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
    return this.#line.size;
  }

  /** Runs the work in a place of its own; rejects with `lite/busy` when the line is full, or with the signal's reason. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#taken < this.#maxTaken) {
      this.#taken += 1;
    } else {
      await this.#wait(signal);
    }
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Changes the number of places, which is at least one; those who have one too many keep it until they leave. */
  resize(maxTaken: number): void {
    this.#maxTaken = maxTaken;
    for (const waiter of this.#line.list()) {
      if (this.#taken >= maxTaken) {
        return;
      }
      this.#taken += 1;
      waiter.admit();
    }
  }

  /** Sends everybody in line away; those who have a place keep it. */
  refuseWaiting(reason: Error): void {
    for (const waiter of this.#line.list()) {
      waiter.refuse(reason);
    }
  }

  /** Resolves when no place is taken and nobody waits. */
  async idle(): Promise<void> {
    if (this.#taken > 0) {
      await new Promise<void>((resolve) => this.#idle.add(resolve));
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#line.size >= this.#maxWaiting) {
      throw new LiteError("lite/busy", `${this.#maxWaiting} questions already wait for this server`);
    }
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = (how: () => void) => {
        this.#line.delete(waiter);
        stopListening();
        how();
      };
      const waiter: Waiter = {
        admit: () => leave(resolve),
        refuse: (reason) => leave(() => reject(reason)),
      };
      this.#line.set(waiter, waiter);
      stopListening = onAbort(signal, (reason) => waiter.refuse(reason));
    });
  }

  /** Hands the place to the first in line, or leaves it free. */
  #release(): void {
    const next = this.#line.first();
    if (next !== undefined && this.#taken <= this.#maxTaken) {
      next.admit();
      return;
    }
    this.#taken -= 1;
    if (this.#taken === 0) {
      for (const resolve of this.#idle) {
        resolve();
      }
      this.#idle.clear();
    }
  }
}
