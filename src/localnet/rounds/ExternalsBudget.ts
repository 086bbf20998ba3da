/** What a round did, and how long its parts took. */
export interface RoundTimes {
  /** External messages that were tried. */
  readonly tried: number;
  /** Until the last of them was tried. */
  readonly externalsMs: number;
  /** Until its blocks were in the chain. */
  readonly wholeMs: number;
}

/** Initial estimate of the time that a tried message takes in the rest of its round, in milliseconds. */
const firstGuess = 0.5;
/** The weight of the newest round against earlier ones. */
const weightOfLast = 0.3;
/**
 * A round shows the cost of messages, and not that of an empty block, if it tried this many, or used this part of its
 * time.
 */
const tellingCount = 50;
const tellingPart = 1 / 8;
/** Messages get at least this part of the pace, however long the rest takes: slow rounds are better than starvation. */
const leastPart = 1 / 4;

/**
 * How long a round may try external messages, so that with all that follows from them it keeps its pace. What follows
 * (delivering, assembling, writing) grows with the number of messages and not with the time that trying them took:
 * other work comes between the trials, but not into the rest. It is learned from the rounds before.
 */
export class ExternalsBudget {
  readonly #paceMs: number;
  #restMsPerMessage = firstGuess;

  constructor(paceMs: number) {
    this.#paceMs = paceMs;
  }

  /** Whether a round that has tried this many messages must go on to the rest to keep its pace. */
  isSpent(elapsedMs: number, tried: number): boolean {
    return elapsedMs >= this.#paceMs * leastPart && elapsedMs + tried * this.#restMsPerMessage >= this.#paceMs;
  }

  learn({ tried, externalsMs, wholeMs }: RoundTimes): void {
    if (tried === 0 || (tried < tellingCount && externalsMs < this.#paceMs * tellingPart)) return;
    const restMs = (wholeMs - externalsMs) / tried;
    this.#restMsPerMessage += (restMs - this.#restMsPerMessage) * weightOfLast;
  }
}
