/** Queues work by host: limits what runs in total and for one host. */
export class HostQueues {
  readonly #bounds: { readonly concurrency: number; readonly perHost: number };
  readonly #queues = new Map<string, (() => Promise<void>)[]>();
  readonly #running = new Map<string, number>();
  #waiting = 0;
  #total = 0;
  #onIdle: (() => void)[] = [];

  constructor(bounds: { readonly concurrency: number; readonly perHost: number }) {
    this.#bounds = bounds;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get running(): number {
    return this.#total;
  }

  /** Whether enough work is queued for a while. */
  get isFull(): boolean {
    return this.#waiting >= this.#bounds.concurrency * 32;
  }

  /** Adds work that never rejects. */
  add(host: string, work: () => Promise<void>): void {
    const queue = this.#queues.get(host);
    if (queue === undefined) this.#queues.set(host, [work]);
    else queue.push(work);
    this.#waiting++;
    this.#start();
  }

  /** Resolves when nothing runs or waits. */
  settled(): Promise<void> {
    if (this.#total === 0 && this.#waiting === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #start(): void {
    for (const [host, queue] of [...this.#queues]) {
      while (this.#total < this.#bounds.concurrency && (this.#running.get(host) ?? 0) < this.#bounds.perHost) {
        const work = queue.shift();
        if (work === undefined) break;
        this.#waiting--;
        void this.#run(host, work);
      }
      // Hosts take turns: the served host goes to the end.
      this.#queues.delete(host);
      if (queue.length > 0) this.#queues.set(host, queue);
      if (this.#total >= this.#bounds.concurrency) return;
    }
  }

  async #run(host: string, work: () => Promise<void>): Promise<void> {
    this.#total++;
    this.#running.set(host, (this.#running.get(host) ?? 0) + 1);
    await work();
    this.#total--;
    const left = (this.#running.get(host) ?? 1) - 1;
    if (left === 0) this.#running.delete(host);
    else this.#running.set(host, left);
    this.#start();
    if (this.#total === 0 && this.#waiting === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
