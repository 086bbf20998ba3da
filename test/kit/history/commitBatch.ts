import type { Database } from "../../../src/history/store/Database.ts";
import type { Segment } from "../../../src/history/store/schema/checkpoint.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { type Committed, commitBatches } from "../../../src/history/store/write/commit.ts";

/** Writes all rows of one masterchain block and the checkpoint in one transaction. */
export function commitBatch(
  database: Database,
  batch: BatchRows,
  segment: Pick<Segment, "firstSeqno">,
): Promise<Committed> {
  return commitBatches(database, [batch], segment);
}
