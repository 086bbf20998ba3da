import { onAbort } from "../../../../lib/abort.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { HistoryError } from "../../../errors.ts";
import type { Database } from "../../Database.ts";

/** How long a stop waits for statements that run; less than what a stop takes at most. */
const statementsMs = 3_000;

/**
 * Ends the statements that still run some time after the signal: a lock of another session, or a database that hangs,
 * must not hold the stop. What they wrote is rolled back, and indexed again by the next start. Returns what cancels it.
 */
export function destroyAfterStop(database: Pick<Database, "destroy">, clock: Clock, signal: AbortSignal): () => void {
  let cancelTimer = () => {};
  const stopListening = onAbort(signal, () => {
    cancelTimer = clock.timer(statementsMs, () => {
      const text = `the database did not answer within ${statementsMs / 1_000} s of the stop`;
      database.destroy?.(new HistoryError("history/database", text));
    });
  });
  return () => {
    stopListening();
    cancelTimer();
  };
}
