import type { Clock } from "./clock.ts";

/* In place of `TurnBudget.ts` for clients: a page or a script has little work at a time, and nobody else to serve. */

const defaultTurnMs = 5;

export class TurnBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #turnMs: number;
  #startedMs: number | undefined;

  constructor(clock: Pick<Clock, "monotonic">, turnMs = defaultTurnMs) {
    this.#clock = clock;
    this.#turnMs = turnMs;
  }

  yieldIfDue(): Promise<void> | undefined {
    const nowMs = this.#clock.monotonic();
    this.#startedMs ??= nowMs;
    if (nowMs - this.#startedMs < this.#turnMs) return undefined;
    this.#startedMs = undefined;
    return nextTurn();
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
