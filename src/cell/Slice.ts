import { commonPrefix, copyBits, readBigInt, readBigUint, readHash, readHex, readInt, readUint } from "./BitReader.ts";
import type { BitWriter } from "./BitWriter.ts";
import { CellKind, cellKindNames } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import { type Cell, makeCell } from "./Cell.ts";
import type { Hash } from "./Hash.ts";

const nothing = makeCell(new Uint8Array(0), 0, [], CellKind.ordinary);

/**
 * A read position in a cell, moved by `load…`. Reading past the end is `cell/underflow`. Numbers up to 53 bits are
 * `number`; wider ones have their own methods, which return `bigint`.
 */
export class Slice {
  readonly cell: Cell;
  readonly #bytes: Uint8Array;
  #bit: number;
  #bitEnd: number;
  #ref: number;
  #refEnd: number;

  constructor(cell: Cell) {
    if (cell.watch !== undefined) cell.watch.opened(cell);
    this.cell = cell;
    this.#bytes = cell.bytes;
    this.#bit = cell.dataAt * 8;
    this.#bitEnd = this.#bit + cell.bitLength;
    this.#ref = 0;
    this.#refEnd = cell.refCount;
  }

  get remainingBits(): number {
    return this.#bitEnd - this.#bit;
  }

  get remainingRefs(): number {
    return this.#refEnd - this.#ref;
  }

  get isEmpty(): boolean {
    return this.#bit === this.#bitEnd && this.#ref === this.#refEnd;
  }

