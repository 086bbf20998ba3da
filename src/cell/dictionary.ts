import type { Builder } from "./Builder.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { walkChangedLeaves } from "./changedLeaves.ts";
import type { Codec } from "./codec.ts";
import type { KeyCodec } from "./keys.ts";
import { compareKeys } from "./label.ts";
import { type Slice, sliceOf } from "./Slice.ts";
import {
  buildSorted,
  changeLeaves,
  deleteLeaf,
  findLeaf,
  type Leaf,
  loadInlineRoot,
  rootCell,
  setLeaf,
  stop,
  type TreeRoot,
  type WalkOptions,
  walkLeaves,
} from "./tree.ts";

export type { WalkOptions } from "./tree.ts";

/** Where a listing of keys begins, and its direction. */
export interface RangeOptions<K> {
  readonly from?: K;
  readonly reverse?: boolean;
  /** The number of entries to list; without it a dictionary with more entries than it may have is refused. */
  readonly limit?: number;
  /** Skips what a proof does not contain instead of refusing it. */
  readonly skipPruned?: boolean;
}

/**
 * The entries that one walk visits of a dictionary that anybody may have made, unless its declaration says otherwise:
 * 33 cells can have 2³² entries, because forks may share a half. A walk that meets more is `cell/dictionary-size`.
 */
const defaultMaxEntries = 4096;

/** For dictionaries that validators agree on, such as the accounts of a shard: they may have any number of entries. */
export const maxChainEntries = 1 << 20;

/**
 * A read-only map from fixed-length keys to values, read from its cells on demand. Every edit returns a new dictionary
 * that shares all untouched cells with the old one. A pruned branch on the way to a key is `cell/pruned`.
 */
export class Dictionary<K, V> {
  #root: TreeRoot | undefined;
  readonly #key: KeyCodec<K>;
  readonly #value: Codec<V>;
  readonly #maxEntries: number;

  /** `maxEntries`: what one walk visits before it is refused. */
  constructor(root: TreeRoot | undefined, key: KeyCodec<K>, value: Codec<V>, maxEntries = defaultMaxEntries) {
    this.#root = root;
    this.#key = key;
    this.#value = value;
    this.#maxEntries = maxEntries;
  }

