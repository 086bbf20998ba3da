import type { CancelTimer, Clock } from "../../../lib/clock.ts";

/** What unfinished and waiting requests of all connections may take together. */
const defaultMaxBytes = 64 << 20;
/** The share of each connection that is not counted: ordinary requests are never refused because of others. */
const freeBytes = 8_192;
/** How long a request that takes much may take to arrive before others may have its place. */
const graceMs = 5_000;
/** A body must bring this many bytes in this time. */
const pace = { bytes: 10_240, ms: 10_000 } as const;

/** A connection that receives a request. */
export interface Receiver {
  /** All bytes that it has received. */
  readonly receivedBytes: number;
  /** Whether it waits for this server, and not for its client. */
  readonly isPaused: boolean;
  /** Ends it, because its request arrives too slowly. */
  refuseSlow(): void;
}

interface Unfinished {
  readonly sinceMs: number;
  /** Bytes received at the last check of the pace. */
  before: number;
}

/**
 * The bytes of requests that are not complete, or not begun, over all connections. When they reach the limit, the
 * oldest slow request is ended; while all are recent, the one that would exceed the limit is.
 */
export class ReceivedBytes {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #counted = new Map<Receiver, number>();
  /** In the order in which they began. */
  readonly #unfinished = new Map<Receiver, Unfinished>();
  #bytes = 0;
  #cancelCheck: CancelTimer | undefined;

  constructor(clock: Clock, maxBytes = defaultMaxBytes) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** Bytes held above the free share of each connection. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sets what a connection holds; returns whether it may. */
  hold(receiver: Receiver, held: number): boolean {
    const counted = this.#counted.get(receiver) ?? 0;
    const next = Math.max(0, held - freeBytes);
    if (next === counted) return true;
    this.#bytes += next - counted;
    if (next === 0) this.#counted.delete(receiver);
    else this.#counted.set(receiver, next);
    if (next < counted || this.#bytes <= this.#maxBytes) return true;
    this.#endSlow();
    return this.#bytes <= this.#maxBytes;
  }

  /** A request of this connection is not complete; its pace is checked until it ends. */
  begin(receiver: Receiver): void {
    if (this.#unfinished.has(receiver)) return;
    this.#unfinished.set(receiver, { sinceMs: this.#clock.monotonic(), before: receiver.receivedBytes });
    this.#cancelCheck ??= this.#clock.timer(pace.ms, this.#checkPace);
  }

  end(receiver: Receiver): void {
    this.#unfinished.delete(receiver);
    if (this.#unfinished.size > 0) return;
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
  }

  readonly #checkPace = (): void => {
    this.#cancelCheck = this.#clock.timer(pace.ms, this.#checkPace);
    const latest = this.#clock.monotonic() - pace.ms;
    for (const [receiver, entry] of [...this.#unfinished]) {
      const isSlow = receiver.receivedBytes - entry.before < pace.bytes;
      if (isSlow && entry.sinceMs <= latest && !receiver.isPaused) receiver.refuseSlow();
      entry.before = receiver.receivedBytes;
    }
  };

  #endSlow(): void {
    const latest = this.#clock.monotonic() - graceMs;
    for (const [receiver, { sinceMs }] of [...this.#unfinished]) {
      if (this.#bytes <= this.#maxBytes || sinceMs > latest) return;
      if (this.#counted.has(receiver)) receiver.refuseSlow();
    }
  }
}
