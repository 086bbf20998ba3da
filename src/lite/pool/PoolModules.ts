import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { LiteServer } from "../server/LiteServer.ts";
import type { ServerHead } from "./health.ts";
import type { FindHeld } from "./oldestBlock.ts";

/** Fetches a server's head and checks it; rejects like a query, with `lite/proof` for a proof error. */
export type FetchHead = (server: LiteServer, signal: AbortSignal) => Promise<ServerHead>;

/** The modules of the parts of a pool. */
export interface PoolModules {
  readonly clock: Clock;
  readonly random: Random;
  readonly head: FetchHead;
  /** Finds a masterchain block on a server. */
  readonly find: FindHeld;
  readonly log: Log | undefined;
}
