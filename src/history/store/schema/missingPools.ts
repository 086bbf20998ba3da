import type { SqlSession } from "../Database.ts";
import type { Segment } from "./checkpoint.ts";
import { findFact } from "./indexFacts.ts";

/** The fact with the blocks that were indexed before there were nominator pools; migration 0013 makes it. */
export const missingPoolsFact = "pools_missing";

/** Ranges of blocks without nominator pools, their events, and auctions of domains, in order. */
export async function listMissingPools(database: Pick<SqlSession, "query">): Promise<readonly Segment[]> {
  const ranges = (await findFact(database, missingPoolsFact))?.split(",") ?? [];
  return ranges.map((range) => {
    const [firstSeqno = 0, nextSeqno = 0] = range.split("-").map(Number);
    return { firstSeqno, nextSeqno };
  });
}

/** Whether the rows of a block are missing. */
export function lacksPools(missing: readonly Segment[], mcSeqno: number): boolean {
  return missing.some(({ firstSeqno, nextSeqno }) => mcSeqno >= firstSeqno && mcSeqno < nextSeqno);
}
