/** The states of a part: it accepts work, then only finishes running work, then is closed. The first reason is kept. */
type LifeState<Reason> =
  | { readonly kind: "open" }
  | { readonly kind: "closing"; readonly reason: Reason }
  | { readonly kind: "closed"; readonly reason: Reason };

/** Ends one piece of work early. */
type Cancel<Reason> = (reason: Reason) => void;

/**
 * Tracks the running work of a part, so that no part keeps flags of its own. `close` accepts no more work and resolves
 * when running work is done; `destroy` cancels running work with a reason. Both may be called at any time and
 * repeatedly.
 */
export class Lifetime<Reason extends Error = Error> {
  readonly #refuse: (reason: Reason) => Error;
  readonly #running = new Set<Cancel<Reason>>();
  readonly #whenIdle = new Set<() => void>();
  #state: LifeState<Reason> = { kind: "open" };

  /** `refuse` makes the error for work that comes after the end, from the reason of the end. */
  constructor(refuse: (reason: Reason) => Error) {
    this.#refuse = refuse;
  }

  get isOpen(): boolean {
    return this.#state.kind === "open";
  }

  /** Whether running work is over too. */
  get isClosed(): boolean {
    return this.#state.kind === "closed";
  }

  /** Why no more work is accepted; undefined while open. */
  get reason(): Reason | undefined {
    return this.#state.kind === "open" ? undefined : this.#state.reason;
  }

  /** How many pieces of work run. */
  get running(): number {
    return this.#running.size;
  }

  throwIfEnded(): void {
    if (this.#state.kind !== "open") throw this.#refuse(this.#state.reason);
  }

  /** Counts work that begins now, also while closing. The caller calls `end` once, when the work is done. */
  begin(cancel: Cancel<Reason> = () => {}): { readonly end: () => void } {
    const own: Cancel<Reason> = (reason) => cancel(reason);
    this.#running.add(own);
    return {
      end: () => {
        this.#running.delete(own);
        if (this.#running.size === 0) this.#resolveIdle();
      },
    };
  }

  /** Runs work; throws when the part has ended. */
  async run<T>(work: () => Promise<T>, cancel?: Cancel<Reason>): Promise<T> {
    this.throwIfEnded();
    return this.finish(work, cancel);
  }

  /** Runs work that belongs to accepted work, also while closing. */
  async finish<T>(work: () => Promise<T>, cancel?: Cancel<Reason>): Promise<T> {
    const { end } = this.begin(cancel);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Accepts no more work; resolves when no work runs. */
  async close(reason: Reason): Promise<void> {
    if (this.#state.kind === "open") this.#state = { kind: "closing", reason };
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#whenIdle.add(resolve));
    if (this.#state.kind === "closing") this.#state = { kind: "closed", reason: this.#state.reason };
  }

  /** Accepts no more work and cancels running work; returns whether the part was not closed before. */
  destroy(reason: Reason): boolean {
    if (this.#state.kind === "closed") return false;
    this.#state = { kind: "closed", reason: this.reason ?? reason };
    for (const cancel of [...this.#running]) cancel(reason);
    return true;
  }

  #resolveIdle(): void {
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle.clear();
  }
}
