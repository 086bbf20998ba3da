import { copyBits } from "./BitReader.ts";
import { CellError } from "./errors.ts";

/** Numbers of so many bits are written by bit operations, which need a fraction of the time that division does. */
const smallBits = 30;
const lowBits = 24;
const words = new DataView(new ArrayBuffer(8));

/** Writes bits into bytes that grow as needed, up to a limit. Bytes are zero behind what is written. */
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
    if (bits <= smallBits && (value | 0) === value && value >>> bits === 0) {
      this.#grow(bits);
      this.#putSmall(value, bits);
      return;
    }
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
    if (bits > smallBits) {
      this.#putSmall(Math.floor(value / 2 ** lowBits), bits - lowBits);
      this.#putSmall(value % 2 ** lowBits, lowBits);
    } else {
      this.#putSmall(value, bits);
    }
  }

  #putSmall(value: number, bits: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    for (let left = bits; left > 0; ) {
      const room = 8 - (at & 7);
      const take = left < room ? left : room;
      left -= take;
      const part = (value >>> left) & ((1 << take) - 1);
      bytes[at >>> 3] = (bytes[at >>> 3] as number) | (part << (room - take));
      at += take;
    }
    this.#length = at;
  }

  #putBig(value: bigint, bits: number): void {
    let left = bits;
    while (left > 64) {
      const take = left % 64 === 0 ? 64 : left % 64;
      left -= take;
      this.#put64(value >> BigInt(left), take);
    }
    this.#put64(value, left);
  }

  /** The low bits of a number, 64 at most. A DataView takes it apart in compiled code; shifts would call into the engine. */
  #put64(value: bigint, bits: number): void {
    words.setBigUint64(0, value);
    if (bits > 32) this.#put(keepLow(words.getUint32(0), bits - 32), bits - 32);
    const low = Math.min(bits, 32);
    this.#put(keepLow(words.getUint32(4), low), low);
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

function keepLow(word: number, bits: number): number {
  return bits === 32 ? word : word & (2 ** bits - 1);
}
