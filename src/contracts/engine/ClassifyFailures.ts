import type { Log } from "../../lib/log.ts";
import { type Hash, hashToBase64 } from "../../model/Hash.ts";

/** A matcher that threw anything but a refusal: a bug of ours. */
export interface MatcherFailure {
  readonly matcher: string;
  readonly error: unknown;
}

/** Takes the failures of one classification. Classification is pure, so its callers report. */
export interface FailureReporter {
  report(traceId: Hash, failures: readonly MatcherFailure[]): void;
}

/** Logs failures with the matcher and the trace, and counts them by matcher. */
export class ClassifyFailures implements FailureReporter {
  readonly #log: Log;
  readonly #counts = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  report(traceId: Hash, failures: readonly MatcherFailure[]): void {
    for (const { matcher, error } of failures) {
      this.#counts.set(matcher, (this.#counts.get(matcher) ?? 0) + 1);
      this.#log.error("a matcher failed", { matcher, trace: hashToBase64(traceId), error });
    }
  }

  /** Failures so far, by matcher. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
