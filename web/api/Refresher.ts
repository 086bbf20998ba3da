/** Makes a value; the signal ends with the interest in it. */
export type Make = (signal: AbortSignal) => Promise<void>;

/**
 * Makes a value again whenever there may be a newer one. What is being made is finished first: where blocks come faster
 * than answers, nothing would ever be shown otherwise. However often it is asked meanwhile, one more value follows.
 */
export class Refresher {
  readonly #make: Make;
  readonly #controller = new AbortController();
  #isMaking = false;
  #isOutdated = false;

  /** `make` never rejects. */
  constructor(make: Make) {
    this.#make = make;
  }

  refresh(): void {
    this.#isOutdated = true;
    if (!this.#isMaking) void this.#run();
  }

  close(): void {
    this.#controller.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    this.#isMaking = true;
    while (this.#isOutdated && !signal.aborted) {
      this.#isOutdated = false;
      await this.#make(signal);
    }
    this.#isMaking = false;
  }
}
