import { abortReason, onAbort, passOutcome } from "./abort.ts";
import { RecyclingMap } from "./memory/RecyclingMap.ts";

/** Work that has started. */
export interface StartedWork<T> {
  readonly outcome: Promise<T>;
  /** Ends the work when no caller waits for it. */
  cancel(reason: Error): void;
}

/** Runs `react` when the caller is cancelled; the returned function stops listening. */
type ListenForCancel = (react: (reason: Error) => void) => () => void;

interface Flight<T> extends StartedWork<T> {
  waiters: number;
}

/** Deduplicates concurrent identical calls; the result is not kept after a call. */
export class Inflight<K, T> {
  readonly #flights = new RecyclingMap<K, Flight<T>>();

  /** How many different calls are running. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Waits for the work under this key, and starts it if it does not run. A caller whose signal aborts stops waiting;
   * when the last one has left, the signal of the work aborts and the next caller starts new work.
   */
  share(key: K, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const start = (): StartedWork<T> => {
      const controller = new AbortController();
      return { outcome: startWork(work, controller.signal), cancel: (reason) => controller.abort(reason) };
    };
    if (signal?.aborted === true) return Promise.reject(abortReason(signal));
    return this.shareStarted(key, start, (react) => onAbort(signal, react));
  }

  /** Like `share`, for work and callers that are cancelled without signals. The caller is not cancelled yet. */
  shareStarted(key: K, start: () => StartedWork<T>, onCancel: ListenForCancel): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#start(key, start);
    flight.waiters += 1;
    return new Promise((resolve, reject) => {
      const stopListening = onCancel((reason) => {
        this.#leave(key, flight, reason);
        reject(reason);
      });
      passOutcome(flight.outcome, resolve, reject, stopListening);
    });
  }

  #start(key: K, start: () => StartedWork<T>): Flight<T> {
    const { outcome, cancel } = start();
    const flight: Flight<T> = { outcome, cancel, waiters: 0 };
    this.#flights.set(key, flight);
    const land = () => this.#forget(key, flight);
    flight.outcome.then(land, land);
    return flight;
  }

  #leave(key: K, flight: Flight<T>, reason: Error): void {
    flight.waiters -= 1;
    if (flight.waiters === 0) {
      this.#forget(key, flight);
      flight.cancel(reason);
    }
  }

  /** The key may already belong to newer work. */
  #forget(key: K, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

/** Async, so that work that throws synchronously is a rejection too. */
async function startWork<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return work(signal);
}
