import { isCoded } from "../lib/errors.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import { AugmentedDictionary, type AugmentedEntry, loadNodeExtra } from "./augmentedDictionary.ts";
import type { Builder } from "./Builder.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { compareKeys, getBit, loadLabel } from "./label.ts";
import { sliceOf } from "./Slice.ts";
import {
  changeLeaves,
  checkAscending,
  type ForkExtra,
  type LeafChange,
  makeFork,
  relabel,
  setLeaf,
  takeOver,
} from "./tree.ts";

/* Every edit of an augmented dictionary returns a new one, which shares all untouched cells with the old one. */

type Dict<K, V, E> = AugmentedDictionary<K, V, E>;

/** A key with its new entry, or without one where the key is deleted. */
export type DictionaryChange<K, V, E> = readonly [key: K, entry: AugmentedEntry<V, E> | undefined];

export function setEntry<K, V, E>(dict: Dict<K, V, E>, key: K, value: V, extra: E): Dict<K, V, E> {
  const store = leafOf(dict, value, extra);
  return withRoot(dict, setLeaf(dict.root, dict.key.bits, dict.key.encode(key), store, forkOf(dict)));
}

/** The dictionary with these entries set, or deleted where there is no entry; each key once, in any order. */
export function* changeEntriesInSteps<K, V, E>(
  dict: Dict<K, V, E>,
  changes: Iterable<DictionaryChange<K, V, E>>,
): Steps<Dict<K, V, E>> {
  const leaves = Array.from(changes, ([k, entry]) => ({
    key: dict.key.encode(k),
    store: entry && leafOf(dict, entry.value, entry.extra),
  }));
  leaves.sort((a, b) => compareKeys(a.key, b.key));
  return withRoot(dict, yield* changeInSteps(dict.root, dict.key.bits, leaves, forkOf(dict)));
}

/** A dictionary of the same kind with only these entries, given in any order. */
export function rebuild<K, V, E>(
  dict: Dict<K, V, E>,
  entries: Iterable<readonly [key: K, value: V, extra: E]>,
): Dict<K, V, E> {
  return runAtOnce(rebuildInSteps(dict, entries));
}

export function* rebuildInSteps<K, V, E>(
  dict: Dict<K, V, E>,
  entries: Iterable<readonly [key: K, value: V, extra: E]>,
): Steps<Dict<K, V, E>> {
  const leaves = Array.from(entries, ([k, v, e]) => ({ key: dict.key.encode(k), store: leafOf(dict, v, e) }));
  leaves.sort((a, b) => compareKeys(a.key, b.key));
  return withRoot(dict, yield* changeInSteps(undefined, dict.key.bits, leaves, forkOf(dict)));
}

/** The entries whose keys have this bit; all keys are equal before it. Nothing is read or made but the root. */
export function takeHalf<K, V, E>(dict: Dict<K, V, E>, at: number, side: boolean): Dict<K, V, E> {
  return withRoot(dict, dict.root && halfOf(dict.root, dict.key.bits, at, side));
}

/** The entries of both; all keys are equal before this bit, which is 0 in the first and 1 in the second one. */
export function joinHalves<K, V, E>(dict: Dict<K, V, E>, other: Dict<K, V, E>, at: number): Dict<K, V, E> {
  const [left, right] = [dict.root, other.root];
  if (left === undefined || right === undefined) return withRoot(dict, left ?? right);
  return withRoot(dict, join(left, right, dict.key.bits, at, forkOf(dict)));
}

function withRoot<K, V, E>({ key, value, augmentation }: Dict<K, V, E>, root: Cell | undefined): Dict<K, V, E> {
  return new AugmentedDictionary(root, key, value, augmentation);
}

function leafOf<K, V, E>(dict: Dict<K, V, E>, value: V, extra: E): (builder: Builder) => void {
  return (builder) => {
    dict.augmentation.codec.store(builder, extra);
    dict.value.store(builder, value);
  };
}

function forkOf<K, V, E>({ augmentation }: Dict<K, V, E>): ForkExtra {
  const { codec, combine, exchange } = augmentation;
  const extraOf = (node: Cell, bits: number): E => loadNodeExtra(node, bits, codec);
  return {
    combine: (left, right, bits, into, before) => {
      let sum: E;
      try {
        sum = combine(extraOf(left, bits), extraOf(right, bits));
      } catch (error) {
        if (before === undefined || exchange === undefined || !isCoded(error, "cell/pruned")) throw error;
        // One of the halves is not known, but it is as it was: the total changes by what the other one does.
        sum = codec.load(before.clone().skipRefs(2));
        for (const [ref, half] of [left, right].entries()) {
          const old = before.preloadRef(ref);
          if (half !== old) sum = exchange(sum, extraOf(old, bits), extraOf(half, bits));
        }
      }
      codec.store(into, sum);
    },
  };
}

/** Leaves that are changed in one step. */
const changedPerStep = 100;

/**
 * `changeLeaves` in steps. The nodes near the root are made again in each step, but few others: the leaves of a step,
 * which are in key order, are close together.
 */
function* changeInSteps(
  root: Cell | undefined,
  keyBits: number,
  changes: readonly LeafChange[],
  extra: ForkExtra | undefined,
): Steps<Cell | undefined> {
  checkAscending(changes, keyBits);
  let changed = root;
  for (let from = 0; from < changes.length; from += changedPerStep) {
    if (from > 0) yield;
    changed = changeLeaves(changed, keyBits, changes.slice(from, from + changedPerStep), extra);
  }
  return changed;
}

/** The part of a tree in which one bit of all keys is the same. */
function halfOf(root: Cell, keyBits: number, at: number, side: boolean): Cell | undefined {
  const label = new Uint8Array((keyBits + 7) >>> 3);
  const slice = sliceOf(root);
  const length = loadLabel(slice, keyBits, label, 0);
  if (length < at) throw new CellError("cell/dictionary", `keys are different before bit ${at}`);
  if (length > at) return getBit(label, at) === side ? root : undefined;
  return takeOver(label, 0, at, keyBits, slice.preloadRef(side ? 1 : 0), side);
}

/** The tree of two halves. */
function join(left: Cell, right: Cell, keyBits: number, at: number, extra: ForkExtra): Cell {
  const label = new Uint8Array((keyBits + 7) >>> 3);
  const below = (root: Cell): Cell => {
    const slice = sliceOf(root);
    const length = loadLabel(slice, keyBits, label, 0);
    if (length <= at) throw new CellError("cell/dictionary", `keys are different before bit ${at + 1}`);
    return relabel(slice, label, at + 1, length, keyBits);
  };
  return makeFork(label, 0, at, keyBits, below(left), below(right), extra);
}
