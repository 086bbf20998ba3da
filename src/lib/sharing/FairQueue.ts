/** Work of one caller that waits, and how much its work has used so far. */
interface CallerWork<T> {
  used: number;
  readonly waiting: Map<T, number>;
}

/** Callers without waiting work that are remembered before those that owe nothing are forgotten. */
const maxRemembered = 1_000;

/**
 * Waiting work of many callers. Next is the caller whose work has used least, and of its work the piece that has used
 * least, so that nobody's long work delays the short work of others. A caller that was away gets no credit for that
 * time.
 */
export class FairQueue<T> {
  readonly #callers = new Map<string, CallerWork<T>>();
  /** The usage of the last chosen caller. */
  #level = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a piece of work that has used so much by now. */
  add(caller: string, item: T, used: number): void {
    const work = this.#callers.get(caller) ?? this.#remember(caller);
    if (work.waiting.size === 0) work.used = Math.max(work.used, this.#level);
    work.waiting.set(item, used);
    this.#size++;
  }

  /** Removes a piece of work that waits no longer. */
  delete(caller: string, item: T): void {
    if (this.#callers.get(caller)?.waiting.delete(item)) this.#size--;
  }

  /** Counts what work of a caller has used. */
  charge(caller: string, amount: number): void {
    (this.#callers.get(caller) ?? this.#remember(caller)).used += amount;
  }

  /** Takes the next piece of work out. */
  take(): T | undefined {
    let next: CallerWork<T> | undefined;
    for (const work of this.#callers.values())
      if (work.waiting.size > 0 && (next === undefined || work.used < next.used)) next = work;
    if (next === undefined) return undefined;
    this.#level = Math.max(this.#level, next.used);
    const item = leastUsed(next.waiting);
    next.waiting.delete(item);
    this.#size--;
    return item;
  }

  #remember(caller: string): CallerWork<T> {
    if (this.#callers.size >= maxRemembered) this.#forget();
    const work = { used: this.#level, waiting: new Map<T, number>() };
    this.#callers.set(caller, work);
    return work;
  }

  #forget(): void {
    for (const [caller, { used, waiting }] of this.#callers)
      if (waiting.size === 0 && used <= this.#level) this.#callers.delete(caller);
  }
}

/** The first of those that have used least. */
function leastUsed<T>(waiting: ReadonlyMap<T, number>): T {
  let [[found, least] = []] = waiting;
  for (const [item, used] of waiting) if (least !== undefined && used < least) [found, least] = [item, used];
  return found as T;
}
