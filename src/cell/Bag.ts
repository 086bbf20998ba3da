import { CellKind } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import { Cell, type CellStorage } from "./Cell.ts";
import type { BagArrays } from "./internal/BagArrays.ts";
import { type HashTarget, hashCells, hashState } from "./internal/hashRun.ts";
import { levelCount } from "./internal/levels.ts";
import { checkMerkleHashes } from "./internal/merkleHashes.ts";

/**
 * Flat storage of all cells of one bag. References lead only to later cells, so that walks need no recursion. Hashes
 * and handles are made on first use.
 */
export class Bag implements CellStorage {
  readonly #a: BagArrays;
  readonly #handles: (Cell | undefined)[];
  #hashes: HashTarget | undefined;

  constructor(arrays: BagArrays) {
    this.#a = arrays;
    // Full length from the start: a growing array that is filled out of order would become a slow map.
    this.#handles = new Array(arrays.count);
  }

  /** The one handle of a cell: the same cell of a bag is always the same object. */
  cell(index: number): Cell {
    const known = this.#handles[index];
    if (known !== undefined) return known;
    const a = this.#a;
    const made = new Cell(
      a.bytes,
      a.dataAt[index] as number,
      a.bitLengths[index] as number,
      a.kinds[index] as CellKind,
      a.masks[index] as number,
      a.refCounts[index] as number,
      this,
      index,
      undefined,
      undefined,
    );
    this.#handles[index] = made;
    return made;
  }

  child(index: number, ref: number): Cell {
    return this.cell(this.#a.refs[index * 4 + ref] as number);
  }

  /** Depth stored in slot `slot` of a cell. */
  depth(index: number, slot: number): number {
    return this.#a.depths[(this.#a.slots[index] as number) + slot] as number;
  }

  /** Storage of all hashes; slot s of a cell is at `hashOffset(index) + 32 s` once `hash(index)` has run. */
  hash(index: number): Buffer {
    const target = this.#hashing();
    if (target.states[index] !== hashState.done) hashCells(target, [index]);
    return target.bytes;
  }

  lowestHash(index: number): Buffer {
    const target = this.#hashing();
    const state = target.states[index];
    if (state !== hashState.done && state !== hashState.lowest) hashCells(target, [index], "lowest");
    return target.bytes;
  }

  hashAll(indices: readonly number[]): void {
    hashCells(this.#hashing(), indices);
  }

  hashOffset(index: number): number {
    return (this.#a.slots[index] as number) * 32;
  }

  #hashing(): HashTarget {
    if (this.#hashes !== undefined) return this.#hashes;
    const a = this.#a;
    const bytes = allocateWords((a.slots[a.count] as number) * 32);
    this.#hashes = {
      arrays: a,
      bytes,
      hashes: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
      states: new Uint8Array(a.count),
      check: (index) => this.#check(index),
    };
    return this.#hashes;
  }

  #check(index: number): void {
    const a = this.#a;
    if (a.storedAt !== undefined && a.storedAt[index] !== 0) this.#checkStored(index, this.hashOffset(index));
    const kind = a.kinds[index] as CellKind;
    if (kind >= CellKind.merkleProof) this.#checkMerkle(index, kind);
  }

  /** The hashes and depths that a Merkle cell names must be those of its content. */
  #checkMerkle(index: number, kind: CellKind): void {
    const a = this.#a;
    const first = this.cell(a.refs[index * 4] as number);
    const second = kind === CellKind.merkleUpdate ? this.cell(a.refs[index * 4 + 1] as number) : undefined;
    checkMerkleHashes(a.bytes, a.dataAt[index] as number, first, second);
  }

  /** Hashes and depths stored in the bag are compared, never trusted. */
  #checkStored(index: number, slot: number): void {
    const a = this.#a;
    const hashes = this.#hashing().bytes;
    const count = levelCount(a.masks[index] as number) + 1;
    const hashAt = a.storedAt?.[index] as number;
    const depthAt = hashAt + count * 32;
    // A pruned branch has the hashes and depths of its lower levels in its own data.
    const lower = a.kinds[index] === CellKind.pruned ? count - 1 : 0;
    const data = (a.dataAt[index] as number) + 2;
    let same =
      sameBytes(a.bytes, hashAt, a.bytes, data, lower * 32) &&
      sameBytes(a.bytes, depthAt, a.bytes, data + lower * 32, lower * 2) &&
      sameBytes(a.bytes, hashAt + lower * 32, hashes, slot, (count - lower) * 32);
    for (let i = lower; i < count; i++)
      same &&= a.bytes.readUInt16BE(depthAt + i * 2) === a.depths[slot / 32 + i - lower];
    if (!same) throw new CellError("cell/boc-hash", `the hash stored with cell ${index} is not its hash`);
  }
}

/** A part of the small-buffer pool is much cheaper than a separate buffer, but must begin at a word boundary. */
function allocateWords(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  return (bytes.byteOffset & 3) === 0 ? bytes : Buffer.allocUnsafeSlow(size);
}

function sameBytes(a: Buffer, aAt: number, b: Buffer, bAt: number, length: number): boolean {
  return length === 0 || a.compare(b, bAt, bAt + length, aAt, aAt + length) === 0;
}
