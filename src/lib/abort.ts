import { isCoded } from "./errors.ts";
import { LibError } from "./libErrors.ts";

/**
 * The reason of an aborted signal, always as a coded error: a reason without a code becomes the cause of "lib/aborted".
 */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return isCoded(reason) ? reason : new LibError("lib/aborted", "given up by the caller", { cause: reason });
}

/** Runs `react` when the signal aborts, immediately if it already has; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, react: (reason: Error) => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    react(abortReason(signal));
    return () => {};
  }
  const listener = () => react(abortReason(signal));
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** The outcome of the work, or the signal's reason if that comes first; the work itself continues in the background. */
export function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, reject);
    settleWith(work, resolve, reject, stopListening);
  });
}

/** Passes the outcome of the work on after `before`, with fewer promises than `finally` creates. */
export function settleWith<T>(
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
