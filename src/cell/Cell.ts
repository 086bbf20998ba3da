import { copyBits, hexView } from "./BitReader.ts";
import { CellKind, maxRefs } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import type { Hash } from "./Hash.ts";
import { type Lanes, laneCount, lanes } from "./internal/lanes.ts";
import { hashIndex, levelCount, levelOf } from "./internal/levels.ts";
import { depthsOf, maskOf } from "./internal/levelsAbove.ts";
import { checkMerkleHashes } from "./internal/merkleHashes.ts";
import { dataSlab, hashSlab } from "./internal/Slab.ts";

const topLevel = 3;
const lowestOnly = -1;

/** Flat storage a cell was read from; `slot` numbers the hashes of one cell from the lowest level up. */
export interface CellStorage {
  child(index: number, ref: number): Cell;
  depth(index: number, slot: number): number;
  /** Storage of the hashes with those of cell `index` computed; the first is at `hashOffset(index)`. */
  hash(index: number): Uint8Array;
  /** Like `hash`, but only the hash of the lowest level is needed. */
  lowestHash(index: number): Uint8Array;
  hashOffset(index: number): number;
  /** Computes the hashes of many cells together. */
  hashAll(indices: readonly number[]): void;
  /** A cell with its data, if that has come since; only of storage whose cells may come later. */
  latest?(index: number): Cell;
}

/** Called when a cell is opened for reading. */
export interface CellWatch {
  opened(cell: Cell): void;
}

/**
 * A read-only handle on a cell. Its data is in flat storage: that of the bag it was read from, or the bytes of its
 * builder. Hashes are computed on first use. Equal cells of one bag are the same object; otherwise compare hashes.
 */
export class Cell {
  /** Storage of the data. */
  readonly bytes: Uint8Array;
  /** First data byte in `bytes`. */
  readonly dataAt: number;
  readonly bitLength: number;
  readonly kind: CellKind;
  readonly levelMask: number;
  readonly refCount: number;
  /** Set on cells whose reading is recorded for a proof. */
  readonly watch: CellWatch | undefined;
  readonly #bag: CellStorage | undefined;
  /** In its bag; of a built cell 0, or `lowestOnly` while of its hashes only the lowest is known. */
  #index: number;
  readonly #children: readonly Cell[] | undefined;
  /**
   * Of a built cell with one hash its only depth; a list for each would take longer to make than the rest of the cell.
   */
  readonly #depths: readonly number[] | number | undefined;
  #hashes: Uint8Array | undefined;
  #hashAt = 0;

  /** For the bag reader and `makeCell` only. */
  constructor(
    bytes: Uint8Array,
    dataAt: number,
    bitLength: number,
    kind: CellKind,
    levelMask: number,
    refCount: number,
    bag: CellStorage | undefined,
    index: number,
    children: readonly Cell[] | undefined,
    depths: readonly number[] | number | undefined,
    watch?: CellWatch,
  ) {
    this.bytes = bytes;
    this.dataAt = dataAt;
    this.bitLength = bitLength;
    this.kind = kind;
    this.levelMask = levelMask;
    this.refCount = refCount;
    this.#bag = bag;
    this.#index = index;
    this.#children = children;
    this.#depths = depths;
    this.watch = watch;
  }

  get isExotic(): boolean {
    return this.kind !== CellKind.ordinary;
  }

  /** 0 unless the cell contains a branch pruned for a Merkle cell above it. */
  get level(): number {
    return levelOf(this.levelMask);
  }

