import type { Database, SqlSession } from "../store/Database.ts";
import { hasState } from "../store/databaseErrors.ts";
import type { Segment } from "../store/schema/checkpoint.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";
import { type CommitOptions, commitBatches } from "../store/write/commit.ts";
import type { Sink } from "./steps/CommitQueue.ts";

/**
 * Writes rows into the tables. Segment workers take turns, because two that write the same rows would wait for each
 * other. Blocks that are already indexed are refused: another commit wrote them after the worker read its starting
 * point, so its memory is out of date. A guard runs first in every transaction and may refuse it.
 */
export function databaseSink(
  database: Database,
  onCommit: () => void = () => {},
  guard?: (session: SqlSession) => Promise<void>,
): Sink {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    commit: async (batches, segment, made) => {
      const options = { repeated: "refuse", ...(guard && { guard }), ...(made && { made }) } as const;
      const commit = turn.then(() => commitAgain(database, batches, segment, options));
      turn = commit.catch(() => {});
      await commit;
      onCommit();
    },
  };
}

/** How often a commit is tried that the database ended because another one waited for the same rows. */
const maxTries = 5;

async function commitAgain(
  database: Database,
  batches: readonly BatchRows[],
  segment: Segment,
  options: CommitOptions,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await commitBatches(database, batches, segment, options);
      return;
    } catch (error) {
      if (tries >= maxTries || !isCollision(error)) throw error;
    }
  }
}

/**
 * A deadlock, or a serialization failure: nothing was written, and the same commit succeeds when the other one is done.
 */
function isCollision(error: unknown): boolean {
  return hasState(error, /^40(?:001|P01)$/);
}
