import type { Clock } from "./clock.ts";

/** How long one turn of the event loop may take before others get theirs, when nothing else is said. */
const defaultTurnMs = 10;

/**
 * Bounds how long work that waits for nothing outside the process holds the event loop. Promises that are settled at once
 * run one after another in the same turn, so that timers, and with them deadlines, and sockets never get theirs.
 */
export class TurnBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #turnMs: number;
  #startedMs: number | undefined;

  constructor(clock: Pick<Clock, "monotonic">, turnMs = defaultTurnMs) {
    this.#clock = clock;
    this.#turnMs = turnMs;
  }

  /** Undefined while the turn may go on; otherwise resolves in a later turn. Call it before each step. */
  yieldIfDue(): Promise<void> | undefined {
    const nowMs = this.#clock.monotonic();
    if (this.#startedMs === undefined) {
      this.#startedMs = nowMs;
      setImmediate(() => {
        this.#startedMs = undefined;
      });
      return undefined;
    }
    if (nowMs - this.#startedMs < this.#turnMs) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  }
}