  /** The root edge as a separate cell. */
  get root(): Cell | undefined {
    this.#root = rootCell(this.#root);
    return this.#root;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  find(key: K): V | undefined {
    const leaf = findLeaf(this.#root, this.#key.bits, this.#key.encode(key));
    return leaf === undefined ? undefined : this.#load(leaf);
  }

  get(key: K): V {
    const leaf = findLeaf(this.#root, this.#key.bits, this.#key.encode(key));
    if (leaf === undefined) throw new CellError("cell/dictionary-key", `no entry for key ${String(key)}`);
    return this.#load(leaf);
  }

  has(key: K): boolean {
    return findLeaf(this.#root, this.#key.bits, this.#key.encode(key)) !== undefined;
  }

  /** Visits entries in key order (by bits). */
  forEach(visit: (value: V, key: K) => void, options: RangeOptions<K> = {}): void {
    if (this.isEmpty) return;
    this.walk((value, key) => {
      visit(value, key);
      return true;
    }, options);
  }

  /** Visits entries in key order (by bits) while the visitor returns `true`. */
  walk(visit: (value: V, key: K) => boolean, options: RangeOptions<K> = {}): void {
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    walkLeaves(
      this.#root,
      this.#key.bits,
      Math.max(this.#maxEntries, options.limit ?? 0),
      (key, leaf) => {
        if (!visit(this.#load(leaf), this.#key.decode(key)) || --left <= 0) return stop;
        return undefined;
      },
      this.#walkOptions(options),
    );
  }

  /** Entries that an earlier version, which may be pruned, does not have; equal subtrees are not read. */
  changedSince(before: Dictionary<K, V> | undefined): [K, V][] {
    const list: [K, V][] = [];
    const roots = { before: before?.root, after: this.root };
    walkChangedLeaves(roots, this.#key.bits, this.#maxEntries, (key, leaf) => {
      list.push([this.#key.decode(key), this.#load(leaf)]);
    });
    return list;
  }

  entries(options: RangeOptions<K> = {}): [K, V][] {
    const list: [K, V][] = [];
    this.forEach((value, key) => void list.push([key, value]), options);
    return list;
  }

  keys(options: RangeOptions<K> = {}): K[] {
    return this.entries(options).map(([key]) => key);
  }

  values(options: RangeOptions<K> = {}): V[] {
    return this.entries(options).map(([, value]) => value);
  }

  /** Lowest key. */
  findFirst(): [K, V] | undefined {
    return this.entries({ limit: 1 })[0];
  }

  /** Highest key. */
  findLast(): [K, V] | undefined {
    return this.entries({ limit: 1, reverse: true })[0];
  }

  /** Number of entries, by visiting them all. */
  count(): number {
    let count = 0;
    walkLeaves(this.#root, this.#key.bits, this.#maxEntries, () => void count++);
    return count;
  }

  set(key: K, value: V): Dictionary<K, V> {
    const store = (builder: Builder): void => this.#value.store(builder, value);
    return this.#with(setLeaf(this.root, this.#key.bits, this.#key.encode(key), store, undefined));
  }

  /** The dictionary without a key; itself when the key is absent. */
  delete(key: K): Dictionary<K, V> {
    const root = deleteLeaf(this.root, this.#key.bits, this.#key.encode(key), undefined);
    return root === "missing" ? this : this.#with(root);
  }

  /** The dictionary with these entries set, or deleted where there is no value; each key once, in any order. */
  changed(changes: Iterable<readonly [key: K, value: V | undefined]>): Dictionary<K, V> {
    const leaves = Array.from(changes, ([key, value]) => ({
      key: this.#key.encode(key),
      store: value === undefined ? undefined : (builder: Builder) => this.#value.store(builder, value),
    }));
    leaves.sort((a, b) => compareKeys(a.key, b.key));
    return this.#with(changeLeaves(this.root, this.#key.bits, leaves, undefined));
  }

  #with(root: Cell | undefined): Dictionary<K, V> {
    return new Dictionary(root, this.#key, this.#value, this.#maxEntries);
  }

  #load(leaf: Slice): V {
    const value = this.#value.load(leaf);
    leaf.end();
    return value;
  }

  #walkOptions(options: RangeOptions<K>): WalkOptions {
    return {
      from: options.from === undefined ? undefined : this.#key.encode(options.from),
      reverse: options.reverse === true,
      skipPruned: options.skipPruned === true,
    };
  }
}

/** HashmapE n X: one bit says whether there is a tree, which is referenced. */
// hme_empty$0 = HashmapE n X; hme_root$1 root:^(Hashmap n X) = HashmapE n X;
export function dictionary<K, V>(
  key: KeyCodec<K>,
  value: Codec<V>,
  maxEntries = defaultMaxEntries,
): Codec<Dictionary<K, V>> {
  return {
    load: (slice) => new Dictionary(slice.loadMaybeRef(), key, value, maxEntries),
    store: (builder, dict) => void builder.storeMaybeRef(dict.root),
  };
}

/** Hashmap n X: never empty, its root edge is part of the surrounding cell. */
export function inlineDictionary<K, V>(key: KeyCodec<K>, value: Codec<V>): Codec<Dictionary<K, V>> {
  return {
    load: (slice) =>
      new Dictionary(
        loadInlineRoot(
          slice,
          key.bits,
          (leaf) => value.load(leaf),
          () => undefined,
        ),
        key,
        value,
      ),
    store: (builder, dict) => {
      if (dict.root === undefined) throw new CellError("cell/dictionary", "an inline dictionary cannot be empty");
      builder.storeSlice(sliceOf(dict.root));
    },
  };
}

/** A dictionary of these entries, given in any order; a repeated key is refused. */
export function makeDictionary<K, V>(key: KeyCodec<K>, value: Codec<V>, entries: Iterable<[K, V]>): Dictionary<K, V> {
  const leaves = Array.from(entries, (entry) => makeLeaf(key, value, entry));
  leaves.sort((a, b) => compareKeys(a.key, b.key));
  return new Dictionary(buildSorted(leaves, key.bits, undefined), key, value);
}

/** The leaf of an entry. */
export function makeLeaf<K, V>(key: KeyCodec<K>, value: Codec<V>, [k, v]: [K, V]): Leaf {
  return { key: key.encode(k), store: (builder) => value.store(builder, v) };
}
