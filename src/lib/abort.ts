import { isCoded, LibError } from "./errors.ts";

/**
 * The reason of an aborted signal, always as a coded error: a reason without a code becomes the cause of "lib/aborted".
 */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return isCoded(reason) ? reason : new LibError("lib/aborted", "cancelled by the caller", { cause: reason });
}

/** Runs `react` when the signal aborts, immediately if it already has; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, react: (reason: Error) => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    react(abortReason(signal));
    return () => {};
  }
  const listening = listenersOf(signal);
  // The same function may listen twice.
  const own: Reaction = (reason) => react(reason);
  listening.add(own);
  return () => listening.delete(own);
}

type Reaction = (reason: Error) => void;

const ownListeners = Symbol("listeners");

/** They are a property of the signal: a WeakMap entry for each request slows down garbage collection. */
function listenersOf(signal: AbortSignal & { [ownListeners]?: SignalListeners }): SignalListeners {
  signal[ownListeners] ??= new SignalListeners(signal);
  return signal[ownListeners];
}

/**
 * All who listen to a signal, behind one listener of the platform: one request asks many things at a time, and above
 * ten listeners the platform warns of a leak. That one goes with the last of them, because a signal that is listened to
 * is kept.
 */
class SignalListeners {
  readonly #signal: AbortSignal;
  readonly #reactions = new Set<Reaction>();
  readonly #onAbort = (): void => {
    const reason = abortReason(this.#signal);
    // One that is deleted in the meantime is not called any more.
    for (const react of this.#reactions) react(reason);
    this.#reactions.clear();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(react: Reaction): void {
    if (this.#reactions.size === 0) this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#reactions.add(react);
  }

  delete(react: Reaction): void {
    if (!this.#reactions.delete(react) || this.#reactions.size > 0) return;
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

/** The outcome of the work, or the signal's reason if that comes first; the work itself continues in the background. */
export function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, reject);
    passOutcome(work, resolve, reject, stopListening);
  });
}

/** Passes the outcome of the work on after `before`, with fewer promises than `finally` creates. */
export function passOutcome<T>(
  work: Promise<T>,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
  before: () => void,
): void {
  work.then(
    (value) => {
      before();
      resolve(value);
    },
    (reason: unknown) => {
      before();
      reject(reason);
    },
  );
}
