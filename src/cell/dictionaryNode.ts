import type { AugmentedDictionary } from "./augmentedDictionary.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import type { Codec } from "./codec.ts";
import type { KeyCodec } from "./keys.ts";
import { getBit, loadLabel, setBit } from "./label.ts";
import { type Slice, sliceOf } from "./Slice.ts";

/** How the nodes of a dictionary are read. */
interface NodeKit<K, V, E> {
  readonly key: KeyCodec<K>;
  readonly extra: Codec<E>;
  /** Reads a leaf from its extra on. */
  readonly load: (leaf: Slice) => V;
}

/**
 * A node of an augmented dictionary: all entries whose keys begin with the same bits. A caller that goes down from the
 * root reads only the nodes it needs.
 */
export class DictionaryNode<K, V, E> {
  readonly #kit: NodeKit<K, V, E>;
  /** What follows the label. */
  readonly #rest: Slice;
  /** The beginning of all keys: `bits` bits, left-aligned. */
  readonly prefix: Uint8Array;
  readonly bits: number;
  /** The sum of the entries. */
  readonly extra: E;

  /** The node in a cell whose label begins after `at` bits of the key; those before it are in `prefix`. */
  static open<K, V, E>(
    kit: NodeKit<K, V, E>,
    cell: Cell,
    prefix = new Uint8Array((kit.key.bits + 7) >>> 3),
    at = 0,
  ): DictionaryNode<K, V, E> {
    return new DictionaryNode(kit, sliceOf(cell), prefix, at);
  }

  private constructor(kit: NodeKit<K, V, E>, slice: Slice, prefix: Uint8Array, at: number) {
    this.#kit = kit;
    this.prefix = prefix;
    this.bits = at + loadLabel(slice, kit.key.bits - at, prefix, at);
    this.#rest = slice;
    const probe = slice.clone();
    if (!this.isLeaf) probe.skipRefs(2);
    this.extra = kit.extra.load(probe);
  }

  /** Whether the node is one entry. */
  get isLeaf(): boolean {
    return this.bits === this.#kit.key.bits;
  }

  /** Bit `index` of the beginning of all keys. */
  bit(index: number): boolean {
    return getBit(this.prefix, index);
  }

  /** The two nodes below, which have the next bits 0 and 1. */
  halves(): readonly [DictionaryNode<K, V, E>, DictionaryNode<K, V, E>] {
    if (this.isLeaf) throw new CellError("cell/dictionary", "a leaf has no halves");
    return [this.#half(false), this.#half(true)];
  }

  /** The key and the value of a leaf. */
  entry(): readonly [key: K, value: V] {
    if (!this.isLeaf) throw new CellError("cell/dictionary", "a fork is no entry");
    return [this.#kit.key.decode(this.prefix), this.#kit.load(this.#rest.clone())];
  }

  #half(side: boolean): DictionaryNode<K, V, E> {
    const prefix = this.prefix.slice();
    setBit(prefix, this.bits, side);
    return DictionaryNode.open(this.#kit, this.#rest.preloadRef(side ? 1 : 0), prefix, this.bits + 1);
  }
}

/** The node above all entries; none in an empty dictionary. */
export function findRootNode<K, V, E>(dict: AugmentedDictionary<K, V, E>): DictionaryNode<K, V, E> | undefined {
  const { key, value, augmentation, root } = dict;
  const load = (leaf: Slice) => {
    augmentation.codec.load(leaf);
    const loaded = value.load(leaf);
    leaf.end();
    return loaded;
  };
  return root === undefined ? undefined : DictionaryNode.open({ key, extra: augmentation.codec, load }, root);
}
