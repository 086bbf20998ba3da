import { Cell, type CellStorage, checkMerkleHashes } from "../Cell.ts";
import { CellKind } from "../CellKind.ts";
import { CellError } from "../errors.ts";
import { hashIndex, levelCount } from "./levels.ts";
import { representation } from "./representation.ts";
import { sha256Into } from "./sha256.ts";

/** The arrays of a bag as the reader fills them; position i of each belongs to cell i. */
export interface BagArrays {
  readonly bytes: Buffer;
  readonly count: number;
  /** First data byte of each cell. */
  readonly dataAt: Uint32Array;
  readonly bitLengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly masks: Uint8Array;
  readonly refCounts: Uint8Array;
  /** Four places a cell. */
  readonly refs: Uint32Array;
  /** First hash slot of each cell, and one more entry for the end. */
  readonly slots: Uint32Array;
  readonly depths: Uint16Array;
  /** Offset of the hashes stored inside the bag, 0 for none; absent when no cell has any. */
  readonly storedAt: Uint32Array | undefined;
}

/**
 * Flat storage of all cells of one bag. References lead only to later cells, so that walks need no recursion. Hashes are
 * computed for a cell and what it refers to when first asked for; handles are made when first asked for.
 */
export class Bag implements CellStorage {
  readonly #a: BagArrays;
  readonly #handles: (Cell | undefined)[];
  #hashes: Buffer | undefined;
  #hashed: Uint8Array | undefined;

  constructor(arrays: BagArrays) {
    this.#a = arrays;
    // Of full length from the start: filled out of order, a growing array would turn into a slow map.
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

  /** Storage of all hashes; slot s of a cell lies at `hashOffset(index) + 32 s` once `hash(index)` has run. */
  hash(index: number): Buffer {
    if (this.#hashes === undefined || this.#hashed === undefined) {
      this.#hashes = Buffer.allocUnsafe((this.#a.slots[this.#a.count] as number) * 32);
      this.#hashed = new Uint8Array(this.#a.count);
    }
    if (this.#hashed[index] === 0) this.#hashFrom(index, this.#hashes, this.#hashed);
    return this.#hashes;
  }

  hashOffset(index: number): number {
    return (this.#a.slots[index] as number) * 32;
  }

  #hashFrom(root: number, hashes: Buffer, hashed: Uint8Array): void {
    const { refs, refCounts, kinds } = this.#a;
    const stack = [root];
    while (stack.length > 0) {
      const index = stack[stack.length - 1] as number;
      let waiting = false;
      if (hashed[index] === 0) {
        for (let j = index * 4, end = j + (refCounts[index] as number); j < end; j++) {
          const child = refs[j] as number;
          if (hashed[child] === 0) {
            stack.push(child);
            waiting = true;
          }
        }
      }
      if (waiting) continue;
      stack.pop();
      if (hashed[index] !== 0) continue;
      this.#hashOne(index, hashes);
      if ((kinds[index] as number) >= CellKind.merkleProof) this.#checkMerkle(index, kinds[index] as CellKind);
      // Only now: a cell that was refused is refused again when asked again.
      hashed[index] = 1;
    }
  }

  #hashOne(index: number, hashes: Buffer): void {
    const a = this.#a;
    const mask = a.masks[index] as number;
    const kind = a.kinds[index] as CellKind;
    const slot = (a.slots[index] as number) * 32;
    if (mask === 0 || kind === CellKind.pruned) {
      this.#digest(index, kind, mask, 3, -1, hashes, slot);
    } else {
      for (let level = 0, at = slot; level <= 3; level++) {
        if (level > 0 && (mask & (1 << (level - 1))) === 0) continue;
        this.#digest(index, kind, mask & ((1 << level) - 1), level, at === slot ? -1 : at - 32, hashes, at);
        at += 32;
      }
    }
    if (a.storedAt !== undefined && a.storedAt[index] !== 0) this.#checkStored(index, hashes, slot);
  }

  /** One hash: over the data when `previous` is negative, else over the hash of the level below. */
  #digest(
    index: number,
    kind: CellKind,
    mask: number,
    level: number,
    previous: number,
    hashes: Buffer,
    at: number,
  ): void {
    const a = this.#a;
    const refCount = a.refCounts[index] as number;
    const bits = a.bitLengths[index] as number;
    const r = representation;
    let length = r.begin(kind, mask, refCount, bits);
    length = previous < 0 ? r.data(a.bytes, a.dataAt[index] as number, bits, length) : r.copy(hashes, previous, length);
    const childLevel = kind >= CellKind.merkleProof ? level + 1 : level;
    const hashesAt = length + refCount * 2;
    for (let j = 0; j < refCount; j++) {
      const child = a.refs[index * 4 + j] as number;
      const childMask = a.masks[child] as number;
      if (childMask === 0) {
        const slot = a.slots[child] as number;
        r.depth(a.depths[slot] as number, length + j * 2);
        r.copy(hashes, slot * 32, hashesAt + j * 32);
      } else this.#childAt(child, childMask, childLevel, hashes, length + j * 2, hashesAt + j * 32);
    }
    sha256Into(r.bytes, hashesAt + refCount * 32, hashes, at);
  }

  #childAt(child: number, mask: number, level: number, hashes: Buffer, depthAt: number, hashAt: number): void {
    const a = this.#a;
    const number = hashIndex(mask, level);
    const slot = a.slots[child] as number;
    if (a.kinds[child] !== CellKind.pruned) {
      representation.depth(a.depths[slot + number] as number, depthAt);
      representation.copy(hashes, (slot + number) * 32, hashAt);
    } else if (number === levelCount(mask)) {
      representation.depth(a.depths[slot] as number, depthAt);
      representation.copy(hashes, slot * 32, hashAt);
    } else {
      const data = a.dataAt[child] as number;
      representation.copy(a.bytes, data + 2 + number * 32, hashAt);
      representation.copyDepth(a.bytes, data + 2 + levelCount(mask) * 32 + number * 2, depthAt);
    }
  }

  /** A Merkle cell names the hashes and depths of what it holds: they must be true. */
  #checkMerkle(index: number, kind: CellKind): void {
    const a = this.#a;
    const first = this.cell(a.refs[index * 4] as number);
    const second = kind === CellKind.merkleUpdate ? this.cell(a.refs[index * 4 + 1] as number) : undefined;
    checkMerkleHashes(a.bytes, a.dataAt[index] as number, first, second);
  }

  /** Hashes and depths that came with the bag are never believed, only compared. */
  #checkStored(index: number, hashes: Buffer, slot: number): void {
    const a = this.#a;
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

function sameBytes(a: Buffer, aAt: number, b: Buffer, bAt: number, length: number): boolean {
  return length === 0 || a.compare(b, bAt, bAt + length, aAt, aAt + length) === 0;
}
