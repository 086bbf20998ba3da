import type { Clock } from "../../../lib/clock.ts";
import { deadlineError } from "../../../lib/deadline.ts";

type React = (reason: Error) => void;

/**
 * Cancels work: an AbortController at a small part of its cost while no signal is needed. A platform's signal takes
 * microseconds to make and leaves garbage that only a full collection removes, and a request passes several places that
 * may cancel it. Endpoints see only `signal`.
 */
export class CancelToken {
  #reason: Error | undefined;
  #reacts: readonly React[] = [];
  #controller: AbortController | undefined;

  /** Why the work was cancelled, once it was. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The same as an AbortSignal, made at first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Runs `react` on cancellation, at once if that has happened; the returned function stops listening. */
  onCancel(react: React): () => void {
    if (this.#reason !== undefined) {
      react(this.#reason);
      return () => {};
    }
    // A new function, so that the same one added twice is two listeners.
    const listener: React = (reason) => react(reason);
    this.#reacts = [...this.#reacts, listener];
    return () => {
      this.#reacts = this.#reacts.filter((each) => each !== listener);
    };
  }

  /** Cancels with this reason; only the first call counts. */
  cancel(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const reacts = this.#reacts;
    this.#reacts = [];
    for (const react of reacts) react(reason);
    this.#controller?.abort(reason);
  }
}

/** A token with a time limit. */
export interface TimedToken {
  readonly token: CancelToken;
  /** Forgets the timer and the parent when the work is over. */
  dispose(): void;
}

/** A token that is cancelled after `delayMs` with "lib/deadline", or with its parent. */
export function cancelAfter(clock: Clock, delayMs: number, parent: CancelToken): TimedToken {
  const token = new CancelToken();
  const cancelTimer = clock.timer(delayMs, () => {
    dispose();
    token.cancel(deadlineError(delayMs));
  });
  const dispose = () => {
    cancelTimer();
    stopListening();
  };
  const stopListening = parent.onCancel((reason) => {
    cancelTimer();
    token.cancel(reason);
  });
  return { token, dispose };
}
