import { commonPrefix, compareBits } from "./BitReader.ts";
import { type Builder, beginCell } from "./Builder.ts";
import { CellKind } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { getBit, type KeyBits, loadLabel, setBit, storeLabel } from "./label.ts";
import { Slice, sliceOf } from "./Slice.ts";

/**
 * The binary tree of plain and augmented dictionaries. Keys are bits left-aligned in bytes. Nothing is changed in
 * place: every edit returns a new root. A pruned branch on the way is `cell/pruned`.
 */

/** How a fork's own value is made from its two halves; plain dictionaries have none. */
export interface ForkExtra {
  /** Both halves have `keyBits` key bits. `before` is the fork that is replaced, after its label. */
  combine(left: Cell, right: Cell, keyBits: number, into: Builder, before: Slice | undefined): void;
}

/** The root of a tree: in a separate cell, or an edge inside a larger cell. */
export type TreeRoot = Cell | Slice;

function openRoot(root: TreeRoot): Slice {
  return root instanceof Slice ? root.clone() : sliceOf(root);
}

/** The root edge as a separate cell. */
export function rootCell(root: TreeRoot): Cell;
export function rootCell(root: TreeRoot | undefined): Cell | undefined;
export function rootCell(root: TreeRoot | undefined): Cell | undefined {
  return root instanceof Slice ? root.clone().loadRest() : root;
}

const rootKey = (bits: number): KeyBits => new Uint8Array((bits + 7) >>> 3);

/** The slice after the label of the leaf with this key. */
export function findLeaf(root: TreeRoot | undefined, keyBits: number, key: KeyBits): Slice | undefined {
  if (root === undefined) return undefined;
  const label = rootKey(keyBits);
  let slice = openRoot(root);
  let at = 0;
  for (;;) {
    const length = loadLabel(slice, keyBits - at, label, at);
    if (commonPrefix(label, at, key, at, length) < length) return undefined;
    at += length;
    if (at === keyBits) return slice;
    slice = sliceOf(slice.preloadRef(getBit(key, at) ? 1 : 0));
    setBit(label, at, getBit(key, at));
    at++;
  }
}

export interface WalkOptions {
  /** Begin at this key, or at the next one in the direction of the walk. */
  readonly from?: KeyBits | undefined;
  readonly reverse?: boolean;
  /** Skips what a proof does not contain instead of refusing it. */
  readonly skipPruned?: boolean;
}

/** Returned by a visitor to end the walk. */
export const stop = Symbol("stop");

/**
 * Visits leaves in key order. The key's bytes are reused for the next leaf: a visitor that keeps them copies them. A
 * tree of few cells can have an astronomic number of leaves when forks refer to the same half twice: every walk names
 * the number of leaves and skipped branches after which it is refused.
 */
export function walkLeaves(
  root: TreeRoot | undefined,
  keyBits: number,
  maxLeaves: number,
  visit: (key: KeyBits, leaf: Slice) => typeof stop | undefined,
  options: WalkOptions = {},
): void {
  if (root === undefined) return;
  const key = rootKey(keyBits);
  const isWhole = options.from === undefined && options.reverse !== true && options.skipPruned !== true;
  const meet = countLeaves(maxLeaves);
  const met = (at: KeyBits, leaf: Slice): typeof stop | undefined => {
    meet();
    return visit(at, leaf);
  };
  if (isWhole) walkAll(openRoot(root), 0, key, keyBits, met);
  else walkEdge({ key, keyBits, visit: met, skip: meet, options }, rootCell(root), 0, options.from !== undefined);
}

function countLeaves(max: number): () => void {
  let left = max;
  return () => {
    if (--left < 0) throw new CellError("cell/dictionary-size", `a dictionary of more than ${max} entries`);
  };
}

