import { commitBatches } from "../store/commit.ts";
import type { Database } from "../store/Database.ts";
import type { Sink } from "./SegmentWorker.ts";

/**
 * Rows into the tables. Lanes take turns: two that wrote the same rows at once would wait for each other. Blocks that are
 * there already are refused: somebody else wrote them since the lane read where to begin, such as a commit that was
 * believed lost, so that what the lane remembers is not what the tables hold.
 */
export function databaseSink(database: Database): Sink {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    commit: async (batches, segment) => {
      const commit = turn.then(() => commitBatches(database, batches, segment, { repeated: "refuse" }));
      turn = commit.catch(() => {});
      await commit;
    },
  };
}
