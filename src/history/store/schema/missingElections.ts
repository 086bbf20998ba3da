import type { SqlSession } from "../Database.ts";
import type { Segment } from "./checkpoint.ts";
import { findFact, setFact } from "./indexFacts.ts";

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

/** Whether the rows of a block are missing. */
export function lacksElections(missing: readonly Segment[], mcSeqno: number): boolean {
  return missing.some(({ firstSeqno, nextSeqno }) => mcSeqno >= firstSeqno && mcSeqno < nextSeqno);
}

/** Records the ranges of an index that is imported. */
export async function setMissingElections(session: SqlSession, missing: readonly Segment[]): Promise<void> {
  if (missing.length === 0) return;
  const ranges = missing.map(({ firstSeqno, nextSeqno }) => `${firstSeqno}-${nextSeqno}`);
  await setFact(session, missingFact, ranges.join());
}
