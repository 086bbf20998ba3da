import type { Need } from "../tl/need.ts";
import type { Health } from "./health.ts";

/** How much more than was asked the servers are asked for speed's sake: each query earns a share of one hedge. */
export class HedgeBudget {
  readonly #share: number;
  #tokens = 0;
  #questions = 0;
  #hedges = 0;

  constructor(share: number) {
    this.#share = share;
  }

  get counters(): { readonly questions: number; readonly hedges: number } {
    return { questions: this.#questions, hedges: this.#hedges };
  }

  /** A query was asked. */
  earn(): void {
    this.#questions += 1;
    this.#tokens = Math.min(this.#tokens + this.#share, maxTokens);
  }

  /** Whether another server may be asked the same. */
  take(): boolean {
    // The sum of many small shares falls a little short of a whole one.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens -= 1;
    this.#hedges += 1;
    return true;
  }
}

/** What a quiet hour may save up for a bad moment. */
const maxTokens = 10;

/** The time after which a server is as slow as one of its slowest answers in twenty. */
export function hedgeDelayMs({ latency }: Health, floorMs: number): number {
  return Math.max(latency.p95Ms ?? unknownMs, floorMs);
}

/**
 * The time after which a server is taken not to answer at all, so that asking another one is no luxury. Where all servers
 * are slow this is long too: impatience would only give them more to do.
 */
export function lateAfterMs({ latency }: Health, { waitMs }: Need): number {
  return Math.max((latency.p95Ms ?? unknownMs) * 3, leastPatienceMs) + waitMs;
}

const unknownMs = 300;
const leastPatienceMs = 1_000;
