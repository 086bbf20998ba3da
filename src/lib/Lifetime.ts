/** A part that lives: it takes work, then only finishes what runs, then is over. The first reason is the one that counts. */
type LifeState<Reason> =
  | { readonly kind: "open" }
  | { readonly kind: "closing"; readonly reason: Reason }
  | { readonly kind: "closed"; readonly reason: Reason };

/** Ends one piece of work early. */
type Cancel<Reason> = (reason: Reason) => void;

/**
 * Keeps track of what runs in a part that lives, so that nobody keeps flags of its own. `close` takes no more work and
 * resolves when what runs is done; `destroy` cancels what runs with a reason. Both may be called at any time and again.
 */
export class Lifetime<Reason extends Error = Error> {
  readonly #refuse: (reason: Reason) => Error;
  readonly #running = new Set<Cancel<Reason>>();
  readonly #whenIdle = new Set<() => void>();
  #state: LifeState<Reason> = { kind: "open" };

  /** `refuse` makes the error for work that comes too late, from the reason of the end. */
  constructor(refuse: (reason: Reason) => Error) {
    this.#refuse = refuse;
  }

  get isOpen(): boolean {
    return this.#state.kind === "open";
  }

  /** Why no more work is taken; undefined while it is. */
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

  /** Counts work that begins now, also while closing: `end` is to be called once, when it is done. */
  begin(cancel: Cancel<Reason> = () => {}): { readonly end: () => void } {
    const own: Cancel<Reason> = (reason) => cancel(reason);
    this.#running.add(own);
    return {
      end: () => {
        this.#running.delete(own);
        if (this.#running.size === 0) this.#settleIdle();
      },
    };
  }

  /** Runs work until it is done; refuses it when the part has ended. */
  async run<T>(work: () => Promise<T>, cancel?: Cancel<Reason>): Promise<T> {
    this.throwIfEnded();
    return this.finish(work, cancel);
  }

  /** Runs work that belongs to what was taken before, also while closing. */
  async finish<T>(work: () => Promise<T>, cancel?: Cancel<Reason>): Promise<T> {
    const { end } = this.begin(cancel);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Takes no more work; resolves when nothing runs any more. */
  async close(reason: Reason): Promise<void> {
    if (this.#state.kind === "open") this.#state = { kind: "closing", reason };
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#whenIdle.add(resolve));
    if (this.#state.kind === "closing") this.#state = { kind: "closed", reason: this.#state.reason };
  }

  /** Takes no more work and cancels what runs; gives whether it was not over before. */
  destroy(reason: Reason): boolean {
    if (this.#state.kind === "closed") return false;
    this.#state = { kind: "closed", reason: this.reason ?? reason };
    for (const cancel of [...this.#running]) cancel(reason);
    return true;
  }

  #settleIdle(): void {
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle.clear();
  }
}
