import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { LocalnetError } from "../errors.ts";

const yearSeconds = 366 * 24 * 3600;

/** Blocks have times of 32 bits. A year is left, so that a chain at its latest time still makes blocks. */
const latestSeconds = 2 ** 32 - 1 - yearSeconds;

/** The time of a chain: a clock's, and what was travelled ahead of it. Waiting takes as long as on the clock. */
export class ChainClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Unix time in seconds. */
  get seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** How far it is ahead of the clock, in whole seconds. */
  get aheadSeconds(): number {
    return Math.floor(this.#aheadMs / 1000);
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  timer(delayMs: number, fire: () => void): CancelTimer {
    return this.#clock.timer(delayMs, fire);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(delayMs, signal);
  }

  /** Advances by the given seconds; it cannot go back. */
  advance(seconds: number): void {
    if (!(seconds >= 0)) throw new LocalnetError("localnet/time", `time goes forwards, not by ${seconds} seconds`);
    if (this.seconds + seconds > latestSeconds) {
      throw new LocalnetError(
        "localnet/time",
        `the time of the chain ends at ${latestSeconds}, and it is ${this.seconds}`,
      );
    }
    this.#aheadMs += seconds * 1000;
  }

  /** Goes ahead to a moment in Unix seconds, unless that is past. */
  reach(seconds: number): void {
    const missing = seconds - this.seconds;
    if (missing > 0) this.#aheadMs += missing * 1000;
  }
}
