import type { Clock } from "./clock.ts";

/** The default limit of one turn of the event loop. */
const defaultTurnMs = 5;

/**
 * Bounds how long work without I/O holds the event loop. Promises that are already settled run one after another in the
 * same turn, so that timers, deadlines and sockets have to wait.
 */
export class TurnBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #turnMs: number;
  readonly #onEnd: () => void;
  #startedMs: number | undefined;

  /** `onEnd` is called when the turn has ended. */
  constructor(clock: Pick<Clock, "monotonic">, turnMs = defaultTurnMs, onEnd = () => {}) {
    this.#clock = clock;
    this.#turnMs = turnMs;
    this.#onEnd = onEnd;
  }

  isUsedUp(): boolean {
    return this.#startedMs !== undefined && this.#clock.monotonic() - this.#startedMs >= this.#turnMs;
  }

  /** Starts to measure the turn, if nobody has. */
  begin(): void {
    if (this.#startedMs !== undefined) return;
    this.#startedMs = this.#clock.monotonic();
    setImmediate(() => {
      this.#startedMs = undefined;
      this.#onEnd();
    });
  }

  /**
   * Returns undefined while the turn may continue; otherwise a promise that resolves in a later turn. Call it before
   * each step.
   */
  yieldIfDue(): Promise<void> | undefined {
    if (this.isUsedUp()) return nextTurn();
    this.begin();
    return undefined;
  }
}

/** The work of this thread that waits for a turn, first come, first served. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop: timers and sockets get theirs before. One piece of work goes on in each
 * turn, so that a socket waits for one of them and not for all that are under way.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  const resume = waiting.shift();
  // Within such a callback it is called in the next turn.
  if (waiting.length > 0) setImmediate(resumeOne);
  resume?.();
}
