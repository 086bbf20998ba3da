import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";

/** Wakes every waiter when something changes; each looks up what has changed. */
export class Notifier {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next notification; rejects with the signal's reason as soon as that aborts. */
  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => this.#enlist(resolve, reject, signal));
  }

  /** Like `wait`, but for no longer than `delayMs`. */
  waitAtMost(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = clock.timer(delayMs, () => wake());
      const stopTimer = (then: () => void) => () => {
        cancel();
        then();
      };
      const wake = this.#enlist(stopTimer(resolve), (reason) => stopTimer(() => reject(reason))(), signal);
    });
  }

  #enlist(resolve: () => void, reject: (reason: Error) => void, signal: AbortSignal | undefined): () => void {
    let stopListening = () => {};
    const leave = () => {
      this.#waiting.delete(wake);
      stopListening();
    };
    const wake = () => {
      leave();
      resolve();
    };
    this.#waiting.add(wake);
    stopListening = onAbort(signal, (reason) => {
      leave();
      reject(reason);
    });
    return wake;
  }
}
