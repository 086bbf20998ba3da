import { LiteError } from "../errors.ts";

export interface RecordLimits {
  /** The most bytes of one recording. */
  readonly maxBytes: number;
  /** The most bytes of all recordings. */
  readonly maxTotalBytes: number;
}

/** One recording may lead from an old init block of mainnet to its head; two and some small ones fit at a time. */
const usualLimits: RecordLimits = { maxBytes: 40 << 20, maxTotalBytes: 96 << 20 };

/** Counts the bytes of recorded answers; those that several recordings share count once. */
export class RecordBudget {
  readonly maxBytes: number;
  readonly #maxTotalBytes: number;
  readonly #holders = new Map<Uint8Array, number>();
  #bytes = 0;

  constructor({ maxBytes, maxTotalBytes }: RecordLimits = usualLimits) {
    this.maxBytes = maxBytes;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** Of all recordings. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws "lite/record-full" when there is no room. */
  hold(answer: Uint8Array): void {
    const holders = this.#holders.get(answer) ?? 0;
    if (holders === 0) this.#take(answer.length);
    this.#holders.set(answer, holders + 1);
  }

  release(answer: Uint8Array): void {
    const holders = this.#holders.get(answer) ?? 0;
    if (holders > 1) {
      this.#holders.set(answer, holders - 1);
      return;
    }
    if (this.#holders.delete(answer)) this.#bytes -= answer.length;
  }

  #take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxTotalBytes) {
      throw new LiteError(
        "lite/record-full",
        `too many answers with proofs at once (limit ${this.#maxTotalBytes} bytes); try again in a moment`,
      );
    }
    this.#bytes += bytes;
  }
}
