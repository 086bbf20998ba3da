import type { Clock } from "../../lib/clock.ts";
import type { Advance } from "./steps/CommitQueue.ts";

export interface Rates {
  /** Masterchain blocks a second. */
  readonly blocksPerSecond: number;
  readonly transactionsPerSecond: number;
}

interface Mark {
  readonly atMs: number;
  readonly blocks: number;
  readonly transactions: number;
}

/** How long a commit counts for the rate, and how many are kept. */
const windowMs = 60_000;
const maxMarks = 600;

/** The rate of indexing over the last minute. */
export class Progress {
  readonly #clock: Clock;
  readonly #marks: Mark[];
  #blocks = 0;
  #transactions = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#marks = [{ atMs: clock.monotonic(), blocks: 0, transactions: 0 }];
  }

  get blocks(): number {
    return this.#blocks;
  }

  get transactions(): number {
    return this.#transactions;
  }

  note({ blocks, transactions }: Advance): void {
    this.#blocks += blocks;
    this.#transactions += transactions;
    this.#marks.push({ atMs: this.#clock.monotonic(), blocks: this.#blocks, transactions: this.#transactions });
    this.#forget();
  }

  rates(): Rates {
    this.#forget();
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (this.#clock.monotonic() - first.atMs) / 1000;
    if (first === undefined || seconds <= 0) return { blocksPerSecond: 0, transactionsPerSecond: 0 };
    return {
      blocksPerSecond: (this.#blocks - first.blocks) / seconds,
      transactionsPerSecond: (this.#transactions - first.transactions) / seconds,
    };
  }

  /** The oldest mark starts the window; it is dropped when the next one is old enough. */
  #forget(): void {
    const oldest = this.#clock.monotonic() - windowMs;
    while (this.#marks.length > 1 && ((this.#marks[1]?.atMs ?? 0) <= oldest || this.#marks.length > maxMarks))
      this.#marks.shift();
  }
}

/** Seconds until this many blocks are done, if the rate is known. */
export function secondsLeft(blocks: number, { blocksPerSecond }: Rates, growthPerSecond = 0): number | undefined {
  const gain = blocksPerSecond - growthPerSecond;
  return blocks <= 0 ? 0 : gain <= 0 ? undefined : Math.ceil(blocks / gain);
}
