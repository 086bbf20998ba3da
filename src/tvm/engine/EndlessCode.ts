import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lru } from "../../lib/lru.ts";
import { TvmError } from "../errors.ts";

/** How long nothing of a contract is run after a run of it did not end. */
const restMs = 60_000;
const maxEntries = 4096;

/**
 * Contracts whose get-methods did not end in time. A get-method that says ACCEPT has no gas limit any more, as the
 * machine has it; asked again and again, or for one method after another, it would take the workers from all others.
 */
export class EndlessCode {
  readonly #clock: Clock;
  readonly #restsUntil = new Lru<string, number>({ maxBytes: maxEntries, sizeOf: () => 1 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs something of a contract; throws "tvm/timeout" at once while it rests. */
  async guard<T>(contract: string, run: () => Promise<T>): Promise<T> {
    if ((this.#restsUntil.find(contract) ?? 0) > this.#clock.monotonic())
      throw new TvmError("tvm/timeout", "a run of the same contract took too long a moment ago");
    try {
      return await run();
    } catch (error) {
      if (isCoded(error, "tvm/timeout")) this.#restsUntil.set(contract, this.#clock.monotonic() + restMs);
      throw error;
    }
  }
}
