import { BitWriter } from "./BitWriter.ts";
import { CellKind, maxBits, maxRefs } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import { type Cell, makeCell } from "./Cell.ts";
import type { Slice } from "./Slice.ts";

/** Builds a cell. Each `store…` returns the builder; a value that does not fit is `cell/overflow` or `cell/range`. */
export class Builder {
  readonly #bits = new BitWriter(maxBits);
  readonly #refs: Cell[] = [];

  get bitLength(): number {
    return this.#bits.length;
  }

  get refCount(): number {
    return this.#refs.length;
  }

  get remainingBits(): number {
    return maxBits - this.#bits.length;
  }

  get remainingRefs(): number {
    return maxRefs - this.#refs.length;
  }

  storeBit(value: boolean): this {
    this.#bits.uint(value ? 1 : 0, 1);
    return this;
  }

  storeUint(value: number, bits: number): this {
    this.#bits.uint(value, bits);
    return this;
  }

  storeInt(value: number, bits: number): this {
    this.#bits.int(value, bits);
    return this;
  }

  storeBigUint(value: bigint, bits: number): this {
    this.#bits.bigUint(value, bits);
    return this;
  }

  storeBigInt(value: bigint, bits: number): this {
    this.#bits.bigInt(value, bits);
    return this;
  }

  /** VarUInteger n in its shortest form. */
  storeVarUint(value: bigint, limit: number): this {
    if (value < 0n) throw new CellError("cell/range", `${value} does not fit a number without sign`);
    const length = byteLength(value);
    this.#storeLength(length, limit, value);
    this.#bits.bigUint(value, length * 8);
    return this;
  }

  storeVarInt(value: bigint, limit: number): this {
    let length = 0;
    while (value !== 0n && BigInt.asIntN(length * 8, value) !== value) length++;
    this.#storeLength(length, limit, value);
    this.#bits.bigInt(value, length * 8);
    return this;
  }

  storeCoins(value: bigint): this {
    return this.storeVarUint(value, 16);
  }

  storeHex(hex: string): this {
    if (!this.#bits.hex(hex)) throw new CellError("cell/range", `not hex: ${hex.slice(0, 80)}`);
    return this;
  }

  storeBytes(bytes: Uint8Array): this {
    this.#bits.copy(bytes, 0, bytes.length * 8);
    return this;
  }

  /** `count` bits of `bytes`, from bit `from` on. */
  storeBits(bytes: Uint8Array, count: number, from = 0): this {
    this.#bits.copy(bytes, from, count);
    return this;
  }

  storeRef(cell: Cell): this {
    this.#roomForRefs(1);
    this.#refs.push(cell);
    return this;
  }

  storeMaybeRef(cell: Cell | undefined): this {
    this.#roomForRefs(cell === undefined ? 0 : 1);
    this.storeBit(cell !== undefined);
    return cell === undefined ? this : this.storeRef(cell);
  }

  /** Everything left in a slice, which keeps its position. */
  storeSlice(slice: Slice): this {
    this.#roomForRefs(slice.remainingRefs);
    slice.appendTo(this.#bits);
    for (let i = 0; i < slice.remainingRefs; i++) this.storeRef(slice.preloadRef(i));
    return this;
  }

  storeBuilder(other: Builder): this {
    this.#roomForRefs(other.refCount);
    this.#bits.append(other.#bits);
    for (const ref of other.#refs) this.#refs.push(ref);
    return this;
  }

  /** The finished ordinary cell; the builder can still be used. */
  cell(): Cell {
    return this.exoticCell(CellKind.ordinary);
  }

  /** A cell of another kind from the data written so far; for the makers of such cells. */
  exoticCell(kind: CellKind): Cell {
    const dataAt = this.#bits.give();
    return makeCell(this.#bits.bytes, this.#bits.length, this.#refs.slice(), kind, dataAt);
  }

  /** A copy of the references stored so far. */
  refs(): Cell[] {
    return this.#refs.slice();
  }

  #roomForRefs(count: number): void {
    if (count > this.remainingRefs)
      throw new CellError("cell/overflow", `${this.#refs.length + count} references; the limit is ${maxRefs}`);
  }

  #storeLength(length: number, limit: number, value: bigint): void {
    if (length >= limit) throw new CellError("cell/range", `${value} needs ${length} bytes; the limit is ${limit - 1}`);
    this.#bits.uint(length, 32 - Math.clz32(limit - 1));
  }
}

export function beginCell(): Builder {
  return new Builder();
}

export const emptyCell = beginCell().cell();

const words = new DataView(new ArrayBuffer(8));

/** How many bytes a number has that is not negative. Nearly all have eight at most, for which no text is made. */
function byteLength(value: bigint): number {
  if (BigInt.asUintN(64, value) !== value) return (value.toString(16).length + 1) >>> 1;
  words.setBigUint64(0, value);
  const high = words.getUint32(0);
  const bits = high === 0 ? 32 - Math.clz32(words.getUint32(4)) : 64 - Math.clz32(high);
  return (bits + 7) >>> 3;
}
