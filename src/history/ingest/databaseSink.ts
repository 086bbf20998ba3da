import { commitBatches } from "../store/commit.ts";
import type { Database } from "../store/Database.ts";
import type { Sink } from "./SegmentWorker.ts";

/**
 * Writes rows into the tables. Segment workers take turns, because two that write the same rows would wait for each
 * other. Blocks that are already indexed are refused: another commit wrote them after the worker read its starting
 * point, so its memory is out of date.
 */
export function databaseSink(database: Database, onCommit: () => void = () => {}): Sink {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    commit: async (batches, segment) => {
      const commit = turn.then(() => commitBatches(database, batches, segment, { repeated: "refuse" }));
      turn = commit.catch(() => {});
      await commit;
      onCommit();
    },
  };
}
