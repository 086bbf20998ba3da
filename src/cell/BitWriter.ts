import { copyBits, putBits } from "./BitReader.ts";
import { CellError } from "./errors.ts";

/** Writes bits into bytes that grow as needed, up to a limit. */
export class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  readonly #limit: number;

  constructor(limitBits: number, expectedBits = 256) {
    this.#limit = limitBits;
    this.#bytes = new Uint8Array((Math.min(expectedBits, limitBits) + 7) >>> 3);
  }

  get length(): number {
    return this.#length;
  }

  /** Unsigned number of up to 53 bits. */
  uint(value: number, bits: number): void {
    if (bits > 53 || !Number.isInteger(value) || value < 0 || value >= 2 ** bits)
      throw new CellError("cell/range", `${value} does not fit ${bits} bits without sign`);
    this.#put(value, bits);
  }

  /** Signed number of up to 53 bits. */
  int(value: number, bits: number): void {
    const half = 2 ** (bits - 1);
    if (bits > 53 || !Number.isInteger(value) || value < -half || value >= half)
      throw new CellError("cell/range", `${value} does not fit ${bits} bits with sign`);
    this.#put(value < 0 ? value + half + half : value, bits);
  }

  bigUint(value: bigint, bits: number): void {
    this.#grow(bits);
    if (BigInt.asUintN(bits, value) !== value)
      throw new CellError("cell/range", `${value} does not fit ${bits} bits without sign`);
    this.#putBig(value, bits);
  }

  bigInt(value: bigint, bits: number): void {
    this.#grow(bits);
    if (BigInt.asIntN(bits, value) !== value)
      throw new CellError("cell/range", `${value} does not fit ${bits} bits with sign`);
    this.#putBig(BigInt.asUintN(bits, value), bits);
  }

  /** Bits from any position of other bytes. */
  copy(source: Uint8Array, from: number, bits: number): void {
    if (from + bits > source.length * 8)
      throw new CellError("cell/range", `${bits} bits where ${source.length * 8 - from} are given`);
    this.#grow(bits);
    copyBits(source, from, this.#bytes, this.#length, bits);
    this.#length += bits;
  }

  /** A copy of the written bits, zero-filled to a whole byte. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, (this.#length + 7) >>> 3);
  }

  #put(value: number, bits: number): void {
    this.#grow(bits);
    let left = bits;
    while (left > 0) {
      const take = Math.min(8 - (this.#length & 7), left);
      left -= take;
      putBits(this.#bytes, this.#length, take, Math.floor(value / 2 ** left) % (1 << take));
      this.#length += take;
    }
  }

  #putBig(value: bigint, bits: number): void {
    let left = bits;
    while (left > 0) {
      const take = left % 32 === 0 ? 32 : left % 32;
      left -= take;
      this.#put(Number(BigInt.asUintN(take, value >> BigInt(left))), take);
    }
  }

  /** Reserves space before writing, so that a refused value leaves nothing behind. */
  #grow(bits: number): void {
    if (bits < 0) throw new CellError("cell/range", `a field of ${bits} bits`);
    const needed = this.#length + bits;
    if (needed > this.#limit) throw new CellError("cell/overflow", `${needed} bits where ${this.#limit} is the limit`);
    const bytes = (needed + 7) >>> 3;
    if (bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
