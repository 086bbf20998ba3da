import { takeArrays } from "../../lib/memory/takeArrays.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { CellKind, maxDepth } from "../base/CellKind.ts";
import { CellError } from "../base/errors.ts";
import type { BagArrays } from "./BagArrays.ts";
import type { BocHeader } from "./bocHeader.ts";
import { hashIndex, levelCount } from "./levels.ts";

/** Reads the cells of a bag into flat arrays: offsets, kinds, references, then levels and depths from the leaves up. */
export function* readBocCells(bytes: Buffer, header: BocHeader): Steps<BagArrays> {
  const places = new PlaceReader(bytes, header);
  const { cells } = header;
  for (let from = 0; from < cells; from += readPerStep) {
    if (from > 0) yield;
    readPlaces(places, from, Math.min(cells, from + readPerStep));
  }
  places.finish();
  for (let end = cells; end > 0; end -= readPerStep) {
    if (end < cells) yield;
    fillMasks(places, Math.max(0, end - readPerStep), end);
  }
  for (let from = 0; from < cells; from += readPerStep) {
    if (from > 0) yield;
    numberSlots(places, from, Math.min(cells, from + readPerStep));
  }
  places.depths = new Uint16Array(places.slots[cells] as number);
  for (let end = cells; end > 0; end -= readPerStep) {
    if (end < cells) yield;
    fillDepths(places, Math.max(0, end - readPerStep), end);
  }
  return places;
}

/** Cells that are read in one step. */
const readPerStep = 5_000;

// Each long loop is a separate function: the engine compiles a running loop together with the code after it, which has
// not run yet, and would discard the compiled code when the loop ends.
function readPlaces(places: PlaceReader, from: number, end: number): void {
  for (let i = from; i < end; i++) places.read(i);
}

function fillDepths(arrays: BagArrays, from: number, end: number): void {
  for (let i = end - 1; i >= from; i--) fillDepth(arrays, i);
}

/** Six words, half a word and four bytes. */
const bytesPerCell = 30;

/** The arrays of a bag while they are filled. */
class PlaceReader implements BagArrays {
  readonly bytes: Buffer;
  readonly count: number;
  readonly dataAt: Uint32Array;
  readonly refs: Uint32Array;
  /** These two, and the depths, are filled when all places are known. */
  readonly slots: Uint32Array;
  readonly masks: Uint8Array;
  readonly bitLengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly levels: Uint8Array;
  readonly refCounts: Uint8Array;
  depths = new Uint16Array();
  storedAt: Uint32Array | undefined;
  readonly #header: BocHeader;
  #at: number;

  constructor(bytes: Buffer, header: BocHeader) {
    const count = header.cells;
    this.bytes = bytes;
    this.count = count;
    this.#header = header;
    this.#at = header.cellsAt;
    const take = takeArrays(count * bytesPerCell + 4);
    this.dataAt = take(Uint32Array, count);
    this.refs = take(Uint32Array, count * 4);
    this.slots = take(Uint32Array, count + 1);
    this.bitLengths = take(Uint16Array, count);
    this.kinds = take(Uint8Array, count);
    this.levels = take(Uint8Array, count);
    this.refCounts = take(Uint8Array, count);
    this.masks = take(Uint8Array, count);
  }

