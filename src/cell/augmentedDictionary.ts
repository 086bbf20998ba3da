import { isCoded } from "../lib/errors.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import type { Builder } from "./Builder.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { changeInSteps } from "./changeInSteps.ts";
import type { Codec } from "./codec.ts";
import { maxChainEntries, type RangeOptions } from "./dictionary.ts";
import { DictionaryNode } from "./dictionaryNode.ts";
import type { KeyCodec } from "./keys.ts";
import { compareKeys, getBit, loadLabel } from "./label.ts";
import { type Slice, sliceOf } from "./Slice.ts";
import {
  deleteLeaf,
  type ForkExtra,
  findLeaf,
  loadInlineRoot,
  makeFork,
  relabel,
  rootCell,
  setLeaf,
  stop,
  type TreeRoot,
  takeOver,
  walkLeaves,
} from "./tree.ts";

/** How the extra value at every node of an augmented dictionary is written and summed. */
export interface Augmentation<E> {
  readonly codec: Codec<E>;
  /** The extra of an empty dictionary. */
  readonly empty: E;
  combine(left: E, right: E): E;
  /** The total after one of its parts changed, where the others are not known; without it that is `cell/pruned`. */
  exchange?(total: E, before: E, after: E): E;
}

export interface AugmentedEntry<V, E> {
  readonly value: V;
  readonly extra: E;
}

/** A key with its new entry, or without one where the key is deleted. */
export type DictionaryChange<K, V, E> = readonly [key: K, entry: AugmentedEntry<V, E> | undefined];

/**
 * Like `Dictionary`, with an extra value at every node that sums up the entries below it. Only blocks and states of the
 * chain have such dictionaries.
 */
export class AugmentedDictionary<K, V, E> {
  #root: TreeRoot | undefined;
  readonly #key: KeyCodec<K>;
  readonly #value: Codec<V>;
  readonly #augmentation: Augmentation<E>;
  #extra: E | undefined;

  /** `extra` is the total where it is already known; a pruned root does not contain it. */
  constructor(root: TreeRoot | undefined, key: KeyCodec<K>, value: Codec<V>, augmentation: Augmentation<E>, extra?: E) {
    this.#root = root;
    this.#extra = extra;
    this.#key = key;
    this.#value = value;
    this.#augmentation = augmentation;
  }

