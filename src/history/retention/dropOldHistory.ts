import type { Clock } from "../../lib/clock.ts";
import { isCoded, LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../store/Database.ts";
import { dropOld } from "./dropOld.ts";

/** How often old partitions are looked for: they hold days. */
const lookEveryMs = 3_600_000;
/** When to look again after a failure: the database may still be opening, as at every start, or be away. */
const againMs = { opening: 1_000, failed: 60_000 };

/** Removes history that is older than the kept time, at once and then every hour; returns a function that stops it. */
export function dropOldHistory(
  database: Pick<Database, "write">,
  keptSeconds: number,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const waitMs = await dropOnce(database, Math.floor(clock.now() / 1_000) - keptSeconds, log);
      await clock.sleep(waitMs, stop.signal).catch(() => {});
    }
  };
  const looking = look();
  return async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await looking;
  };
}

/** Returns when to look again. */
async function dropOnce(database: Pick<Database, "write">, keptSince: number, log: Log): Promise<number> {
  try {
    const first = await dropOld(database, keptSince);
    if (first !== undefined) log.info("removed old history", { firstBlock: first });
    return lookEveryMs;
  } catch (error) {
    if (isCoded(error, "history/opening")) return againMs.opening;
    // The database may be away or busy; the next look finds the same partitions.
    log.warn("old history could not be removed; retrying", { error });
    return againMs.failed;
  }
}
