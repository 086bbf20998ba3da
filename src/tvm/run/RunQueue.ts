import type { Cell } from "../../cell/Cell.ts";
import type { Clock } from "../../lib/clock.ts";
import { Lru } from "../../lib/lru.ts";
import { FairTurns, type TurnTaker } from "../../lib/sharing/FairTurns.ts";
import { Slots } from "../../lib/sharing/Slots.ts";
import type { Hash } from "../../model/Hash.ts";
import type { RunEnvironment } from "../Executor.ts";

/** How long runs hold the event loop before others get their turn; a slice begun before that may end after it. */
const turnMs = 2;

/** Concurrent runs of one caller; more wait until one of them ends. */
const maxPerCaller = 16;

/** A code that keeps the thread busy for this long is slow: only one of its runs is active at a time. */
const slowMs = 100;
const maxSlowCodes = 10_000;

/** The default caller: the service itself. */
const ownCaller = "";

/**
 * Where runs take turns on the calling thread: fairly between callers, a limited number of each, and one run at a time
 * of a code that was slow before, whatever its account and caller. Runs with priority do not wait.
 */
export class RunQueue {
  readonly #turns: FairTurns;
  readonly #callers = new Slots({ perKey: maxPerCaller });
  readonly #codes = new Slots({ perKey: 1 });
  readonly #slow = new Lru<Hash, true>({ maxBytes: maxSlowCodes, sizeOf: () => 1 });

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#turns = new FairTurns(clock, turnMs);
  }

  /** Does work with a ticket of the queue; its first slice has begun. */
  async run<T>(
    { caller, turn }: Pick<RunEnvironment, "caller" | "turn">,
    work: (ticket: QueueTicket) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const owner = { caller: caller ?? ownCaller, isFirst: turn === "first" };
    const isLimited = !owner.isFirst && caller !== undefined;
    if (isLimited) await this.#callers.take({ key: owner.caller, signal });
    const turns = this.#turns.open(owner);
    const ticket = new QueueTicket(turns, this.#codes, this.#slow, signal);
    try {
      const wait = turns.next(signal);
      if (wait !== undefined) await wait;
      return await work(ticket);
    } finally {
      ticket.leave();
      if (isLimited) this.#callers.release(owner.caller);
    }
  }
}

export class QueueTicket {
  readonly #turns: TurnTaker;
  readonly #codes: Slots;
  readonly #slow: Lru<Hash, true>;
  readonly #signal: AbortSignal | undefined;
  #code: Cell | undefined;
  #slot: Hash | undefined;
  #computedMs = 0;

  constructor(turns: TurnTaker, codes: Slots, slow: Lru<Hash, true>, signal: AbortSignal | undefined) {
    this.#turns = turns;
    this.#codes = codes;
    this.#slow = slow;
    this.#signal = signal;
  }

  get owner() {
    return this.#turns.owner;
  }

  /** What the run has used, on this thread and on others. */
  get usedMs(): number {
    return this.#turns.usedMs + this.#computedMs;
  }

  /** Begins to run a code; waits while a slow code is running. */
  enterCode(code: Cell): Promise<void> | undefined {
    this.#code = code;
    if (this.owner.isFirst || this.#slow.counters().entries === 0 || this.#slow.find(code.hash()) === undefined)
      return undefined;
    return this.wait(async () => {
      await this.#codes.take({ key: code.hash(), signal: this.#signal });
      this.#slot = code.hash();
    });
  }

  /** Begins the next slice: undefined when it has begun, otherwise resolves when it does. */
  next(): Promise<void> | undefined {
    if (this.usedMs > slowMs && this.#code !== undefined) this.#slow.set(this.#code.hash(), true);
    return this.#turns.next(this.#signal);
  }

  /** Waits for something other than the thread. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    this.#turns.pause();
    const value = await work();
    await this.#turns.next(this.#signal);
    return value;
  }

  addComputed(ms: number): void {
    this.#computedMs += ms;
  }

  leave(): void {
    this.#turns.pause();
    if (this.#slot === undefined) return;
    // A code that is quick again needs no limit.
    if (this.usedMs <= slowMs) this.#slow.delete(this.#slot);
    this.#codes.release(this.#slot);
  }
}
