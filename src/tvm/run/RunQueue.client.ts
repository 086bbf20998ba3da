import type { Clock } from "../../lib/clock.ts";
import type { RunEnvironment } from "../Executor.ts";

type MonotonicClock = Pick<Clock, "monotonic">;

/** How long code runs before the page gets its turn: half of a frame. */
const turnMs = 8;

/** In the place of `RunQueue.ts`, for the client: its runs are of one caller, and take turns with the page alone. */
export class RunQueue {
  readonly #clock: MonotonicClock;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  async run<T>(
    { caller = "", turn }: Pick<RunEnvironment, "caller" | "turn">,
    work: (ticket: QueueTicket) => Promise<T>,
  ): Promise<T> {
    return work(new QueueTicket(this.#clock, { caller, isFirst: turn === "first" }));
  }
}

export class QueueTicket {
  readonly owner: { readonly caller: string; readonly isFirst: boolean };
  readonly #clock: MonotonicClock;
  #usedMs = 0;
  #turnUsedMs = 0;
  #startedMs: number;

  constructor(clock: MonotonicClock, owner: QueueTicket["owner"]) {
    this.#clock = clock;
    this.owner = owner;
    this.#startedMs = clock.monotonic();
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  enterCode(): undefined {}

  /** Begins the next slice: at once, or after the page had its turn. */
  next(): Promise<void> | undefined {
    this.#pause();
    return this.#turnUsedMs > turnMs ? this.wait(() => new Promise<void>((done) => setImmediate(done))) : undefined;
  }

  async wait<T>(work: () => Promise<T>): Promise<T> {
    this.#pause();
    const value = await work();
    this.#turnUsedMs = 0;
    this.#startedMs = this.#clock.monotonic();
    return value;
  }

  #pause(): void {
    const nowMs = this.#clock.monotonic();
    this.#usedMs += nowMs - this.#startedMs;
    this.#turnUsedMs += nowMs - this.#startedMs;
    this.#startedMs = nowMs;
  }

  addComputed(ms: number): void {
    this.#usedMs += ms;
  }
}