  /** The root edge as a separate cell. */
  get root(): Cell | undefined {
    const cell = this.#root && rootCell(this.#root);
    this.#root = cell;
    return cell;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  /** The total, as stored in the root node. */
  rootExtra(): E {
    const { codec, empty } = this.#augmentation;
    this.#extra ??= this.root === undefined ? empty : loadNodeExtra(this.root, this.#key.bits, codec);
    return this.#extra;
  }

  find(key: K): V | undefined {
    return this.findEntry(key)?.value;
  }

  findEntry(key: K): AugmentedEntry<V, E> | undefined {
    const leaf = findLeaf(this.#root, this.#key.bits, this.#key.encode(key));
    return leaf === undefined ? undefined : this.#load(leaf);
  }

  get(key: K): V {
    const entry = this.findEntry(key);
    if (entry === undefined) throw new CellError("cell/dictionary-key", `no entry for key ${String(key)}`);
    return entry.value;
  }

  /** Visits entries in key order (by bits). */
  forEach(visit: (value: V, key: K, extra: E) => void, options: RangeOptions<K> = {}): void {
    if (this.isEmpty) return;
    this.walk((value, key, extra) => {
      visit(value, key, extra);
      return true;
    }, options);
  }

  /** Visits entries in key order (by bits) while the visitor returns `true`. */
  walk(visit: (value: V, key: K, extra: E) => boolean, options: RangeOptions<K> = {}): void {
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    walkLeaves(
      this.#root,
      this.#key.bits,
      Math.max(maxChainEntries, options.limit ?? 0),
      (key, leaf) => {
        const { value, extra } = this.#load(leaf);
        return !visit(value, this.#key.decode(key), extra) || --left <= 0 ? stop : undefined;
      },
      {
        from: options.from === undefined ? undefined : this.#key.encode(options.from),
        reverse: options.reverse === true,
        skipPruned: options.skipPruned === true,
      },
    );
  }

  entries(options: RangeOptions<K> = {}): [K, V][] {
    const list: [K, V][] = [];
    this.forEach((value, key) => void list.push([key, value]), options);
    return list;
  }

  count(): number {
    let count = 0;
    walkLeaves(this.#root, this.#key.bits, maxChainEntries, () => void count++);
    return count;
  }

  set(key: K, value: V, extra: E): AugmentedDictionary<K, V, E> {
    const store = this.#leaf(value, extra);
    return this.#with(setLeaf(this.root, this.#key.bits, this.#key.encode(key), store, this.#fork()));
  }

  delete(key: K): AugmentedDictionary<K, V, E> {
    const root = deleteLeaf(this.root, this.#key.bits, this.#key.encode(key), this.#fork());
    return root === "missing" ? this : this.#with(root);
  }

  /** The dictionary with these entries set, or deleted where there is no entry; each key once, in any order. */
  *changedInSteps(changes: Iterable<DictionaryChange<K, V, E>>): Steps<AugmentedDictionary<K, V, E>> {
    const leaves = Array.from(changes, ([k, entry]) => ({
      key: this.#key.encode(k),
      store: entry && this.#leaf(entry.value, entry.extra),
    }));
    leaves.sort((a, b) => compareKeys(a.key, b.key));
    return this.#with(yield* changeInSteps(this.root, this.#key.bits, leaves, this.#fork()));
  }

  /** A dictionary of the same kind with only these entries, given in any order. */
  rebuilt(entries: Iterable<readonly [key: K, value: V, extra: E]>): AugmentedDictionary<K, V, E> {
    return runAtOnce(this.rebuiltInSteps(entries));
  }

  *rebuiltInSteps(entries: Iterable<readonly [key: K, value: V, extra: E]>): Steps<AugmentedDictionary<K, V, E>> {
    const leaves = Array.from(entries, ([k, v, e]) => ({ key: this.#key.encode(k), store: this.#leaf(v, e) }));
    leaves.sort((a, b) => compareKeys(a.key, b.key));
    return this.#with(yield* changeInSteps(undefined, this.#key.bits, leaves, this.#fork()));
  }

  /** The entries whose keys have this bit; all keys are equal before it. Nothing is read or made but the root. */
  half(at: number, side: boolean): AugmentedDictionary<K, V, E> {
    return this.#with(this.root && halfOf(this.root, this.#key.bits, at, side));
  }

  /** The entries of both; all keys are equal before this bit, which is 0 here and 1 there. */
  joined(other: AugmentedDictionary<K, V, E>, at: number): AugmentedDictionary<K, V, E> {
    const [left, right] = [this.root, other.root];
    if (left === undefined || right === undefined) return this.#with(left ?? right);
    return this.#with(join(left, right, this.#key.bits, at, this.#fork()));
  }

  /** The node above all entries; none in an empty dictionary. */
  rootNode(): DictionaryNode<K, V, E> | undefined {
    const { codec } = this.#augmentation;
    const kit = { key: this.#key, extra: codec, load: (leaf: Slice) => this.#load(leaf).value };
    return this.root === undefined ? undefined : DictionaryNode.open(kit, this.root);
  }

  #with(root: Cell | undefined): AugmentedDictionary<K, V, E> {
    return new AugmentedDictionary(root, this.#key, this.#value, this.#augmentation);
  }

  #leaf(value: V, extra: E): (builder: Builder) => void {
    return (builder) => {
      this.#augmentation.codec.store(builder, extra);
      this.#value.store(builder, value);
    };
  }

  #load(leaf: Slice): AugmentedEntry<V, E> {
    const extra = this.#augmentation.codec.load(leaf);
    const value = this.#value.load(leaf);
    leaf.end();
    return { value, extra };
  }

  #fork(): ForkExtra {
    const { codec, combine, exchange } = this.#augmentation;
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

/** For labels that are only skipped; keys have less than 1024 bits. */
const skippedLabel = new Uint8Array(128);

/** The extra of a node with `keyBits` key bits below and in its label. */
function loadNodeExtra<E>(node: Cell, keyBits: number, codec: Codec<E>): E {
  const slice = sliceOf(node);
  const length = loadLabel(slice, keyBits, skippedLabel, 0);
  if (length < keyBits) slice.skipRefs(2);
  return codec.load(slice);
}

/** HashmapAugE n X Y: the total is stored next to the root. */
// ahme_empty$0 extra:Y = HashmapAugE n X Y; ahme_root$1 root:^(HashmapAug n X Y) extra:Y = HashmapAugE n X Y;
export function augmentedDictionary<K, V, E>(
  key: KeyCodec<K>,
  value: Codec<V>,
  augmentation: Augmentation<E>,
): Codec<AugmentedDictionary<K, V, E>> {
  return {
    load: (slice) => {
      const root = slice.loadMaybeRef();
      return new AugmentedDictionary(root, key, value, augmentation, augmentation.codec.load(slice));
    },
    store: (builder, dict) => {
      builder.storeMaybeRef(dict.root);
      augmentation.codec.store(builder, dict.rootExtra());
    },
  };
}

/** HashmapAug n X Y: never empty, its root edge is part of the surrounding cell. */
export function inlineAugmentedDictionary<K, V, E>(
  key: KeyCodec<K>,
  value: Codec<V>,
  augmentation: Augmentation<E>,
): Codec<AugmentedDictionary<K, V, E>> {
  const skipExtra = (slice: Slice): void => void augmentation.codec.load(slice);
  const skipLeaf = (slice: Slice): void => {
    skipExtra(slice);
    value.load(slice);
  };
  return {
    load: (slice) =>
      new AugmentedDictionary(loadInlineRoot(slice, key.bits, skipLeaf, skipExtra), key, value, augmentation),
    store: (builder, dict) => {
      if (dict.root === undefined) throw new CellError("cell/dictionary", "an inline dictionary cannot be empty");
      builder.storeSlice(sliceOf(dict.root));
    },
  };
}
