import { abortReason, onAbort } from "./abort.ts";
import { CancelToken } from "./CancelToken.ts";
import type { Clock } from "./clock.ts";
import { LibError } from "./libErrors.ts";

/** A moment after which nobody waits any more; it travels down every call that waits. */
export interface Deadline {
  /** Aborts with LibError "lib/deadline" when the time is up, or with the parent's reason when the parent aborts. */
  readonly signal: AbortSignal;
  /** The same for those who need no signal, which costs much more. */
  readonly ending: CancelToken;
  /** Milliseconds left, never below zero. */
  remainingMs(): number;
  /** Forgets the timer and the parent when the work is over; the signal does not abort afterwards. */
  dispose(): void;
}

/** Opens a deadline `delayMs` from now that also ends with its parent; whoever opens it disposes of it. */
export function withDeadline(clock: Clock, delayMs: number, parent?: AbortSignal | CancelToken): Deadline {
  const ending = new CancelToken();
  const endsAt = clock.monotonic() + delayMs;
  const cancelTimer = clock.timer(delayMs, () => {
    dispose();
    ending.end(new LibError("lib/deadline", `not done within ${delayMs} ms`, { data: { delayMs } }));
  });
  const dispose = () => {
    cancelTimer();
    stopListening();
  };
  const stopListening = onAbort(parent, (reason) => {
    cancelTimer();
    ending.end(reason);
  });
  return {
    get signal() {
      return ending.signal;
    },
    ending,
    remainingMs: () => Math.max(0, endsAt - clock.monotonic()),
    dispose,
  };
}

/** Throws the coded reason when the signal has aborted; call it between steps of long work. */
export function throwIfAborted(signal?: AbortSignal | CancelToken): void {
  if (signal instanceof CancelToken) {
    if (signal.reason !== undefined) throw signal.reason;
    return;
  }
  if (signal?.aborted === true) {
    throw abortReason(signal);
  }
}

/**
 * Runs the work under a deadline and disposes of it. The work is handed the deadline and ends by itself when the
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
