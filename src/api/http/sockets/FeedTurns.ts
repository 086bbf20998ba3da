import type { Clock } from "../../../lib/clock.ts";

/** How long requests are taken in one turn of the event loop. */
const turnMs = 10;

/** A connection that has bytes to parse. */
export interface Feed {
  /** Parses as much as may be parsed now. */
  pump(): void;
}

/**
 * Divides the time on the event loop among the connections of all servers: after 10 ms of a turn, further connections
 * wait in line, unparsed, so that timers and other sockets are served between.
 */
export class FeedTurns {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #waiting = new Set<Feed>();
  #startedMs = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  /** Whether those that wait are called in this turn. */
  #isRunning = false;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Whether this turn has taken its time; call it before each piece. */
  isOver(): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#startedMs < turnMs) return false;
    if (this.#isScheduled || this.#isRunning) return true;
    // The turn may have begun later. An immediate, which costs a look at all sockets, tells: not for each short turn.
    this.#startedMs = nowMs;
    this.#schedule();
    return false;
  }

  /** Calls the connection in a later turn, after those that wait already. */
  wait(feed: Feed): void {
    this.#waiting.add(feed);
    this.#schedule();
  }

  leave(feed: Feed): void {
    this.#waiting.delete(feed);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isRunning) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#isRunning = true;
    this.#startedMs = this.#clock.monotonic();
    this.#callFirst();
  };

  readonly #callNext = (): void => {
    if (this.#waiting.size > 0 && !this.isOver()) {
      this.#callFirst();
      return;
    }
    this.#isRunning = false;
    if (this.#waiting.size > 0) this.#schedule();
  };

  #callFirst(): void {
    const [feed] = this.#waiting;
    if (feed !== undefined) this.#waiting.delete(feed);
    // Answers are made and written in promises and ticks of the same turn: their time counts as well.
    queueMicrotask(this.#tickNext);
    feed?.pump();
  }

  readonly #tickNext = (): void => {
    process.nextTick(this.#callNext);
  };
}
