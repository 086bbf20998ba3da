import type { Clock } from "../../../lib/clock.ts";
import { type Deadline, withDeadline } from "../../../lib/deadline.ts";
import type { Random } from "../../../lib/random.ts";
import { type Backoff, retry } from "../../../lib/retry.ts";

export interface AccountQueryOptions {
  /** How often a query is tried before it fails for good; 6 by default. */
  readonly attempts?: number;
  /** Time limit of one answer; 20 s by default. */
  readonly answerMs?: number;
  readonly backoff?: Backoff;
}

/** A deadline of several queries. */
interface SharedDeadline {
  readonly deadline: Deadline;
  readonly parent: AbortSignal;
  /** Queries that have not ended. */
  users: number;
}

/**
 * Queries that start within this share of their time limit have one deadline: its signal and timer cost as much as a
 * block.
 */
const sharedPart = 1 / 20;

const defaultBackoff: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };

/** Retries queries that fail because of the other side. */
export class AccountQueries {
  readonly #modules: { readonly clock: Clock; readonly random: Random };
  readonly #options: Required<AccountQueryOptions>;
  #repeated = 0;
  /** The deadline of the newest query. */
  #newest: SharedDeadline | undefined;

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
    const { attempts, backoff } = this.#options;
    const attempt = async (count: number): Promise<T> => {
      if (count > 1) this.#repeated++;
      const shared = this.#share(signal);
      shared.users++;
      try {
        return await query(shared.deadline.signal);
      } finally {
        shared.users--;
        if (shared.users === 0) this.#end(shared);
      }
    };
    return retry(attempt, { clock, random, attempts, backoff, signal });
  }

  /** The newest deadline, if a query that starts now has almost all of its time until then. */
  #share(parent: AbortSignal): SharedDeadline {
    const { answerMs } = this.#options;
    const newest = this.#newest;
    const isShared =
      newest !== undefined &&
      newest.parent === parent &&
      !newest.deadline.signal.aborted &&
      newest.deadline.remainingMs() >= answerMs * (1 - sharedPart);
    if (isShared) return newest;
    this.#newest = { deadline: withDeadline(this.#modules.clock, answerMs, parent), parent, users: 0 };
    return this.#newest;
  }

  #end(shared: SharedDeadline): void {
    shared.deadline.dispose();
    if (this.#newest === shared) this.#newest = undefined;
  }
}
