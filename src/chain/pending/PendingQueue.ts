/** Queued work, by its place. */
export interface QueuedRun {
  readonly place: number;
}

export interface QueueModules<T> {
  /** Whether the first of two entries must run before the second. */
  isBefore(first: T, second: T): boolean;
  /** Never fails. */
  run(work: T): Promise<void>;
}

/** Runs work with bounded concurrency, in the order of places where that matters; each entry is queued at most once. */
export class PendingQueue<T extends QueuedRun> {
  readonly #maxRunning: number;
  readonly #modules: QueueModules<T>;
  /** By place. */
  readonly #waiting: T[] = [];
  readonly #running = new Map<T, Promise<void>>();

  constructor(maxRunning: number, modules: QueueModules<T>) {
    this.#maxRunning = maxRunning;
    this.#modules = modules;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Running work is run once more afterwards. */
  add(work: T): void {
    if (this.#waiting.includes(work)) return;
    const at = this.#waiting.findIndex(({ place }) => place > work.place);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, work);
    this.#startNext();
  }

  /** Removes work that has not begun. */
  remove(work: T): void {
    const at = this.#waiting.indexOf(work);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  #startNext(): void {
    while (this.#running.size < this.#maxRunning) {
      const next = this.#waiting.find((work, at) => this.#isFree(work, at));
      if (next === undefined) return;
      this.remove(next);
      const work = this.#modules.run(next).finally(() => {
        this.#running.delete(next);
        this.#startNext();
      });
      this.#running.set(next, work);
    }
  }

  #isFree(work: T, at: number): boolean {
    if (this.#running.has(work)) return false;
    const earlier = [...this.#running.keys(), ...this.#waiting.slice(0, at)];
    return !earlier.some((other) => other.place < work.place && this.#modules.isBefore(other, work));
  }
}
