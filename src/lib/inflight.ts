import { onAbort, settleWith } from "./abort.ts";
import { CancelToken } from "./CancelToken.ts";
import { throwIfAborted } from "./deadline.ts";
import { RecyclingMap } from "./RecyclingMap.ts";

interface Flight<T> {
  readonly ending: CancelToken;
  readonly outcome: Promise<T>;
  waiters: number;
}

/** Lets identical questions that are asked at the same time be one question; nothing is kept once it is answered. */
export class Inflight<K, T> {
  readonly #flights = new RecyclingMap<K, Flight<T>>();

  /** How many different questions are under way. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Waits for the work under this key, starting it if nobody else has. A waiter whose signal aborts leaves alone; when
   * the last one leaves, the work's own signal aborts, and the next to ask starts afresh.
   */
  share(key: K, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal | CancelToken): Promise<T> {
    return this.shareUntil(key, (ending) => work(ending.signal), signal);
  }

  /** As `share`, for work that needs no signal to know when the last one has left. */
  async shareUntil(key: K, work: (ending: CancelToken) => Promise<T>, signal?: AbortSignal | CancelToken): Promise<T> {
    throwIfAborted(signal);
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiters += 1;
    return new Promise((resolve, reject) => {
      const stopListening = onAbort(signal, (reason) => {
        this.#leave(key, flight, reason);
        reject(reason);
      });
      settleWith(flight.outcome, resolve, reject, stopListening);
    });
  }

  #start(key: K, work: (ending: CancelToken) => Promise<T>): Flight<T> {
    const ending = new CancelToken();
    const flight: Flight<T> = { ending, outcome: startWork(work, ending), waiters: 0 };
    this.#flights.set(key, flight);
    const land = () => this.#forget(key, flight);
    flight.outcome.then(land, land);
    return flight;
  }

  #leave(key: K, flight: Flight<T>, reason: Error): void {
    flight.waiters -= 1;
    if (flight.waiters === 0) {
      this.#forget(key, flight);
      flight.ending.end(reason);
    }
  }

  /** The key may already belong to a later flight. */
  #forget(key: K, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) {
      this.#flights.delete(key);
    }
  }
}

/** Async, so that work which throws before its first wait is a rejection like any other. */
async function startWork<T>(work: (ending: CancelToken) => Promise<T>, ending: CancelToken): Promise<T> {
  return work(ending);
}