/** `walkEdge` without options, the common case. */
function walkAll(
  slice: Slice,
  at: number,
  key: KeyBits,
  keyBits: number,
  visit: (key: KeyBits, leaf: Slice) => typeof stop | undefined,
): typeof stop | undefined {
  const end = at + loadLabel(slice, keyBits - at, key, at);
  if (end === keyBits) return visit(key, slice);
  setBit(key, end, false);
  if (walkAll(sliceOf(slice.preloadRef(0)), end + 1, key, keyBits, visit) === stop) return stop;
  setBit(key, end, true);
  return walkAll(sliceOf(slice.preloadRef(1)), end + 1, key, keyBits, visit);
}

interface Walk {
  readonly key: KeyBits;
  readonly keyBits: number;
  readonly visit: (key: KeyBits, leaf: Slice) => typeof stop | undefined;
  /** Called for every pruned branch that is skipped. */
  readonly skip: () => void;
  readonly options: WalkOptions;
}

/** `bound`: the key so far equals the beginning of `from`. Recursion is as deep as the key is long, 1023 at most. */
function walkEdge(walk: Walk, cell: Cell, at: number, bound: boolean): typeof stop | undefined {
  const { key, keyBits, options } = walk;
  if (options.skipPruned && cell.kind === CellKind.pruned) {
    walk.skip();
    return undefined;
  }
  const slice = sliceOf(cell);
  const end = at + loadLabel(slice, keyBits - at, key, at);
  let isBound = bound;
  if (bound && options.from !== undefined) {
    const order = compareBits(key, at, end - at, options.from, at, end - at);
    if (options.reverse ? order > 0 : order < 0) return undefined;
    isBound = order === 0;
  }
  if (end === keyBits) return walk.visit(key, slice);
  const first = options.reverse === true;
  for (const side of [first, !first]) {
    if (isBound && options.from !== undefined) {
      const edge = getBit(options.from, end);
      if (options.reverse ? side && !edge : !side && edge) continue;
    }
    setBit(key, end, side);
    const childBound = isBound && options.from !== undefined && getBit(options.from, end) === side;
    if (walkEdge(walk, slice.preloadRef(side ? 1 : 0), end + 1, childBound) === stop) return stop;
  }
  return undefined;
}

/** The content of a leaf after its label; in augmented dictionaries the extra comes first. */
export type StoreLeaf = (into: Builder) => void;

/** A tree with this leaf set or replaced. */
export function setLeaf(
  root: Cell | undefined,
  keyBits: number,
  key: KeyBits,
  leaf: StoreLeaf,
  extra: ForkExtra | undefined,
): Cell {
  if (root === undefined) return makeLeaf(key, 0, keyBits, leaf);
  return setAt(root, keyBits, 0, key, leaf, extra);
}

function setAt(
  cell: Cell,
  keyBits: number,
  at: number,
  key: KeyBits,
  leaf: StoreLeaf,
  extra: ForkExtra | undefined,
): Cell {
  const slice = sliceOf(cell);
  const label = rootKey(keyBits);
  const length = loadLabel(slice, keyBits - at, label, at);
  const same = commonPrefix(label, at, key, at, length);
  const end = at + same;
  if (same < length) {
    const old = relabel(slice, label, end + 1, at + length, keyBits);
    const added = makeLeaf(key, end + 1, keyBits, leaf);
    return getBit(key, end)
      ? makeFork(key, at, end, keyBits, old, added, extra)
      : makeFork(key, at, end, keyBits, added, old, extra);
  }
  if (end === keyBits) return makeLeaf(key, at, keyBits, leaf);
  const left = slice.preloadRef(0);
  const right = slice.preloadRef(1);
  return getBit(key, end)
    ? makeFork(key, at, end, keyBits, left, setAt(right, keyBits, end + 1, key, leaf, extra), extra, slice)
    : makeFork(key, at, end, keyBits, setAt(left, keyBits, end + 1, key, leaf, extra), right, extra, slice);
}

/** A tree without this leaf: `missing` when it was not there, undefined when the tree becomes empty. */
export function deleteLeaf(
  root: Cell | undefined,
  keyBits: number,
  key: KeyBits,
  extra: ForkExtra | undefined,
): Cell | undefined | "missing" {
  return root === undefined ? "missing" : deleteAt(root, keyBits, 0, key, extra);
}

