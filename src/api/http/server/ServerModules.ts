import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Metrics } from "../../metrics.ts";
import type { ExplorerPages } from "../../pages/ExplorerPages.ts";
import type { LandingFacts } from "../../pages/landing.ts";
import type { LoadAssets } from "../../pages/PageAssets.ts";
import type { ReadinessCheck } from "../../readiness.ts";
import type { ServedVersion } from "../ServedVersion.ts";
import type { ConnectionLimit } from "../sockets/ConnectionLimit.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";

/** Whether a server stops, and how to say that it does. */
interface DrainingState {
  readonly isOn: boolean;
  begin(): void;
}

/** What a server answers from. */
export interface ServerModules {
  readonly versions: readonly ServedVersion[];
  readonly checks: readonly ReadinessCheck[];
  /** What runs here now. */
  readonly facts: () => LandingFacts;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  readonly draining: DrainingState;
  /** Of all servers of the process; without one they take every connection. */
  readonly connections?: ConnectionLimit;
  /** Answers that do not end. */
  readonly streams?: readonly StreamRoutes[];
  /** Files for browsers; absent when they were not built or are switched off. */
  readonly assets?: LoadAssets | undefined;
  readonly explorer?: Pick<ExplorerPages, "handle"> | undefined;
}
