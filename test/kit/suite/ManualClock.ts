import { type CancelTimer, type Clock, sleepBy } from "../../../src/lib/clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * A clock that stands still until it is advanced. Timers fire in the order of their due times, equal ones in the order
 * they were set. Each timer sees its due time as the current time, and its continuations run before the next timer
 * fires.
 */
export class ManualClock implements Clock {
  readonly #startedAt: number;
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;
  #order = 0;

  constructor(startMs = 1_700_000_000_000) {
    this.#startedAt = startMs;
  }

  now(): number {
    return this.#startedAt + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  timer(delayMs: number, fire: () => void): CancelTimer {
    const timer = { at: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepBy((delay, fire) => this.timer(delay, fire), delayMs, signal);
  }

  /** Number of pending timers; zero shows that none leaked. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Advances the time by `ms` and fires all due timers, including those set in the meantime. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsedMs + ms;
    await flushPromises();
    for (let due = this.#nextUntil(until); due !== undefined; due = this.#nextUntil(until)) {
      this.#timers.delete(due);
      this.#elapsedMs = due.at;
      due.fire();
      await flushPromises();
    }
    this.#elapsedMs = until;
  }

  #nextUntil(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      const sooner = next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order);
      if (timer.at <= until && sooner) next = timer;
    }
    return next;
  }
}

/** Lets all ready promise continuations run: immediates come after the whole microtask queue. */
export function flushPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