function deleteAt(
  cell: Cell,
  keyBits: number,
  at: number,
  key: KeyBits,
  extra: ForkExtra | undefined,
): Cell | undefined | "missing" {
  const slice = sliceOf(cell);
  const label = rootKey(keyBits);
  const length = loadLabel(slice, keyBits - at, label, at);
  if (commonPrefix(label, at, key, at, length) < length) return "missing";
  const end = at + length;
  if (end === keyBits) return undefined;
  const side = getBit(key, end);
  const kept = slice.preloadRef(side ? 0 : 1);
  const rest = deleteAt(slice.preloadRef(side ? 1 : 0), keyBits, end + 1, key, extra);
  if (rest === "missing") return rest;
  if (rest !== undefined) {
    return side
      ? makeFork(key, at, end, keyBits, kept, rest, extra, slice)
      : makeFork(key, at, end, keyBits, rest, kept, extra, slice);
  }
  return takeOver(label, at, end, keyBits, kept, !side);
}

/** One half of a fork is gone: its sibling takes over the edge, with both labels joined. */
export function takeOver(label: KeyBits, at: number, end: number, keyBits: number, cell: Cell, side: boolean): Cell {
  const joined = label.slice();
  const below = sliceOf(cell);
  setBit(joined, end, side);
  const belowLength = loadLabel(below, keyBits - end - 1, joined, end + 1);
  return relabel(below, joined, at, end + 1 + belowLength, keyBits);
}

/** A leaf to set, or to delete where `store` is undefined. */
export interface LeafChange {
  readonly key: KeyBits;
  readonly store: StoreLeaf | undefined;
}

/**
 * A tree with many leaves set or deleted; undefined when it becomes empty. Changes are in ascending key order. Every
 * node above them is made once, where single edits would make those near the root again and again.
 */
export function changeLeaves(
  root: Cell | undefined,
  keyBits: number,
  changes: readonly LeafChange[],
  extra: ForkExtra | undefined,
): Cell | undefined {
  return changeAt({ changes, keyBits, label: rootKey(keyBits), extra }, root, 0, 0, changes.length);
}

interface TreeChange {
  readonly changes: readonly LeafChange[];
  readonly keyBits: number;
  /** The labels on the way to the node; what is below a node writes only behind its own. */
  readonly label: KeyBits;
  readonly extra: ForkExtra | undefined;
}

/** Applies the changes `from … to` to the node whose label begins at bit `at`. */
function changeAt(all: TreeChange, cell: Cell | undefined, at: number, from: number, to: number): Cell | undefined {
  if (from === to) return cell;
  const { changes, keyBits, label, extra } = all;
  if (cell === undefined) {
    const leaves = changes.slice(from, to).filter((change): change is Leaf => change.store !== undefined);
    return leaves.length === 0 ? undefined : buildRange(leaves, 0, leaves.length, keyBits, at, extra);
  }
  const first = changes[from] as LeafChange;
  const last = changes[to - 1] as LeafChange;
  const slice = sliceOf(cell);
  const length = loadLabel(slice, keyBits - at, label, at);
  const same = Math.min(commonPrefix(label, at, first.key, at, length), commonPrefix(label, at, last.key, at, length));
  const end = at + same;
  if (end === keyBits) return first.store === undefined ? undefined : makeLeaf(first.key, at, keyBits, first.store);
  let middle = from;
  while (middle < to && !getBit((changes[middle] as LeafChange).key, end)) middle++;
  // Where a change leaves the edge, what is below it becomes one half of a new fork.
  const old = same < length ? relabel(slice, label, end + 1, at + length, keyBits) : undefined;
  const isOldRight = getBit(label, end);
  const half = (side: boolean) => (isOldRight === side ? old : undefined);
  const left = changeAt(all, old ? half(false) : slice.preloadRef(0), end + 1, from, middle);
  const right = changeAt(all, old ? half(true) : slice.preloadRef(1), end + 1, middle, to);
  return joinHalves(label, at, end, keyBits, left, right, extra, old ? undefined : slice);
}

