import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { EntryModules } from "./StreamEntry.ts";
import type { StreamHub } from "./StreamHub.ts";
import type { StreamLimits } from "./StreamLimits.ts";

/** What the transports of a network's stream share. */
export interface StreamModules extends EntryModules {
  readonly hub: StreamHub;
  readonly limits: StreamLimits;
  /** Whether anybody may hear of everything. */
  readonly mayAskForAll: boolean;
  readonly clock: Clock;
  readonly log: Log;
}
