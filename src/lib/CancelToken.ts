type React = (reason: Error) => void;

/**
 * What ends work before it is done: an AbortController at a small part of its cost, as long as nobody asks for a signal.
 * Making a platform's signal takes microseconds and leaves garbage that only a full collection clears away, and a
 * request passes through many hands of which each has its own reason to give up.
 */
export class CancelToken {
  #reason: Error | undefined;
  #reacts: readonly React[] = [];
  #controller: AbortController | undefined;

  /** Why it has ended, once it has. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The same as a signal, for those who know nothing else. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Runs `react` at the end, at once if that has come; the returned function stops listening. */
  onEnd(react: React): () => void {
    if (this.#reason !== undefined) {
      react(this.#reason);
      return () => {};
    }
    // A function of its own, so that the same one given twice is two listeners.
    const listener: React = (reason) => react(reason);
    this.#reacts = [...this.#reacts, listener];
    return () => {
      this.#reacts = this.#reacts.filter((each) => each !== listener);
    };
  }

  /** Ends everything with this reason; only the first one counts. */
  end(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const reacts = this.#reacts;
    this.#reacts = [];
    for (const react of reacts) react(reason);
    this.#controller?.abort(reason);
  }
}