function joinHalves(
  label: KeyBits,
  at: number,
  end: number,
  keyBits: number,
  left: Cell | undefined,
  right: Cell | undefined,
  extra: ForkExtra | undefined,
  before: Slice | undefined,
): Cell | undefined {
  if (left !== undefined && right !== undefined) return makeFork(label, at, end, keyBits, left, right, extra, before);
  const cell = left ?? right;
  return cell === undefined ? undefined : takeOver(label, at, end, keyBits, cell, cell === right);
}

export interface Leaf {
  readonly key: KeyBits;
  readonly store: StoreLeaf;
}

/** Refuses keys that are repeated or in another order. */
export function checkAscending(leaves: readonly LeafChange[], keyBits: number): void {
  for (let i = 1; i < leaves.length; i++) {
    const before = leaves[i - 1] as LeafChange;
    const here = leaves[i] as LeafChange;
    if (compareBits(before.key, 0, keyBits, here.key, 0, keyBits) >= 0)
      throw new CellError("cell/dictionary-key", `key ${i} does not come after the one before it`);
  }
}

/** A tree of leaves given in ascending key order, built from the leaves up; all keys are equal before bit `at`. */
export function buildSorted(
  leaves: readonly Leaf[],
  keyBits: number,
  extra: ForkExtra | undefined,
  at = 0,
): Cell | undefined {
  checkAscending(leaves, keyBits);
  return leaves.length === 0 ? undefined : buildRange(leaves, 0, leaves.length, keyBits, at, extra);
}

function buildRange(
  leaves: readonly Leaf[],
  from: number,
  to: number,
  keyBits: number,
  at: number,
  extra: ForkExtra | undefined,
): Cell {
  const first = leaves[from] as Leaf;
  if (to - from === 1) return makeLeaf(first.key, at, keyBits, first.store);
  const last = leaves[to - 1] as Leaf;
  const end = at + commonPrefix(first.key, at, last.key, at, keyBits - at);
  let low = from;
  let high = to - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (getBit((leaves[middle] as Leaf).key, end)) high = middle;
    else low = middle;
  }
  const left = buildRange(leaves, from, high, keyBits, end + 1, extra);
  const right = buildRange(leaves, high, to, keyBits, end + 1, extra);
  return makeFork(first.key, at, end, keyBits, left, right, extra);
}

function makeLeaf(key: KeyBits, at: number, keyBits: number, leaf: StoreLeaf): Cell {
  const builder = beginCell();
  storeLabel(builder, key, at, keyBits - at, keyBits - at);
  leaf(builder);
  return builder.cell();
}

export function makeFork(
  key: KeyBits,
  at: number,
  end: number,
  keyBits: number,
  left: Cell,
  right: Cell,
  extra: ForkExtra | undefined,
  /** The fork that is replaced, after its label. */
  before?: Slice,
): Cell {
  const builder = beginCell();
  storeLabel(builder, key, at, end - at, keyBits - at);
  builder.storeRef(left).storeRef(right);
  extra?.combine(left, right, keyBits - end - 1, builder, before);
  return builder.cell();
}

/** The same node under a label that begins at another bit. */
export function relabel(body: Slice, label: KeyBits, from: number, to: number, keyBits: number): Cell {
  const builder = beginCell();
  storeLabel(builder, label, from, to - from, keyBits - from);
  return builder.storeSlice(body).cell();
}

/** An inline tree, whose root edge is part of a larger cell: the end of the edge is known after reading it. */
export function loadInlineRoot(
  slice: Slice,
  keyBits: number,
  skipLeaf: (leaf: Slice) => void,
  skipExtra: (fork: Slice) => void,
): TreeRoot {
  const probe = slice.clone();
  const length = loadLabel(probe, keyBits, rootKey(keyBits), 0);
  if (length === keyBits) skipLeaf(probe);
  else skipExtra(probe.skipRefs(2));
  return slice.loadPart(slice.remainingBits - probe.remainingBits, slice.remainingRefs - probe.remainingRefs);
}
