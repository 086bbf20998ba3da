import type { Clock } from "../../lib/clock.ts";
import type { Ledger } from "./Ledger.ts";

/** A clock for a recorded chain: fixed at the time of the newest block, while waits use `clock`. */
export function recordingClock(ledger: Ledger, clock: Clock): Clock {
  return {
    now: () => (ledger.head?.info.genUtime ?? 0) * 1000,
    monotonic: () => clock.monotonic(),
    timer: (delayMs, fire) => clock.timer(delayMs, fire),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}
