import { abortReason, onAbort } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { LibError } from "./errors.ts";

/** A moment after which the result is no longer needed; it is passed down every call that waits. */
export interface Deadline {
  /** Aborts with LibError "lib/deadline" when the time is up, or with the parent's reason when the parent aborts. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never below zero. */
  remainingMs(): number;
  /** Removes the timer and the listener on the parent; the signal does not abort afterwards. */
  dispose(): void;
}

/** Opens a deadline `delayMs` from now that also ends with its parent; the caller disposes of it. */
export function withDeadline(clock: Clock, delayMs: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const endsAt = clock.monotonic() + delayMs;
  const cancelTimer = clock.timer(delayMs, () => {
    dispose();
    controller.abort(deadlineError(delayMs));
  });
  const dispose = () => {
    cancelTimer();
    stopListening();
  };
  const stopListening = onAbort(parent, (reason) => {
    cancelTimer();
    controller.abort(reason);
  });
  return { signal: controller.signal, remainingMs: () => Math.max(0, endsAt - clock.monotonic()), dispose };
}

/** The abort reason of an expired deadline. */
export function deadlineError(delayMs: number): LibError {
  return new LibError("lib/deadline", `timed out after ${delayMs} ms`, { data: { delayMs } });
}

/** Throws the coded reason when the signal has aborted; call it between steps of long work. */
export function throwIfAborted(signal?: AbortSignal): void {
  if (signal?.aborted === true) throw abortReason(signal);
}

/**
 * Runs the work under a deadline and disposes of it. The work receives the deadline and ends by itself when the
 * signal aborts; work that is done in time wins even if the parent aborts later.
 */
export async function runWithin<T>(
  clock: Clock,
  delayMs: number,
  work: (deadline: Deadline) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  throwIfAborted(parent);
  const deadline = withDeadline(clock, delayMs, parent);
  try {
    return await work(deadline);
  } finally {
    deadline.dispose();
  }
}
