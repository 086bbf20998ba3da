import type { Segment } from "../store/schema/checkpoint.ts";
import type { IndexedRange } from "./steps/openMeaning.ts";

/** Where the index begins: at the newest block, at the first, or at a given seqno. */
export type StartAt = "head" | "genesis" | number;

/** A range of masterchain blocks to index. */
export interface SegmentPlan extends IndexedRange {
  readonly kind: "follow" | "backfill";
  /** The last block; without one the chain is followed. */
  readonly to: number | undefined;
  /** Indexing ends before the first block after this time. */
  readonly untilTime?: number | undefined;
}

export interface IngestPlan {
  readonly follow: SegmentPlan;
  /** Whether blocks before the followed segment are missing. */
  readonly hasGaps: boolean;
  /** All blocks missing between the first block and the head. */
  readonly missing: number;
}

export interface PlanInput {
  readonly segments: readonly Segment[];
  readonly from: StartAt;
  readonly head: number;
  /** The last wanted block, when the chain is not followed. */
  readonly to: number | undefined;
  /** The head gets its own segment when the newest segment is more blocks behind than this. */
  readonly maxBehind: number;
}

/**
 * Plans what to index: the chain from its head, and the newest gap before it. A segment that ends far behind the head
 * is left for backfill while the head is followed in a new one.
 */
export function planSegments({ segments, from, head, to, maxBehind }: PlanInput): IngestPlan {
  const known = segments.toSorted((a, b) => a.firstSeqno - b.firstSeqno);
  const first = startSeqno(from, known, head);
  const newest = known.at(-1);
  if (newest === undefined || first < (known[0]?.firstSeqno ?? 0))
    known.unshift({ firstSeqno: first, nextSeqno: first });
  const last = known.at(-1) as Segment;
  const end = to ?? head;
  if (to === undefined && end - last.nextSeqno > maxBehind) known.push({ firstSeqno: head, nextSeqno: head });
  const follow = known.at(-1) as Segment;
  const gaps = known.slice(0, -1).map((segment, index) => ({ segment, next: known[index + 1] as Segment }));
  const missing = gaps.reduce((sum, { segment, next }) => sum + next.firstSeqno - segment.nextSeqno, 0);
  return {
    follow: { kind: "follow", segment: follow, to, first: known[0]?.firstSeqno ?? first },
    hasGaps: gaps.length > 0,
    missing: missing + Math.max(0, end + 1 - follow.nextSeqno),
  };
}

function startSeqno(from: StartAt, known: readonly Segment[], head: number): number {
  if (from === "genesis") return 1;
  if (from === "head") return known[0]?.firstSeqno ?? Math.max(1, head);
  return Math.max(1, from);
}

/** Whether segments hold all blocks from the first up to, not including, the end. */
export function isWithoutGaps(segments: readonly Segment[], first: number, end: number): boolean {
  let next = first;
  for (const { firstSeqno, nextSeqno } of segments.toSorted((a, b) => a.firstSeqno - b.firstSeqno))
    if (firstSeqno <= next) next = Math.max(next, nextSeqno);
  return next >= end;
}

/** The newest two segments that touch each other and that nobody indexes. */
export function findAdjacent<S extends Segment & { readonly isFree: boolean }>(
  segments: readonly S[],
): readonly [S, S] | undefined {
  for (let at = segments.length - 1; at > 0; at--) {
    const earlier = segments[at - 1];
    const later = segments[at];
    const areFree = earlier?.isFree === true && later?.isFree === true;
    if (areFree && earlier.nextSeqno === later.firstSeqno) return [earlier, later];
  }
  return undefined;
}
