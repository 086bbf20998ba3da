/** How long something took, many times. */
export class Timings {
  readonly #times: number[] = [];

  add(ms: number): void {
    this.#times.push(ms);
  }

  /** All that these took. */
  addAll(others: Timings): void {
    for (const ms of others.#times) this.#times.push(ms);
  }

  get count(): number {
    return this.#times.length;
  }

  /** The time that so many of a hundred did not exceed. */
  percentile(percent: number): number {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
  }
}

/** Milliseconds that work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
