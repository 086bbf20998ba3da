import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import type { Codec } from "./codec.ts";
import { maxChainEntries, type RangeOptions } from "./dictionary.ts";
import type { KeyCodec } from "./keys.ts";
import { loadLabel } from "./label.ts";
import { type Slice, sliceOf } from "./Slice.ts";
import { findLeaf, loadInlineRoot, rootCell, stop, type TreeRoot, walkLeaves } from "./tree.ts";

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

/**
 * Like `Dictionary`, with an extra value at every node that sums up the entries below it. Only blocks and states of the
 * chain have such dictionaries. `augmentedEdits.ts` has what
 * changes them.
 */
export class AugmentedDictionary<K, V, E> {
  #root: TreeRoot | undefined;
  readonly key: KeyCodec<K>;
  readonly value: Codec<V>;
  readonly augmentation: Augmentation<E>;
  #extra: E | undefined;

  /** `extra` is the total where it is already known; a pruned root does not contain it. */
  constructor(root: TreeRoot | undefined, key: KeyCodec<K>, value: Codec<V>, augmentation: Augmentation<E>, extra?: E) {
    this.#root = root;
    this.#extra = extra;
    this.key = key;
    this.value = value;
    this.augmentation = augmentation;
  }

  /** The root edge as a separate cell. */
  get root(): Cell | undefined {
    this.#root = rootCell(this.#root);
    return this.#root;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  /** The total, as stored in the root node. */
  rootExtra(): E {
    const { codec, empty } = this.augmentation;
    this.#extra ??= this.root === undefined ? empty : loadNodeExtra(this.root, this.key.bits, codec);
    return this.#extra;
  }

  find(key: K): V | undefined {
    return this.findEntry(key)?.value;
  }

  findEntry(key: K): AugmentedEntry<V, E> | undefined {
    const leaf = findLeaf(this.#root, this.key.bits, this.key.encode(key));
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
      this.key.bits,
      Math.max(maxChainEntries, options.limit ?? 0),
      (key, leaf) => {
        const { value, extra } = this.#load(leaf);
        return !visit(value, this.key.decode(key), extra) || --left <= 0 ? stop : undefined;
      },
      {
        from: options.from === undefined ? undefined : this.key.encode(options.from),
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
    walkLeaves(this.#root, this.key.bits, maxChainEntries, () => void count++);
    return count;
  }

  #load(leaf: Slice): AugmentedEntry<V, E> {
    const extra = this.augmentation.codec.load(leaf);
    const value = this.value.load(leaf);
    leaf.end();
    return { value, extra };
  }
}

/** For labels that are only skipped; keys have less than 1024 bits. */
const skippedLabel = new Uint8Array(128);

/** The extra of a node with `keyBits` key bits below and in its label. */
export function loadNodeExtra<E>(node: Cell, keyBits: number, codec: Codec<E>): E {
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
