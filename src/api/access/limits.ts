import type { Clock } from "../../lib/clock.ts";

/** A rate: requests per second in the long run, and the largest burst. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Whether one more request is allowed, and the state of the limit. */
export interface RateDecision {
  readonly isAllowed: boolean;
  /** How many more are allowed right now. */
  readonly remaining: number;
  /** Time until a refused request would be allowed. */
  readonly retryMs: number;
  /** Time until the full burst is allowed again. */
  readonly resetMs: number;
}

/** The counters of all callers; several processes may share them. */
export interface LimitStore {
  /** Whether counting never waits. */
  readonly isImmediate: boolean;
  /** Counts one request of this name, if it is allowed. */
  take(name: string, rate: Rate): RateDecision | Promise<RateDecision>;
  /** Counts as many more for a request that was allowed: none of them is refused, the next requests wait for them. */
  add(name: string, rate: Rate, count: number): void | Promise<void>;
  close(): Promise<void>;
}

/**
 * The generic cell rate algorithm: for each name only its "theoretical arrival time" is kept. A request is allowed
 * while that is not further ahead than the burst allows.
 */
export function takeFrom(
  evenAtMs: number,
  nowMs: number,
  { perSecond, burst }: Rate,
): RateDecision & { evenAtMs: number } {
  const eachMs = 1000 / perSecond;
  const toleranceMs = eachMs * (Math.max(1, burst) - 1);
  const behindMs = Math.max(0, evenAtMs - nowMs);
  const isAllowed = behindMs <= toleranceMs;
  const afterMs = isAllowed ? behindMs + eachMs : behindMs;
  return {
    isAllowed,
    evenAtMs: nowMs + afterMs,
    remaining: Math.max(0, Math.floor((toleranceMs - afterMs) / eachMs) + 1),
    retryMs: isAllowed ? 0 : behindMs - toleranceMs,
    resetMs: afterMs,
  };
}

export interface MemoryLimitsOptions {
  /** Maximum number of names; beyond it the least recently used are dropped first. */
  readonly maxNames: number;
}

/** Counters of this process alone. */
export class MemoryLimits implements LimitStore {
  readonly isImmediate = true;
  readonly #options: MemoryLimitsOptions;
  readonly #clock: Clock;
  /** In the order of last use. */
  readonly #evenAt = new Map<string, number>();

  constructor(options: MemoryLimitsOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  get size(): number {
    return this.#evenAt.size;
  }

  take(name: string, rate: Rate): RateDecision {
    const nowMs = this.#clock.monotonic();
    const { evenAtMs, ...verdict } = takeFrom(this.#evenAt.get(name) ?? 0, nowMs, rate);
    this.#set(name, evenAtMs, nowMs);
    return verdict;
  }

  add(name: string, { perSecond }: Rate, count: number): void {
    const nowMs = this.#clock.monotonic();
    this.#set(name, Math.max(nowMs, this.#evenAt.get(name) ?? 0) + (count * 1000) / perSecond, nowMs);
  }

  async close(): Promise<void> {
    this.#evenAt.clear();
  }

  #set(name: string, evenAtMs: number, nowMs: number): void {
    this.#evenAt.delete(name);
    this.#evenAt.set(name, evenAtMs);
    this.#forgetSome(nowMs);
  }

  /**
   * Checks two of the least recently used names at each request: a name whose time has passed loses nothing, and the
   * map cannot grow.
   */
  #forgetSome(nowMs: number): void {
    let looked = 0;
    for (const [name, evenAtMs] of this.#evenAt) {
      if (looked === 2 || (evenAtMs > nowMs && this.#evenAt.size <= this.#options.maxNames)) return;
      this.#evenAt.delete(name);
      looked += 1;
    }
  }
}
