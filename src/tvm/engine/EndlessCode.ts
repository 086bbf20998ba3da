import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lru } from "../../lib/lru.ts";
import { TvmError } from "../errors.ts";

/** How many runs in a row must not end before a contract rests: one may be late because the machine is busy. */
const mostLate = 3;
const restMs = 60_000;
const maxEntries = 4096;

/** How a contract did lately. */
interface Lateness {
  readonly inRow: number;
  readonly restsUntil: number;
}

/**
 * Contracts whose get-methods did not end in time. A get-method that says ACCEPT has no gas limit any more, as the
 * machine has it; asked again and again, or for one method after another, it would take the workers from all others.
 */
export class EndlessCode {
  readonly #clock: Clock;
  readonly #late = new Lru<string, Lateness>({ maxBytes: maxEntries, sizeOf: () => 1 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs something of a contract; throws "tvm/timeout" at once while it rests. */
  async guard<T>(contract: string, run: () => Promise<T>): Promise<T> {
    const { inRow, restsUntil } = this.#late.find(contract) ?? { inRow: 0, restsUntil: 0 };
    if (restsUntil > this.#clock.monotonic())
      throw new TvmError("tvm/timeout", "runs of the same contract took too long a moment ago");
    try {
      const outcome = await run();
      if (inRow > 0) this.#late.delete(contract);
      return outcome;
    } catch (error) {
      if (isCoded(error, "tvm/timeout")) this.#note(contract);
      throw error;
    }
  }

  #note(contract: string): void {
    const inRow = (this.#late.find(contract)?.inRow ?? 0) + 1;
    const restsUntil = inRow < mostLate ? 0 : this.#clock.monotonic() + restMs;
    this.#late.set(contract, { inRow, restsUntil });
  }
}
