import type { Segment } from "../store/schema/checkpoint.ts";

/** A range that nobody indexes: the segment that it extends, which may be new and empty, and its last block. */
export interface FreeRange {
  readonly segment: Segment;
  readonly lastSeqno: number;
}

export interface RangeInput {
  readonly segments: readonly Segment[];
  /** Ranges that are being filled, by the segments they extend. */
  readonly leases: readonly { readonly firstSeqno: number; readonly lastSeqno: number | undefined }[];
  /** The first wanted block. */
  readonly first: number;
  /** The first block of the segment that follows the chain. */
  readonly end: number;
  readonly rangeBlocks: number;
}

interface BlockRange {
  readonly from: number;
  readonly to: number;
}

const leastBlocks = 4;
const shares = 16;

/**
 * The newest range to backfill: recent history is asked for most, and one that touches the followed segment makes it
 * longer without a gap. What is left of a gap extends the segment before it, if nobody else does.
 */
export function nextRange({ segments, leases, first, end, rangeBlocks }: RangeInput): FreeRange | undefined {
  const taken = [
    ...segments.map(({ firstSeqno, nextSeqno }) => ({ from: firstSeqno, to: nextSeqno - 1 })),
    ...leases.map(({ firstSeqno, lastSeqno = firstSeqno }) => ({ from: firstSeqno, to: lastSeqno })),
  ];
  // Down from the followed segment to the newest block that nobody has.
  let last = end - 1;
  for (let at = taken.find((range) => holds(range, last)); at !== undefined && last >= first; ) {
    last = at.from - 1;
    at = taken.find((range) => holds(range, last));
  }
  if (last < first) return undefined;
  const below = Math.max(first - 1, ...taken.filter(({ to }) => to < last).map(({ to }) => to));
  const from = Math.max(below + 1, last - Math.min(rangeBlocks, fairShare(taken, first, end)) + 1);
  const isLeased = (seqno: number) => leases.some(({ firstSeqno }) => firstSeqno === seqno);
  const before = segments.find(({ firstSeqno, nextSeqno }) => nextSeqno === from && !isLeased(firstSeqno));
  return { segment: before ?? { firstSeqno: from, nextSeqno: from }, lastSeqno: last };
}

/** Near the end ranges become smaller, so that all workers finish at about the same time. */
function fairShare(taken: readonly BlockRange[], first: number, end: number): number {
  const done = taken.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, end - 1) - Math.max(from, first) + 1),
    0,
  );
  return Math.max(leastBlocks, Math.ceil((end - first - done) / shares));
}

function holds({ from, to }: BlockRange, seqno: number): boolean {
  return from <= seqno && seqno <= to;
}
