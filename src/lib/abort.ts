import { isCoded } from "./errors.ts";
import { LibError } from "./libErrors.ts";

/** Why a signal aborted, always as a coded error: a reason without a code becomes the cause of "lib/aborted". */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return isCoded(reason) ? reason : new LibError("lib/aborted", "given up by the caller", { cause: reason });
}

/** Runs `react` when the signal aborts, at once if it already has; the returned function stops listening. */
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

/** The work's outcome, or the signal's reason if that comes first; the work itself goes on unobserved. */
export function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, reject);
    settleWith(work, resolve, reject, stopListening);
  });
}

/** Hands the work's outcome on, after `before`, with fewer promises in between than `finally` would make. */
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
