import type { SqlSession } from "../Database.ts";
import type { Segment } from "./checkpoint.ts";
import { findFact, setFact } from "./indexFacts.ts";

/**
 * What blocks lack that an older version indexed: stakes, elections and validator sets, or nominator pools, their
 * events and auctions of domains. The migration that made their tables recorded the blocks in a fact.
 */
export type MissingPart = "validators" | "pools";

const factOf = (part: MissingPart) => `${part}_missing`;

/** Ranges of blocks without these rows, in order. */
export async function listMissing(database: Pick<SqlSession, "query">, part: MissingPart): Promise<readonly Segment[]> {
  const ranges = (await findFact(database, factOf(part)))?.split(",") ?? [];
  return ranges.map((range) => {
    const [firstSeqno = 0, nextSeqno = 0] = range.split("-").map(Number);
    return { firstSeqno, nextSeqno };
  });
}

/** Whether a block is in one of the ranges. */
export function isMissing(ranges: readonly Segment[], mcSeqno: number): boolean {
  return ranges.some(({ firstSeqno, nextSeqno }) => mcSeqno >= firstSeqno && mcSeqno < nextSeqno);
}

/** Records the ranges of an index that is imported. */
export async function setMissing(session: SqlSession, part: MissingPart, ranges: readonly Segment[]): Promise<void> {
  if (ranges.length === 0) return;
  const texts = ranges.map(({ firstSeqno, nextSeqno }) => `${firstSeqno}-${nextSeqno}`);
  await setFact(session, factOf(part), texts.join());
}
