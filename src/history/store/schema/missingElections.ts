import type { SqlSession } from "../Database.ts";
import type { Segment } from "./checkpoint.ts";
import { findFact } from "./indexFacts.ts";

/** The fact with the blocks that were indexed before there were tables of validators; migration 0012 makes it. */
const missingFact = "validators_missing";

/** Ranges of blocks without rows of stakes, elections and validator sets, in order. */
export async function listMissingElections(database: Pick<SqlSession, "query">): Promise<readonly Segment[]> {
  const ranges = (await findFact(database, missingFact))?.split(",") ?? [];
  return ranges.map((range) => {
    const [firstSeqno = 0, nextSeqno = 0] = range.split("-").map(Number);
    return { firstSeqno, nextSeqno };
  });
}
