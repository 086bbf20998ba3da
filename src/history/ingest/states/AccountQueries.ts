import type { Clock } from "../../../lib/clock.ts";
import { withDeadline } from "../../../lib/deadline.ts";
import type { Random } from "../../../lib/random.ts";
import { type Backoff, retry } from "../../../lib/retry.ts";

export interface AccountQueryOptions {
  /** How often one question is asked before it fails for good; 6 when not said. */
  readonly attempts?: number;
  /** How long one answer may take; 20 s when not said. */
  readonly answerMs?: number;
  readonly backoff?: Backoff;
}

const defaultBackoff: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };

/** Asks again what failed by the other side's fault. */
export class AccountQueries {
  readonly #modules: { readonly clock: Clock; readonly random: Random };
  readonly #options: Required<AccountQueryOptions>;
  #repeated = 0;

  constructor(modules: { readonly clock: Clock; readonly random: Random }, options: AccountQueryOptions = {}) {
    const { attempts = 6, answerMs = 20_000, backoff = defaultBackoff } = options;
    this.#modules = modules;
    this.#options = { attempts, answerMs, backoff };
  }

  /** How many questions had to be asked again. */
  get repeated(): number {
    return this.#repeated;
  }

  async ask<T>(question: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, random } = this.#modules;
    const { attempts, answerMs, backoff } = this.#options;
    const attempt = async (count: number): Promise<T> => {
      if (count > 1) this.#repeated++;
      const deadline = withDeadline(clock, answerMs, signal);
      try {
        return await question(deadline.signal);
      } finally {
        deadline.dispose();
      }
    };
    return retry(attempt, { clock, random, attempts, backoff, signal });
  }
}
