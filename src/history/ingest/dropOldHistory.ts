import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/libErrors.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../store/Database.ts";
import { dropOld } from "../store/retention.ts";

/** How often old partitions are looked for: they hold days. */
const lookEveryMs = 3_600_000;

/** Removes history that is older than the kept time, every hour; returns a function that stops it. */
export function dropOldHistory(
  database: Pick<Database, "write">,
  keptSeconds: number,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await dropOnce(database, Math.floor(clock.now() / 1_000) - keptSeconds, log);
      await clock.sleep(lookEveryMs, stop.signal).catch(() => {});
    }
  };
  const looking = look();
  return async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await looking;
  };
}

async function dropOnce(database: Pick<Database, "write">, keptSince: number, log: Log): Promise<void> {
  try {
    const first = await dropOld(database, keptSince);
    if (first !== undefined) log.info("old history was removed", { firstBlock: first });
  } catch (error) {
    // The database may be away or busy; the next look finds the same partitions.
    log.warn("old history is not removed yet", { error });
  }
}
