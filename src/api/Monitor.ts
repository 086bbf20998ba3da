import type { Clock } from "../lib/clock.ts";
import type { Metrics } from "./metrics.ts";
import { askReadiness, type Readiness, type ReadinessCheck } from "./readiness.ts";

/** How long one result is reused. */
const freshMs = 250;

interface MonitorModules {
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/**
 * Readiness and metrics for monitoring; each is computed at most a few times per second, whatever the number of
 * requests.
 */
export class Monitor {
  readonly readiness: () => Promise<Readiness>;
  readonly metricsText: () => Promise<string>;

  constructor({ checks, metrics, clock }: MonitorModules) {
    this.readiness = shareBriefly(clock, () => askReadiness(checks, clock));
    this.metricsText = shareBriefly(clock, () => metrics.format());
  }
}

/** One run serves all calls during the run and for a moment after it; a failed run serves only the waiting calls. */
function shareBriefly<T>(clock: Clock, work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let endsAt = Number.POSITIVE_INFINITY;
  const start = (): Promise<T> => {
    endsAt = Number.POSITIVE_INFINITY;
    const run = work();
    run.then(
      () => {
        endsAt = clock.monotonic() + freshMs;
      },
      () => {
        shared = undefined;
      },
    );
    return run;
  };
  return () => {
    if (shared === undefined || clock.monotonic() >= endsAt) shared = start();
    return shared;
  };
}
