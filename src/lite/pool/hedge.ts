import type { Need } from "../tl/need.ts";
import type { Health } from "./health.ts";

/** The budget of hedges: each query earns a share of one. */
export class HedgeBudget {
  readonly #share: number;
  #tokens = 0;
  #queries = 0;
  #hedges = 0;

  constructor(share: number) {
    this.#share = share;
  }

  get counters(): { readonly queries: number; readonly hedges: number } {
    return { queries: this.#queries, hedges: this.#hedges };
  }

  /** A query was sent. */
  earn(): void {
    this.#queries += 1;
    this.#tokens = Math.min(this.#tokens + this.#share, maxTokens);
  }

  /** Whether a second server may be asked. */
  take(): boolean {
    // Rounding: the sum of many small shares is slightly below one.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens -= 1;
    this.#hedges += 1;
    return true;
  }
}

/** The largest budget that a quiet period can save. */
const maxTokens = 10;

/** The time after which a server is slower than 95 % of its answers. */
export function hedgeDelayMs({ latency }: Health, floorMs: number): number {
  return Math.max(latency.p95Ms ?? unknownMs, floorMs);
}

/**
 * The time after which a server counts as not answering, so that another one is asked regardless of the budget. It is
 * longer where all servers are slow: impatience would add load.
 */
export function lateAfterMs({ latency }: Health, { waitMs }: Need): number {
  return Math.max((latency.p95Ms ?? unknownMs) * 3, leastPatienceMs) + waitMs;
}

const unknownMs = 300;
const leastPatienceMs = 1_000;
