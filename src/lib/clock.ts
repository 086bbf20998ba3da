import { onAbort } from "./abort.ts";

/** Cancels a timer; does nothing after it has fired or was cancelled. */
export type CancelTimer = () => void;

/**
 * The only source of time. Tests pass a clock that they move. `now` may jump when the machine's time is set; durations
 * are measured with `monotonic`, which never goes back.
 */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds since an arbitrary moment. */
  monotonic(): number;
  /** Calls `fire` once after `delayMs`, never before this call returns. */
  timer(delayMs: number, fire: () => void): CancelTimer;
  /** Resolves after `delayMs`, or rejects with the signal's coded reason as soon as it aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay the platform supports; a longer one would fire immediately, so it is split into steps. */
const longestDelayMs = 2_147_483_647;

function systemTimer(delayMs: number, fire: () => void): CancelTimer {
  // A moment in the past means now; newer platforms warn about negative delays.
  const stepMs = Math.min(Math.max(delayMs, 0), longestDelayMs);
  let cancelNext: CancelTimer | undefined;
  const timeout = setTimeout(() => {
    if (delayMs > stepMs) cancelNext = systemTimer(delayMs - stepMs, fire);
    else fire();
  }, stepMs);
  return () => {
    clearTimeout(timeout);
    cancelNext?.();
  };
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: systemTimer,
  sleep: (delayMs, signal) => sleepBy(systemTimer, delayMs, signal),
};

/** Implements a clock's `sleep` with its `timer`. */
export function sleepBy(timer: Clock["timer"], delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = timer(delayMs, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, (reason) => {
      cancel();
      reject(reason);
    });
  });
}
