import { type Clock, systemClock } from "./clock.ts";

/** The default limit of one turn of the event loop. */
const defaultTurnMs = 5;

/** How long all work of a thread together may hold one turn: each socket that is read in it may begin some. */
const togetherMs = 8;

/** When the first work of this turn of the event loop began, by the clock that measures it. */
const firstStartedMs = new WeakMap<Pick<Clock, "monotonic">, number>();

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
    const isFirst = !firstStartedMs.has(this.#clock);
    if (isFirst) firstStartedMs.set(this.#clock, this.#startedMs);
    setImmediate(() => {
      this.#startedMs = undefined;
      if (isFirst) firstStartedMs.delete(this.#clock);
      this.#onEnd();
    });
  }

  /**
   * Returns undefined while the turn may continue; otherwise a promise that resolves in a later turn. Call it before
   * each step.
   */
  yieldIfDue(): Promise<void> | undefined {
    if (this.isUsedUp() || this.#isTurnOver()) return nextTurn();
    this.begin();
    return undefined;
  }

  #isTurnOver(): boolean {
    const firstMs = firstStartedMs.get(this.#clock);
    return firstMs !== undefined && this.#clock.monotonic() - firstMs >= togetherMs;
  }
}

/** The work of this thread that waits for a turn, first come, first served. */
const waiting: (() => void)[] = [];

/**
 * How long waiting work lets timers and sockets go on that have work in every turn. With 5 ms, a local network that is
 * offered more than it can take made 8 % fewer transfers.
 */
const restMs = 2;
/** What a turn takes in which they had none. */
const emptyTurnMs = 0.2;
let restingSinceMs = 0;
let turnStartedMs = 0;

/**
 * Resolves in a later turn of the event loop: timers and sockets get theirs before, and further ones while they have
 * work, so that an answer of several steps does not wait for a piece of long work at each of them. One piece of work
 * goes on in each turn, so that a socket waits for one of them and not for all that are under way.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) rest();
  });
}

function rest(): void {
  restingSinceMs = systemClock.monotonic();
  turnStartedMs = restingSinceMs;
  setImmediate(resumeOne);
}

function resumeOne(): void {
  const nowMs = systemClock.monotonic();
  if (nowMs - turnStartedMs > emptyTurnMs && nowMs - restingSinceMs < restMs) {
    turnStartedMs = nowMs;
    setImmediate(resumeOne);
    return;
  }
  const resume = waiting.shift();
  // Within such a callback it is called in the next turn.
  if (waiting.length > 0) rest();
  resume?.();
}
