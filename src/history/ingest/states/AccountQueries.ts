import type { Clock } from "../../../lib/clock.ts";
import { withDeadline } from "../../../lib/deadline.ts";
import type { Random } from "../../../lib/random.ts";
import { type Backoff, retry } from "../../../lib/retry.ts";

export interface AccountQueryOptions {
  /** How often a query is tried before it fails for good; 6 by default. */
  readonly attempts?: number;
  /** Time limit of one answer; 20 s by default. */
  readonly answerMs?: number;
  readonly backoff?: Backoff;
}

const defaultBackoff: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };

/** Retries queries that fail because of the other side. */
export class AccountQueries {
  readonly #modules: { readonly clock: Clock; readonly random: Random };
  readonly #options: Required<AccountQueryOptions>;
  #repeated = 0;

  constructor(modules: { readonly clock: Clock; readonly random: Random }, options: AccountQueryOptions = {}) {
    const { attempts = 6, answerMs = 20_000, backoff = defaultBackoff } = options;
    this.#modules = modules;
    this.#options = { attempts, answerMs, backoff };
  }

  /** Queries that were retried. */
  get repeated(): number {
    return this.#repeated;
  }

  async run<T>(query: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, random } = this.#modules;
    const { attempts, answerMs, backoff } = this.#options;
    const attempt = async (count: number): Promise<T> => {
      if (count > 1) this.#repeated++;
      const deadline = withDeadline(clock, answerMs, signal);
      try {
        return await query(deadline.signal);
      } finally {
        deadline.dispose();
      }
    };
    return retry(attempt, { clock, random, attempts, backoff, signal });
  }
}
