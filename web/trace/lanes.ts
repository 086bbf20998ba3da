import { textWidth } from "./textWidth.ts";

/** A message of a sequence: the lanes between which it goes, -1 for outside of the chain, and its words. */
export interface Call {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

/** A message with its places: the arrow, and the middle of its words. */
export interface PlacedCall {
  readonly start: number;
  readonly end: number;
  readonly middle: number;
}

export interface Lanes {
  readonly xs: readonly number[];
  readonly calls: readonly PlacedCall[];
  readonly width: number;
}

export const labelSize = 11.5;
const leastGap = 130;
const space = 24;
/** The left end of external messages. */
const outside = 10;

/**
 * Places lanes so far from each other that the words of a message fit between two of them: a message over several lanes
 * has its words next to its sender.
 */
export function placeLanes(count: number, calls: readonly Call[], heads: readonly string[] = []): Lanes {
  // A gap is the one before its lane; the last one is behind all lanes.
  const gaps: number[] = Array.from({ length: count + 1 }, (_none, at) => (at === 0 ? 60 : leastGap));
  for (const call of calls) {
    const need = Math.max(...call.words.map((each) => textWidth(each, labelSize))) + space;
    const gap = gapOf(call);
    gaps[gap] = Math.max(gaps[gap] ?? 0, need);
  }
  const xs: number[] = [];
  for (let at = 0; at < count; at++) {
    const heading = at === 0 ? 0 : (headWidth(heads[at - 1]) + headWidth(heads[at])) / 2;
    xs.push((xs[at - 1] ?? outside) + Math.max(gaps[at] ?? 0, heading));
  }
  const hasReturn = calls.some((call) => gapOf(call) === count);
  const width = (xs[count - 1] ?? outside) + (hasReturn ? (gaps[count] ?? 0) : headWidth(heads[count - 1]) / 2 + space);
  return { xs, width, calls: calls.map((call) => placeCall(call, xs)) };
}

const headWidth = (head = ""): number => textWidth(head, 14) + space;

/** The gap for the words: next to the sender, on the way to the receiver. A message to itself comes from the left. */
function gapOf({ from, to }: Call): number {
  if (from === to) return to;
  return from < to ? from + 1 : from;
}

function placeCall(call: Call, xs: readonly number[]): PlacedCall {
  const gap = gapOf(call);
  const [left, right] = [xs[gap - 1] ?? outside, xs[gap] ?? outside];
  const end = xs[call.to] ?? outside;
  const start = call.from === call.to ? end - 46 : (xs[call.from] ?? outside);
  return { start, end, middle: (left + right) / 2 };
}
