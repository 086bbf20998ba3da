import type { BatchRows } from "../../../src/history/store/BatchRows.ts";
import type { Segment } from "../../../src/history/store/checkpoint.ts";
import { type Committed, commitBatches } from "../../../src/history/store/commit.ts";
import type { Database } from "../../../src/history/store/Database.ts";

/** Writes all rows of one masterchain block and the checkpoint in one transaction. */
export function commitBatch(
  database: Database,
  batch: BatchRows,
  segment: Pick<Segment, "firstSeqno">,
): Promise<Committed> {
  return commitBatches(database, [batch], segment);
}
