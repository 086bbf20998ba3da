import { onAbort } from "./abort.ts";

/** Ends a timer before it fires; afterwards, and the second time, does nothing. */
export type CancelTimer = () => void;

/**
 * The only source of time for everything that waits or dates. The system clock is one; tests hand in one they move.
 * `now` may jump when the machine's time is set; durations are measured with `monotonic`, which never goes back.
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

/** The longest delay the platform keeps; a longer one would fire at once, so it is waited for in steps. */
const longestDelayMs = 2_147_483_647;

function systemTimer(delayMs: number, fire: () => void): CancelTimer {
  // A moment that has passed since it was reckoned is now; newer platforms warn of delays below zero.
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

/** Time as the machine has it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: systemTimer,
  sleep: (delayMs, signal) => sleepBy(systemTimer, delayMs, signal),
};

/** Makes a clock's `sleep` out of its `timer`. */
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