  /** Bits and references already read from the cell this slice was opened on. */
  get position(): { readonly bits: number; readonly refs: number } {
    return { bits: this.#bit - this.cell.dataAt * 8, refs: this.#ref };
  }

  /** A second reading position at the same place. */
  clone(): Slice {
    const copy = new Slice(this.cell);
    copy.#bit = this.#bit;
    copy.#bitEnd = this.#bitEnd;
    copy.#ref = this.#ref;
    copy.#refEnd = this.#refEnd;
    return copy;
  }

  /** The next bits and references as a separate slice; this one moves past them. */
  loadPart(bits: number, refs: number): Slice {
    const part = this.clone();
    this.skip(bits);
    this.skipRefs(refs);
    part.#bitEnd = this.#bit;
    part.#refEnd = this.#ref;
    return part;
  }

  /** Everything left as a new cell; the cell itself when nothing was read from it yet. */
  loadRest(): Cell {
    const { cell } = this;
    const bits = this.remainingBits;
    const refs = this.remainingRefs;
    if (bits === cell.bitLength && refs === cell.refCount && cell.kind === CellKind.ordinary) {
      this.skip(bits).skipRefs(refs);
      return cell;
    }
    if (bits === 0 && refs === 0) return nothing;
    const children: Cell[] = [];
    for (let i = 0; i < refs; i++) children.push(this.loadRef());
    // A list that grows has room for 17.
    return makeCell(this.loadBits(bits), bits, children.slice(), CellKind.ordinary);
  }

  loadBit(): boolean {
    const at = this.#take(1);
    return (((this.#bytes[at >>> 3] as number) >> (7 - (at & 7))) & 1) === 1;
  }

  loadUint(bits: number): number {
    return readUint(this.#bytes, this.#takeNumber(bits), bits);
  }

  preloadUint(bits: number): number {
    const value = this.loadUint(bits);
    this.#bit -= bits;
    return value;
  }

  loadInt(bits: number): number {
    return readInt(this.#bytes, this.#takeNumber(bits), bits);
  }

  loadBigUint(bits: number): bigint {
    return readBigUint(this.#bytes, this.#take(bits), bits);
  }

  loadBigInt(bits: number): bigint {
    return readBigInt(this.#bytes, this.#take(bits), bits);
  }

  /** VarUInteger n, as a number where n is at most 7: a length in bytes, then the number. */
  loadSmallVarUint(limit: number): number {
    return this.loadUint(this.#loadLength(limit) * 8);
  }

  /** VarUInteger n: a length in bytes, written in as many bits as n - 1 needs, then the number. */
  loadVarUint(limit: number): bigint {
    const length = this.#loadLength(limit);
    return length === 0 ? 0n : readBigUint(this.#bytes, this.#take(length * 8), length * 8);
  }

  loadVarInt(limit: number): bigint {
    const length = this.#loadLength(limit);
    return length === 0 ? 0n : readBigInt(this.#bytes, this.#take(length * 8), length * 8);
  }

  /** Nanocoins, VarUInteger 16. */
  loadCoins(): bigint {
    const length = this.loadUint(4);
    return length === 0 ? 0n : readBigUint(this.#bytes, this.#take(length * 8), length * 8);
  }

  /** Whole bytes as lower-case hex. */
  loadHex(bits: number): string {
    return readHex(this.#bytes, this.#take(bits), bits);
  }

  loadHash(): Hash {
    return readHash(this.#bytes, this.#take(256));
  }

  loadBytes(length: number): Uint8Array {
    const at = this.#take(length * 8);
    const out = new Uint8Array(length);
    copyBits(this.#bytes, at, out, 0, length * 8);
    return out;
  }

  /** The next bits, left-aligned in bytes, zero-filled at the end. */
  loadBits(bits: number): Uint8Array {
    const at = this.#take(bits);
    const out = new Uint8Array((bits + 7) >>> 3);
    copyBits(this.#bytes, at, out, 0, bits);
    return out;
  }

  /** Moves the next bits into `target` at a bit position. */
  loadBitsInto(bits: number, target: Uint8Array, at: number): void {
    copyBits(this.#bytes, this.#take(bits), target, at, bits);
  }

  loadRef(): Cell {
    if (this.#ref >= this.#refEnd) throw new CellError("cell/underflow", "no reference left to read");
    return this.cell.ref(this.#ref++);
  }

  preloadRef(index = 0): Cell {
    if (index < 0 || this.#ref + index >= this.#refEnd)
      throw new CellError("cell/underflow", `no reference ${index} left to read`);
    return this.cell.ref(this.#ref + index);
  }

  loadMaybeRef(): Cell | undefined {
    return this.loadBit() ? this.loadRef() : undefined;
  }

  skip(bits: number): this {
    this.#take(bits);
    return this;
  }

  skipRefs(refs: number): this {
    if (refs < 0 || this.#ref + refs > this.#refEnd)
      throw new CellError("cell/underflow", `${refs} references asked for, ${this.remainingRefs} left`);
    this.#ref += refs;
    return this;
  }

  /** How many of the next bits agree with those of `other`, at most `limit`. */
  commonBits(other: Slice, limit: number): number {
    const bits = Math.min(limit, this.remainingBits, other.remainingBits);
    return commonPrefix(this.#bytes, this.#bit, other.#bytes, other.#bit, bits);
  }

  /** Appends the remaining bits to the writer. */
  appendTo(writer: BitWriter): void {
    writer.copy(this.#bytes, this.#bit, this.remainingBits);
  }

  /** Refuses bits or references that belong to no field. */
  end(): void {
    if (!this.isEmpty) {
      throw new CellError(
        "cell/leftover",
        `${this.remainingBits} bits and ${this.remainingRefs} references left over after the last field`,
      );
    }
  }

  /** The width of the length can hold more than the type allows: VarUInteger 3 has lengths 0 to 2 in two bits. */
  #loadLength(limit: number): number {
    const length = this.loadUint(32 - Math.clz32(limit - 1));
    if (length >= limit) throw new CellError("cell/range", `a number of ${length} bytes; the limit is ${limit - 1}`);
    return length;
  }

  #takeNumber(bits: number): number {
    if (bits > 53) throw new CellError("cell/range", `${bits} bits do not fit a number; read them as bigint`);
    return this.#take(bits);
  }

  #take(bits: number): number {
    const at = this.#bit;
    if (bits < 0 || at + bits > this.#bitEnd)
      throw new CellError("cell/underflow", `${bits} bits asked for, ${this.remainingBits} left`);
    this.#bit = at + bits;
    return at;
  }
}

/** Opens an ordinary cell for reading; pruned and exotic cells are refused with a code. */
export function sliceOf(cell: Cell): Slice {
  if (cell.kind === CellKind.ordinary) return new Slice(cell);
  const latest = cell.latest();
  if (latest !== cell) return sliceOf(latest);
  if (cell.kind === CellKind.pruned)
    throw new CellError("cell/pruned", "the proof does not contain this cell", { data: { hash: cell.hash(0) } });
  throw new CellError("cell/exotic", `a cell of kind ${cellKindNames[cell.kind]} cannot be read as data`);
}

/** Opens a cell of any kind for reading its raw bits. */
export function rawSliceOf(cell: Cell): Slice {
  return new Slice(cell);
}