  read(index: number): void {
    const { bytes } = this;
    const end = this.#header.cellsEnd;
    let at = this.#at;
    if (at + 2 > end) throw cut(index);
    const d1 = bytes[at] as number;
    const d2 = bytes[at + 1] as number;
    const refCount = d1 & 7;
    if (refCount > 4) throw new CellError("cell/boc-cell", `cell ${index} begins with 0x${d1.toString(16)}`);
    at += 2;
    if ((d1 & 16) !== 0) at = this.#skipStored(index, d1, at);
    const size = (d2 + 1) >> 1;
    const refsAt = at + size;
    this.#at = refsAt + refCount * this.#header.refSize;
    if (this.#at > end) throw cut(index);
    this.dataAt[index] = at;
    this.refCounts[index] = refCount;
    this.levels[index] = d1 >> 5;
    this.bitLengths[index] = (d2 & 1) === 0 ? size * 8 : this.#partialBits(index, refsAt - 1, size);
    if ((d1 & 8) !== 0) this.kinds[index] = readKind(bytes, at, this.bitLengths[index] as number, refCount, index);
    this.#readRefs(index, refsAt, refCount);
    if (this.#header.indexAt !== undefined) this.#checkIndex(index);
  }

  finish(): void {
    if (this.#at !== this.#header.cellsEnd)
      throw new CellError("cell/boc-trailing", `${this.#header.cellsEnd - this.#at} bytes lie behind the last cell`);
    if (this.#header.hasCacheBits) this.#checkMarks();
  }

  /** A cell is marked in the index exactly when it is met more than once, as a reference or as a root. */
  #checkMarks(): void {
    const { cells, roots, offsetSize, indexAt = 0 } = this.#header;
    const met = new Uint32Array(cells);
    const meet = (index: number): void => {
      met[index] = (met[index] as number) + 1;
    };
    roots.forEach(meet);
    for (let i = 0; i < cells; i++)
      for (let j = i * 4, end = j + (this.refCounts[i] as number); j < end; j++) meet(this.refs[j] as number);
    for (let i = 0; i < cells; i++) {
      const isMarked = ((this.bytes[indexAt + (i + 1) * offsetSize - 1] as number) & 1) === 1;
      if (isMarked !== (met[i] as number) > 1)
        throw new CellError("cell/boc-index", `cell ${i} is met ${met[i]} times and its mark says otherwise`);
    }
  }

  /** The completion bit ends the data; a last byte with nothing else is not the shortest form. */
  #partialBits(index: number, lastAt: number, size: number): number {
    const last = this.bytes[lastAt] as number;
    if ((last & 0x7f) === 0) throw new CellError("cell/boc-cell", `cell ${index} ends without a completion bit`);
    return size * 8 - 1 - (31 - Math.clz32(last & -last));
  }

  #readRefs(index: number, from: number, count: number): void {
    const { bytes } = this;
    const size = this.#header.refSize;
    for (let j = 0, at = from; j < count; j++) {
      let ref = bytes[at++] as number;
      for (let k = 1; k < size; k++) ref = ref * 256 + (bytes[at++] as number);
      if (ref <= index || ref >= this.#header.cells)
        throw new CellError("cell/boc-order", `cell ${index} refers to cell ${ref} of ${this.#header.cells}`);
      this.refs[index * 4 + j] = ref;
    }
  }

  #skipStored(index: number, d1: number, at: number): number {
    this.storedAt ??= new Uint32Array(this.#header.cells);
    this.storedAt[index] = at;
    return at + (levelCount(d1 >> 5) + 1) * 34;
  }

  #checkIndex(index: number): void {
    const { offsetSize, indexAt = 0, hasCacheBits, cellsAt } = this.#header;
    let entry = 0;
    const at = indexAt + index * offsetSize;
    for (let k = 0; k < offsetSize; k++) entry = entry * 256 + (this.bytes[at + k] as number);
    if (hasCacheBits) entry = Math.floor(entry / 2);
    if (entry !== this.#at - cellsAt)
      throw new CellError("cell/boc-index", `the index puts the end of cell ${index} at ${entry}`);
  }
}

function cut(index: number): CellError {
  return new CellError("cell/boc-cut", `the bag ends inside cell ${index}`);
}

/** The kind of an exotic cell; its length and references must fit the kind. */
function readKind(bytes: Uint8Array, at: number, bits: number, refCount: number, index: number): CellKind {
  const type = bits >= 8 ? (bytes[at] as number) : 0;
  if (type === CellKind.pruned && refCount === 0 && bits >= 16) {
    const mask = bytes[at + 1] as number;
    if (mask >= 1 && mask <= 7 && bits === 16 + levelCount(mask) * 272) return CellKind.pruned;
  }
  if (type === CellKind.library && refCount === 0 && bits === 264) return CellKind.library;
  if (type === CellKind.merkleProof && refCount === 1 && bits === 280) return CellKind.merkleProof;
  if (type === CellKind.merkleUpdate && refCount === 2 && bits === 552) return CellKind.merkleUpdate;
  throw new CellError(
    "cell/exotic",
    `cell ${index} is no exotic cell of type ${type}: ${bits} bits, ${refCount} references`,
  );
}

function fillMasks(places: PlaceReader, from: number, end: number): void {
  const { kinds, masks, refCounts, refs, levels, bytes, dataAt, storedAt } = places;
  for (let i = end - 1; i >= from; i--) {
    let mask = 0;
    for (let j = i * 4, last = j + (refCounts[i] as number); j < last; j++) mask |= masks[refs[j] as number] as number;
    const kind = kinds[i] as CellKind;
    if (kind === CellKind.pruned) mask = bytes[(dataAt[i] as number) + 1] as number;
    else if (kind >= CellKind.merkleProof) mask >>= 1;
    // Some writers store a wrong mask, so it is not trusted; it must be right only where it gives the number of stored
    // hashes.
    if (mask !== levels[i] && storedAt?.[i])
      throw new CellError("cell/level", `cell ${i} says it has levels ${levels[i]} and has ${mask}`);
    masks[i] = mask;
  }
}

/** The first slot of a cell is known from the cell before it. */
function numberSlots({ kinds, masks, slots }: BagArrays, from: number, end: number): void {
  let next = slots[from] as number;
  for (let i = from; i < end; i++) {
    next += kinds[i] === CellKind.pruned ? 1 : levelCount(masks[i] as number) + 1;
    slots[i + 1] = next;
  }
}

function fillDepth(a: BagArrays, index: number): void {
  const { depths, slots, refs } = a;
  const kind = a.kinds[index] as CellKind;
  const mask = a.masks[index] as number;
  const slot = slots[index] as number;
  const first = index * 4;
  const end = first + (a.refCounts[index] as number);
  if (kind === CellKind.pruned) {
    checkPruned(a, index, levelCount(mask));
  } else if (mask === 0 && kind === CellKind.ordinary) {
    let depth = 0;
    for (let j = first; j < end; j++) {
      const below = (depths[slots[refs[j] as number] as number] as number) + 1;
      if (below > depth) depth = below;
    }
    depths[slot] = checkDepth(depth, index);
  } else {
    for (let level = 0, at = slot; level <= 3; level++) {
      if (level > 0 && (mask & (1 << (level - 1))) === 0) continue;
      let depth = 0;
      for (let j = first; j < end; j++) {
        const below = depthAt(a, refs[j] as number, kind >= CellKind.merkleProof ? level + 1 : level) + 1;
        if (below > depth) depth = below;
      }
      depths[at++] = checkDepth(depth, index);
    }
  }
}

function checkPruned(a: BagArrays, index: number, count: number): void {
  for (let number = 0; number < count; number++) checkDepth(prunedDepth(a, index, count, number), index);
}

function depthAt(a: BagArrays, index: number, level: number): number {
  const mask = a.masks[index] as number;
  const slot = a.slots[index] as number;
  if (mask === 0) return a.depths[slot] as number;
  const number = hashIndex(mask, level);
  if (a.kinds[index] !== CellKind.pruned) return a.depths[slot + number] as number;
  const count = levelCount(mask);
  return number === count ? 0 : prunedDepth(a, index, count, number);
}

/** A depth that a pruned branch has in its data. */
function prunedDepth(a: BagArrays, index: number, count: number, number: number): number {
  const at = (a.dataAt[index] as number) + 2 + count * 32 + number * 2;
  return ((a.bytes[at] as number) << 8) | (a.bytes[at + 1] as number);
}

function checkDepth(depth: number, index: number): number {
  if (depth > maxDepth) throw new CellError("cell/depth", `cell ${index} has depth ${depth}; the limit is ${maxDepth}`);
  return depth;
}
