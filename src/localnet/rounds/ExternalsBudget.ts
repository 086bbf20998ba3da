/** How long the parts of a round took. */
export interface RoundTimes {
  /** Until the last message from outside was tried; undefined when there was none. */
  readonly externalsMs: number | undefined;
  /** Until its blocks were in the chain. */
  readonly wholeMs: number;
}

/** Initial estimate of the time of a round's rest per millisecond of external messages. */
const firstGuess = 1.5;
/** The weight of the newest round against earlier ones. */
const weightOfLast = 0.3;
/** A round that tried messages for a smaller part of its pace is not significant. */
const tellingPart = 1 / 8;
/** Messages get at least this part of the pace, however long the rest takes: slow rounds are better than starvation. */
const leastPart = 1 / 4;

/**
 * How long a round may try messages from outside, so that with all that follows from them it keeps its pace. What
 * follows (delivering, assembling, writing) is learned from the rounds before; a machine under load takes fewer.
 */
export class ExternalsBudget {
  readonly #paceMs: number;
  #restPerMs = firstGuess;

  constructor(paceMs: number) {
    this.#paceMs = paceMs;
  }

  /** Counted from the beginning of the round. */
  get limitMs(): number {
    return Math.max(this.#paceMs / (1 + this.#restPerMs), this.#paceMs * leastPart);
  }

  learn({ externalsMs, wholeMs }: RoundTimes): void {
    if (externalsMs === undefined || externalsMs < this.#paceMs * tellingPart) return;
    const restPerMs = (wholeMs - externalsMs) / externalsMs;
    this.#restPerMs += (restPerMs - this.#restPerMs) * weightOfLast;
  }
}
