import { commonPrefix } from "./BitReader.ts";
import { CellKind } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { type KeyBits, loadLabel, setBit } from "./label.ts";
import { type Slice, sliceOf } from "./Slice.ts";

interface ChangedWalk {
  readonly keyBits: number;
  readonly key: KeyBits;
  readonly keyBefore: KeyBits;
  readonly visit: (key: KeyBits, leaf: Slice) => void;
  left: number;
}

/**
 * Visits the leaves of a tree that an earlier tree does not have: subtrees with the same hash at the same place are
 * not read. The earlier tree may be pruned; what it hides, and what moved to another depth, counts as changed. More
 * than `maxLeaves` leaves are `cell/dictionary-size`.
 */
export function walkChangedLeaves(
  { before, after }: { readonly before: Cell | undefined; readonly after: Cell | undefined },
  keyBits: number,
  maxLeaves: number,
  visit: (key: KeyBits, leaf: Slice) => void,
): void {
  if (after === undefined) return;
  const bytes = (keyBits + 7) >>> 3;
  const walk = { keyBits, key: new Uint8Array(bytes), keyBefore: new Uint8Array(bytes), visit, left: maxLeaves };
  walkEdge(walk, before, after, 0);
}

function walkEdge(walk: ChangedWalk, before: Cell | undefined, after: Cell, at: number): void {
  if (before !== undefined && before.hash(0) === after.hash(0)) return;
  const { key, keyBefore, keyBits } = walk;
  const slice = sliceOf(after);
  const end = at + loadLabel(slice, keyBits - at, key, at);
  if (end === keyBits) {
    if (--walk.left < 0) throw new CellError("cell/dictionary-size", "a dictionary with too many changed entries");
    walk.visit(key, slice);
    return;
  }
  const known = before === undefined || before.kind === CellKind.pruned ? undefined : sliceOf(before);
  const isAlike =
    known !== undefined &&
    at + loadLabel(known, keyBits - at, keyBefore, at) === end &&
    commonPrefix(key, at, keyBefore, at, end - at) === end - at;
  for (const bit of [0, 1] as const) {
    setBit(key, end, bit === 1);
    walkEdge(walk, isAlike ? known.preloadRef(bit) : undefined, slice.preloadRef(bit), end + 1);
  }
}
