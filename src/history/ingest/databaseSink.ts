import { commitBatches } from "../store/commit.ts";
import type { Database } from "../store/Database.ts";
import type { Sink } from "./Lane.ts";

/** Rows into the tables. Lanes take turns: two that wrote the same rows at once would wait for each other. */
export function databaseSink(database: Database): Sink {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    commit: async (batches, segment) => {
      const commit = turn.then(() => commitBatches(database, batches, segment));
      turn = commit.catch(() => {});
      await commit;
    },
  };
}
