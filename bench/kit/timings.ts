/** Durations of repeated work. */
export class Timings {
  readonly #times: number[] = [];

  add(ms: number): void {
    this.#times.push(ms);
  }

  addAll(others: Timings): void {
    for (const ms of others.#times) this.#times.push(ms);
  }

  get count(): number {
    return this.#times.length;
  }

  /** The duration that `percent` percent do not exceed. */
  percentile(percent: number): number {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
  }
}

/** The duration of work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
