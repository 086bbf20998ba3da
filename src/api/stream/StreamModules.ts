import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { EntryModules } from "./StreamEntry.ts";
import type { StreamHub } from "./StreamHub.ts";
import type { StreamLimits } from "./StreamLimits.ts";
import type { Subscription } from "./Subscription.ts";

/** Modules shared by the transports of a network's stream. */
export interface StreamModules extends EntryModules {
  readonly hub: StreamHub;
  readonly limits: StreamLimits;
  /** Whether every caller may subscribe to everything. */
  readonly mayAskForAll: boolean;
  /** Refuses a subscription to what the index does not cover. */
  readonly refuseOutside: (subscription: Subscription) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}
