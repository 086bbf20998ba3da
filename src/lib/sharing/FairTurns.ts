import { onAbort } from "../abort.ts";
import type { Clock } from "../clock.ts";
import { TurnBudget } from "../TurnBudget.ts";
import { FairQueue } from "./FairQueue.ts";

/** Whose work it is, and whether it goes before everything that waits. */
export interface TurnOwner {
  readonly caller: string;
  readonly isFirst: boolean;
}

/**
 * Shares the calling thread between pieces of long work. Work is done in slices; a slice begins with `next` and ends
 * with the following `next` or `pause`. Slices follow one another until the turn of the event loop is used up; then
 * timers and sockets get their turn.
 */
export class FairTurns {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #turn: TurnBudget;
  readonly #first: TurnTaker[] = [];
  readonly #others = new FairQueue<TurnTaker>();
  #active: TurnTaker | undefined;

  constructor(clock: Pick<Clock, "monotonic">, turnMs: number) {
    this.#clock = clock;
    this.#turn = new TurnBudget(clock, turnMs, () => this.dispatch());
  }

  open(owner: TurnOwner): TurnTaker {
    return new TurnTaker(this, owner);
  }

  /** Whether work that needs no slice may do its next step in this turn, which its time counts for. */
  mayStep(): boolean {
    if (this.#turn.isUsedUp()) return false;
    this.#turn.begin();
    return true;
  }

  /** Ends the slice of this work, if it is in one, and gives how long it took. */
  end(work: TurnTaker): number {
    if (this.#active !== work) return 0;
    const usedMs = this.#clock.monotonic() - work.sliceStartedMs;
    this.#active = undefined;
    if (!work.owner.isFirst) this.#others.charge(work.owner.caller, usedMs);
    return usedMs;
  }

  /** Whether the work may begin a slice without waiting. */
  tryBegin(work: TurnTaker): boolean {
    const isFree = this.#active === undefined && this.#first.length === 0 && this.#others.size === 0;
    if (!isFree || this.#turn.isUsedUp()) return false;
    this.#begin(work);
    return true;
  }

  /** Lets the work wait for its slice. */
  add(work: TurnTaker): void {
    if (work.owner.isFirst) this.#first.push(work);
    else this.#others.add(work.owner.caller, work, work.usedMs);
    this.dispatch();
  }

  delete(work: TurnTaker): void {
    const at = this.#first.indexOf(work);
    if (at >= 0) this.#first.splice(at, 1);
    this.#others.delete(work.owner.caller, work);
  }

  /** Lets the next work begin, unless one is in its slice or the turn is used up. */
  dispatch(): void {
    if (this.#active !== undefined || this.#turn.isUsedUp()) return;
    const next = this.#first.shift() ?? this.#others.take();
    if (next === undefined) return;
    this.#begin(next);
    next.admit();
  }

  #begin(work: TurnTaker): void {
    this.#active = work;
    work.sliceStartedMs = this.#clock.monotonic();
    this.#turn.begin();
  }
}

/** The turns of one piece of work. */
export class TurnTaker {
  readonly owner: TurnOwner;
  /** Time of the thread that it has used, waiting left out. */
  usedMs = 0;
  /** For `FairTurns` only. */
  sliceStartedMs = 0;
  admit: () => void = () => {};
  readonly #all: FairTurns;

  constructor(all: FairTurns, owner: TurnOwner) {
    this.#all = all;
    this.owner = owner;
  }

  /** Starts a slice: undefined if it has started, otherwise resolves when it does. Ends the previous slice. */
  next(signal?: AbortSignal): Promise<void> | undefined {
    this.usedMs += this.#all.end(this);
    if (this.#all.tryBegin(this)) return undefined;
    return new Promise((resolve, reject) => {
      const stopListening = onAbort(signal, (reason) => {
        this.#all.delete(this);
        reject(reason);
      });
      if (signal?.aborted === true) return;
      this.admit = () => {
        stopListening();
        resolve();
      };
      this.#all.add(this);
    });
  }

  /** Ends the slice: the work waits for something else, or is done. */
  pause(): void {
    this.usedMs += this.#all.end(this);
    this.#all.dispatch();
  }
}
