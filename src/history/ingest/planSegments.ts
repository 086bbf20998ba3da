import type { Segment } from "../store/checkpoint.ts";

/** Where the index begins: at the newest block, at the first, or at a given seqno. */
export type StartAt = "head" | "genesis" | number;

/** A range of masterchain blocks to index. */
export interface SegmentPlan {
  readonly kind: "follow" | "backfill";
  /** The segment that is extended; it may still be empty. */
  readonly segment: Segment;
  /** The last block; without one the chain is followed. */
  readonly to: number | undefined;
}

export interface IngestPlan {
  readonly follow: SegmentPlan | undefined;
  /** The gap that is filled at the same time; the others follow later. */
  readonly backfill: SegmentPlan | undefined;
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
  readonly mostBehind: number;
}

/**
 * Plans what to index: the chain from its head, and the newest gap before it. A segment that ends far behind the head
 * is left for backfill while the head is followed in a new one.
 */
export function planSegments({ segments, from, head, to, mostBehind }: PlanInput): IngestPlan {
  const known = segments.toSorted((a, b) => a.firstSeqno - b.firstSeqno);
  const first = firstWanted(from, known, head);
  const newest = known.at(-1);
  if (newest === undefined || first < (known[0]?.firstSeqno ?? 0))
    known.unshift({ firstSeqno: first, nextSeqno: first });
  const last = known.at(-1) as Segment;
  const end = to ?? head;
  if (to === undefined && end - last.nextSeqno > mostBehind) known.push({ firstSeqno: head, nextSeqno: head });
  const follow = known.at(-1) as Segment;
  const gaps = known.slice(0, -1).map((segment, index) => ({ segment, next: known[index + 1] as Segment }));
  const gap = gaps.at(-1);
  const missing = gaps.reduce((sum, { segment, next }) => sum + next.firstSeqno - segment.nextSeqno, 0);
  return {
    follow: to !== undefined && follow.nextSeqno > to ? undefined : { kind: "follow", segment: follow, to },
    backfill: gap && { kind: "backfill", segment: gap.segment, to: gap.next.firstSeqno - 1 },
    missing: missing + Math.max(0, end + 1 - follow.nextSeqno),
  };
}

function firstWanted(from: StartAt, known: readonly Segment[], head: number): number {
  if (from === "genesis") return 1;
  if (from === "head") return known[0]?.firstSeqno ?? Math.max(1, head);
  return Math.max(1, from);
}
