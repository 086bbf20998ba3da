import { settleWith } from "../../lib/abort.ts";
import { RecyclingMap } from "../../lib/RecyclingMap.ts";
import { CancelToken } from "./CancelToken.ts";

interface Run<T> {
  readonly token: CancelToken;
  readonly outcome: Promise<T>;
  waiters: number;
}

/**
 * Deduplicates concurrent identical requests as `lib/inflight.ts` deduplicates calls, with tokens instead of signals:
 * an endpoint that never looks at its signal costs none.
 */
export class SharedRuns<T> {
  readonly #runs = new RecyclingMap<string, Run<T>>();

  /**
   * Waits for the work under this key, and starts it if it does not run. A caller whose token is cancelled stops
   * waiting; when the last one has left, the token of the work is cancelled.
   */
  share(key: string, work: (token: CancelToken) => Promise<T>, waiter: CancelToken): Promise<T> {
    if (waiter.reason !== undefined) return Promise.reject(waiter.reason);
    const run = this.#runs.get(key) ?? this.#start(key, work);
    run.waiters += 1;
    return new Promise((resolve, reject) => {
      const stopListening = waiter.onCancel((reason) => {
        this.#leave(key, run, reason);
        reject(reason);
      });
      settleWith(run.outcome, resolve, reject, stopListening);
    });
  }

  #start(key: string, work: (token: CancelToken) => Promise<T>): Run<T> {
    const token = new CancelToken();
    const run: Run<T> = { token, outcome: work(token), waiters: 0 };
    this.#runs.set(key, run);
    const forget = () => this.#forget(key, run);
    run.outcome.then(forget, forget);
    return run;
  }

  #leave(key: string, run: Run<T>, reason: Error): void {
    run.waiters -= 1;
    if (run.waiters === 0) {
      this.#forget(key, run);
      run.token.cancel(reason);
    }
  }

  /** The key may already belong to a later run. */
  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}
