import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { LocalnetError } from "../errors.ts";

const yearSeconds = 366 * 24 * 3600;

/** Blocks have times of 32 bits. A year is left, so that a chain at its latest time still makes blocks. */
const latestSeconds = 2 ** 32 - 1 - yearSeconds;

/**
 * A smaller difference between the time of day and the steady time is drift or correction, not a clock that was set.
 */
const setMs = 1_000;

/**
 * The time of a chain: a clock's, and what was travelled ahead of it. Waiting takes as long as on the clock.
 *
 * It never goes back and is never behind the newest block: a message that is signed by an earlier time than that of the
 * chain is expired. When the machine's clock is set back, the chain continues at the same pace from where it was, ahead
 * of the machine, until that clock is set forward again.
 */
export class ChainClock implements Clock {
  readonly #clock: Clock;
  /** What was travelled. */
  #aheadMs = 0;
  /** How far the machine's clock was set back. */
  #setBackMs = 0;
  /** The latest look at the machine's clock. */
  #looked: { readonly now: number; readonly monotonic: number };
  /** The machine's time at which it was stopped. */
  #frozenMs: number | undefined;
  /** The newest time that was reported or is in a block. */
  #latestMs = 0;

  /** Goes on from an earlier moment than now, in Unix seconds, where one is given. */
  constructor(clock: Clock, startedAt?: number) {
    this.#clock = clock;
    this.#looked = { now: clock.now(), monotonic: clock.monotonic() };
    if (startedAt !== undefined) this.#aheadMs = Math.min(0, startedAt * 1000 - this.#looked.now);
  }

  /** Ends being behind the machine's clock. */
  catchUp(): void {
    this.#aheadMs = Math.max(0, this.#aheadMs);
  }

  /** Unix time in seconds. */
  get seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** How far it is ahead of the machine's clock now, in whole seconds. */
  get aheadSeconds(): number {
    return Math.floor((this.now() - this.#clock.now()) / 1000);
  }

  now(): number {
    const now = this.#look() + this.#setBackMs;
    this.#latestMs = Math.max(this.#latestMs, (this.#frozenMs ?? now) + this.#aheadMs);
    return this.#latestMs;
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
    if (!(seconds >= 0))
      throw new LocalnetError("localnet/time", `time can only be advanced, not by ${seconds} seconds`);
    if (this.seconds + seconds > latestSeconds)
      throw new LocalnetError("localnet/time", `chain time cannot pass ${latestSeconds}; it is ${this.seconds}`);
    this.#aheadMs += seconds * 1000;
  }

  /** Goes ahead to a moment in Unix seconds, which is not past. */
  set(seconds: number): void {
    if (seconds < this.seconds)
      throw new LocalnetError("localnet/time", `chain time is ${this.seconds} and cannot go back to ${seconds}`);
    this.advance(seconds - this.seconds);
  }

  get isFrozen(): boolean {
    return this.#frozenMs !== undefined;
  }

  /** Stops it: only `advance` and `set` move it. Blocks are made all the same. */
  freeze(): void {
    this.#frozenMs ??= this.#look() + this.#setBackMs;
  }

  /** Lets it go on; what passed meanwhile passes at once. */
  unfreeze(): void {
    this.#frozenMs = undefined;
  }

  /** Goes ahead to a moment in Unix seconds, unless that is past. */
  reach(seconds: number): void {
    const missing = seconds - this.seconds;
    if (missing > 0) this.#aheadMs += missing * 1000;
  }

  /** Reads the machine's clock and notes whether somebody has set it. */
  #look(): number {
    const looked = { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
    const passed = looked.monotonic - this.#looked.monotonic;
    const jumped = looked.now - this.#looked.now - passed;
    if (Math.abs(jumped) >= setMs) this.#setBackMs = Math.max(0, this.#setBackMs - jumped);
    this.#looked = looked;
    return looked.now;
  }
}
