import type { Clock } from "./clock.ts";

/** The default limit of one turn of the event loop. */
const defaultTurnMs = 10;

/**
 * Bounds how long work without I/O holds the event loop. Promises that are already settled run one after another in the
 * same turn, so that timers, deadlines and sockets have to wait.
 */
export class TurnBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #turnMs: number;
  #startedMs: number | undefined;

  constructor(clock: Pick<Clock, "monotonic">, turnMs = defaultTurnMs) {
    this.#clock = clock;
    this.#turnMs = turnMs;
  }

  /**
   * Returns undefined while the turn may continue; otherwise a promise that resolves in a later turn. Call it before
   * each step.
   */
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
