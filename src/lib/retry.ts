import type { Clock } from "./clock.ts";
import { throwIfAborted } from "./deadline.ts";
import { isCoded } from "./errors.ts";
import type { Random } from "./random.ts";

/** Delays between attempts: `firstMs`, then `factor` times more each time, never over `maxMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The largest number of attempts. */
  readonly attempts: number;
  readonly backoff: Backoff;
  /** Which failures are retried; by default those whose kind is "remote". */
  readonly retryIf?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

/** Tries the work until it succeeds, fails for good, runs out of attempts or is aborted; throws the last failure. */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, random, attempts, backoff, retryIf = isRemote, signal } = options;
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal);
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || signal?.aborted === true || !retryIf(error)) throw error;
    }
    await clock.sleep(backoffMs(backoff, attempt, random), signal);
  }
}

/** The wait after the given failed attempt: between half and all of the step, so that many callers spread out. */
export function backoffMs(backoff: Backoff, attempt: number, random: Random): number {
  const stepMs = Math.min(backoff.maxMs, backoff.firstMs * backoff.factor ** (attempt - 1));
  return stepMs * (0.5 + random.next() / 2);
}

function isRemote(error: unknown): boolean {
  return isCoded(error) && error.kind === "remote";
}
