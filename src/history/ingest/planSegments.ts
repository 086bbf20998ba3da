import type { Segment } from "../store/checkpoint.ts";

/** Where the index is to begin: at the newest block, at the first, or at a given one. */
export type StartAt = "head" | "genesis" | number;

/** A stretch of masterchain blocks to be read. */
export interface SegmentPlan {
  readonly kind: "follow" | "backfill";
  /** The segment it makes longer, which may be empty yet. */
  readonly segment: Segment;
  /** The last block; none: it goes on with the chain. */
  readonly to: number | undefined;
}

export interface IngestPlan {
  readonly follow: SegmentPlan | undefined;
  /** The gap that is filled beside it; the others come later. */
  readonly backfill: SegmentPlan | undefined;
  /** Blocks that are missing in all between the first and the head. */
  readonly missing: number;
}

export interface PlanInput {
  readonly segments: readonly Segment[];
  readonly from: StartAt;
  readonly head: number;
  /** The last block wanted, when the chain is not to be followed. */
  readonly to: number | undefined;
  /** How far the newest segment may be behind the head before the head gets a segment of its own. */
  readonly mostBehind: number;
}

/**
 * What to read: the chain from its head on, and of the gaps before it the newest one. A segment that ends far behind the
 * head is left to be filled up while the head is followed in a new one.
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