  ref(index: number): Cell {
    if (index >= this.refCount || index < 0)
      throw new CellError("cell/underflow", `reference ${index} of a cell that has ${this.refCount}`);
    if (this.#bag !== undefined) return this.#bag.child(this.#index, index);
    const child = (this.#children as readonly Cell[])[index] as Cell;
    return child.kind === CellKind.pruned ? child.latest() : child;
  }

  /** Whether its data has not come yet, though nothing is left out: a cell of a `PrunedTree`. */
  get isAbsent(): boolean {
    return this.kind === CellKind.pruned && this.levelMask === 0;
  }

  /** An absent cell as it is now; otherwise the cell itself. */
  latest(): Cell {
    return this.isAbsent ? (this.#bag?.latest?.(this.#index) ?? this) : this;
  }

  /** All references in order. */
  refs(): Cell[] {
    const refs: Cell[] = [];
    for (let i = 0; i < this.refCount; i++) refs.push(this.ref(i));
    return refs;
  }

  depth(level = topLevel): number {
    if (typeof this.#depths === "number") return this.#depths;
    const number = hashIndex(this.levelMask, level);
    if (this.kind === CellKind.pruned && this.levelMask !== 0) {
      const count = levelCount(this.levelMask);
      if (number === count) return 0;
      const at = this.dataAt + 2 + count * 32 + number * 2;
      return ((this.bytes[at] as number) << 8) | (this.bytes[at + 1] as number);
    }
    if (this.#bag !== undefined) return this.#bag.depth(this.#index, number);
    return (this.#depths as readonly number[])[number] as number;
  }

  /** Hash of a level as a view into read-only storage. Level 3 is the representation hash. */
  hashBytes(level = topLevel): Uint8Array {
    if (this.levelMask === 0) return this.#hashView(0);
    const number = hashIndex(this.levelMask, level);
    if (this.kind === CellKind.pruned) {
      if (number < levelCount(this.levelMask)) {
        const at = this.dataAt + 2 + number * 32;
        return this.bytes.subarray(at, at + 32);
      }
      return this.#hashView(0);
    }
    return number === 0 ? this.#lowestHash() : this.#hashView(number);
  }

  /** The first 30 bits of the hash of a level, a number that the engine does not put on the heap. */
  hashStart(level = topLevel): number {
    const hashes = this.levelMask === 0 ? this.#allHashes() : this.hashBytes(level);
    const at = this.levelMask === 0 ? this.#hashAt : 0;
    const [a, b] = [(hashes[at] as number) & 0x3f, hashes[at + 1] as number];
    return (a << 24) | (b << 16) | ((hashes[at + 2] as number) << 8) | (hashes[at + 3] as number);
  }

  hash(level = topLevel): Hash {
    if (this.levelMask !== 0) return hexView(this.hashBytes(level), 0, 32) as Hash;
    return hexView(this.#allHashes(), this.#hashAt, 32) as Hash;
  }

  /** Same content, references included. */
  equals(other: Cell): boolean {
    if (this === other) return true;
    if (this.bitLength !== other.bitLength || this.refCount !== other.refCount) return false;
    if (this.levelMask !== other.levelMask) return false;
    if (this.levelMask !== 0) return Buffer.compare(this.hashBytes(), other.hashBytes()) === 0;
    // By hand: views of both hashes take longer to make than to compare.
    const [a, b] = [this.#allHashes(), other.#allHashes()];
    for (let i = 0; i < 32; i++) if (a[this.#hashAt + i] !== b[other.#hashAt + i]) return false;
    return true;
  }

  /** Of a cell in a proof usually only the lowest hash is needed; the others would double the work. */
  #lowestHash(): Uint8Array {
    if (this.#index === lowestOnly) return (this.#hashes as Uint8Array).subarray(this.#hashAt, this.#hashAt + 32);
    if (this.#bag === undefined || this.#hashes !== undefined) return this.#hashView(0);
    const at = this.#bag.hashOffset(this.#index);
    return this.#bag.lowestHash(this.#index).subarray(at, at + 32);
  }

  #hashView(slot: number): Uint8Array {
    const hashes = this.#allHashes();
    const at = this.#hashAt + slot * 32;
    return hashes.subarray(at, at + 32);
  }

  /** Storage of this cell's hashes, which begin at `#hashAt`. */
  #allHashes(): Uint8Array {
    if (this.#hashes === undefined || this.#index === lowestOnly) {
      if (this.#bag !== undefined) {
        this.#hashes = this.#bag.hash(this.#index);
        this.#hashAt = this.#bag.hashOffset(this.#index);
      } else {
        hashBuilt(this);
      }
    }
    return this.#hashes as Uint8Array;
  }

  /** For `hashBuilt`: whether a builder made this cell and it has no hash yet. */
  get waitsForHash(): boolean {
    return this.#bag === undefined && (this.#hashes === undefined || this.#index === lowestOnly);
  }

  /** For `hashBuilt`: computes all hashes of a built cell whose children are hashed. */
  computeHashes(): void {
    const single = this.levelMask === 0 || this.kind === CellKind.pruned;
    const isBegun = this.#index === lowestOnly;
    const at = isBegun ? this.#hashAt : hashSlab.take(32 * (single ? 1 : levelCount(this.levelMask) + 1));
    const hashes = isBegun ? (this.#hashes as Uint8Array) : hashSlab.bytes;
    if (single) {
      this.#digest(this.levelMask, topLevel, undefined, hashes, at);
    } else {
      for (let level = isBegun ? 1 : 0, to = isBegun ? at + 32 : at; level <= topLevel; level++) {
        if (level > 0 && (this.levelMask & (1 << (level - 1))) === 0) continue;
        const previous = to === at ? undefined : to - 32;
        this.#digest(this.levelMask & ((1 << level) - 1), level, previous, hashes, to);
        to += 32;
      }
    }
    if (this.kind >= CellKind.merkleProof)
      checkMerkleHashes(this.bytes, this.dataAt, this.ref(0), this.refCount > 1 ? this.ref(1) : undefined);
    this.#hashes = hashes;
    this.#hashAt = at;
    this.#index = 0;
  }

  /** Takes over the lowest hash of the whole cell that this built one stands for in a proof: it is half of the work. */
  takeLowestHash(whole: Cell): this {
    if (this.levelMask === 0 || this.kind !== CellKind.ordinary || whole.levelMask !== 0) return this;
    const from = whole.#allHashes();
    this.#hashAt = hashSlab.take(32 * (levelCount(this.levelMask) + 1));
    this.#hashes = hashSlab.bytes;
    for (let i = 0; i < 32; i++) this.#hashes[this.#hashAt + i] = from[whole.#hashAt + i] as number;
    this.#index = lowestOnly;
    return this;
  }

  /** Writes one hash at `to`; that of the level below, which it covers, is at `previous`. */
  #digest(mask: number, level: number, previous: number | undefined, hashes: Uint8Array, to: number): void {
    const l = lanes();
    this.#assemble(l, 0, mask, level, previous, hashes);
    l.run(1);
    l.takeBytes(0, hashes, to);
  }

  /** Writes what a hash covers into a lane. */
  #assemble(
    l: Lanes,
    lane: number,
    mask: number,
    level: number,
    previous: number | undefined,
    hashes: Uint8Array,
  ): void {
    const childLevel = this.kind >= CellKind.merkleProof ? level + 1 : level;
    const { kind, refCount, bitLength } = this;
    const size = previous === undefined ? (bitLength + 7) >> 3 : 32;
    let length = l.begin(lane, kind, mask, refCount, bitLength, size);
    length =
      previous === undefined
        ? l.data(this.bytes, this.dataAt, bitLength, length)
        : l.data(hashes, previous, 256, length);
    const children = this.#children as readonly Cell[];
    for (let i = 0; i < children.length; i++) {
      l.depth((children[i] as Cell).depth(childLevel), length);
      length += 2;
    }
    for (let i = 0; i < children.length; i++) {
      (children[i] as Cell).#writeHash(l, childLevel, length);
      length += 32;
    }
    l.finish(lane, length);
  }

  /**
   * For `hashBuilt`: computes hashes of built cells whose children are hashed, four at a time where each has only one.
   */
  static computeAll(cells: readonly Cell[]): void {
    const [only] = cells;
    if (only !== undefined && cells.length === 1) {
      only.computeHashes();
      return;
    }
    const l = lanes();
    const plain = cells.filter((cell) => cell.levelMask === 0 && cell.kind < CellKind.merkleProof);
    for (let from = 0; from < plain.length; from += laneCount) {
      const count = Math.min(laneCount, plain.length - from);
      const at = hashSlab.take(32 * count);
      const hashes = hashSlab.bytes;
      for (let lane = 0; lane < count; lane++)
        (plain[from + lane] as Cell).#assemble(l, lane, 0, topLevel, undefined, hashes);
      l.run(count);
      for (let lane = 0; lane < count; lane++) {
        const cell = plain[from + lane] as Cell;
        l.takeBytes(lane, hashes, at + lane * 32);
        cell.#hashes = hashes;
        cell.#hashAt = at + lane * 32;
      }
    }
    for (const cell of cells) if (cell.waitsForHash) cell.computeHashes();
  }

  /** Writes the hash as that of a child; without a view of it, which takes as long as the writing. */
  #writeHash(l: Lanes, level: number, at: number): void {
    if (this.levelMask === 0) l.childBytes(this.#allHashes(), this.#hashAt, at);
    else l.childBytes(this.hashBytes(level), 0, at);
  }

  /** For `hashAll`: adds itself to the cells of its bag, if it has one and no hash yet. */
  waitIn(bags: Map<CellStorage, number[]>): void {
    if (this.#bag === undefined || this.#hashes !== undefined) return;
    const waiting = bags.get(this.#bag);
    if (waiting === undefined) bags.set(this.#bag, [this.#index]);
    else waiting.push(this.#index);
  }
}

/**
 * Computes the hashes of many cells together, those of one bag four at a time. This is cheaper than one after another
 * when each cell has few cells below it, like the transactions of a block.
 */
export function hashAll(cells: readonly Cell[]): void {
  const bags = new Map<CellStorage, number[]>();
  for (const cell of cells) cell.waitIn(bags);
  for (const [bag, indices] of bags) bag.hashAll(indices);
  for (const cell of cells) if (cell.waitsForHash) hashBuilt(cell);
}

/**
 * Hashes a built cell and all built cells below it, without recursion: the lowest cells first, those of the same depth
 * together.
 */
function hashBuilt(root: Cell): void {
  const found: Cell[] = [];
  let known = findWaiting(root, found, undefined);
  const byDepth: Cell[][] = [];
  // The list grows while it is walked.
  for (let i = 0; i < found.length; i++) {
    const cell = found[i] as Cell;
    const depth = cell.depth();
    const alike = byDepth[depth];
    if (alike === undefined) byDepth[depth] = [cell];
    else alike.push(cell);
    known = findWaiting(cell, found, known);
  }
  for (const cells of byDepth) if (cells !== undefined) Cell.computeAll(cells);
  root.computeHashes();
}

/** This many cells are searched faster than a set of them is made. Most trees, such as a transaction, have no more. */
const maxSearched = 16;

/**
 * Adds the children that wait for their hashes to a list, each once; `known` is the same as a set, once the list is
 * long. Children in a bag are hashed here: it takes the same lanes, which must be free.
 */
function findWaiting(cell: Cell, cells: Cell[], known: Set<Cell> | undefined): Set<Cell> | undefined {
  let set = known;
  for (let i = 0; i < cell.refCount; i++) {
    const child = cell.ref(i);
    if (!child.waitsForHash) {
      child.hashStart();
    } else if (set === undefined ? !cells.includes(child) : !set.has(child)) {
      cells.push(child);
      if (set !== undefined) set.add(child);
      else if (cells.length > maxSearched) set = new Set(cells);
    }
  }
  return set;
}

/** Makes an ordinary cell from a copy of bits that may be written to afterwards. */
export function copyCell(bytes: Uint8Array, bitLength: number, children: readonly Cell[]): Cell {
  const dataAt = dataSlab.take((bitLength + 7) >>> 3);
  const data = dataSlab.bytes;
  copyBits(bytes, 0, data, dataAt * 8, bitLength);
  return makeCell(data, bitLength, children, CellKind.ordinary, dataAt);
}

/** The list of all cells without children: a list of its own would be a fifth of the memory of a small cell. */
const noChildren: readonly Cell[] = [];

/** Makes a cell from data that is not written to any more. Exotic kinds are checked in `exotic.ts`. */
export function makeCell(
  bytes: Uint8Array,
  bitLength: number,
  children: readonly Cell[],
  kind: CellKind,
  dataAt = 0,
): Cell {
  if (children.length > maxRefs) throw new CellError("cell/overflow", `${children.length} references in one cell`);
  const mask = maskOf(bytes, dataAt, children, kind);
  const depths = kind === CellKind.pruned ? undefined : depthsOf(children, kind, mask);
  const own = children.length === 0 ? noChildren : children;
  return new Cell(bytes, dataAt, bitLength, kind, mask, children.length, undefined, 0, own, depths);
}
