import { copyBits } from "./BitReader.ts";
import { CellError } from "./base/errors.ts";
import { dataSlab } from "./internal/Slab.ts";

/** Numbers of this many bits are written by bit operations, which need a fraction of the time that division does. */
const smallBits = 30;
const lowBits = 24;
/** Powers of two by exponent: the operator is a call, and the profile of the local network shows it. */
const powers = Float64Array.from({ length: 54 }, (_, exponent) => 2 ** exponent);
const words = new DataView(new ArrayBuffer(8));

/** The largest piece of a slab; more has memory of its own. */
const maxShared = 128;

/** Writes bits into bytes that grow as needed, up to a limit. Bytes are zero behind what is written. */
export class BitWriter {
  #bytes: Uint8Array;
  /** Its first byte in `#bytes`, and the byte behind its last one. */
  #start: number;
  #end: number;
  /** The bit in `#bytes` that is written next. */
  #at: number;
  readonly #limit: number;
  #isGiven = false;

  constructor(limitBits: number, expectedBits = limitBits) {
    this.#limit = limitBits;
    const size = (Math.min(expectedBits, limitBits) + 7) >>> 3;
    this.#start = size > maxShared ? 0 : dataSlab.take(size);
    this.#bytes = size > maxShared ? new Uint8Array(size) : dataSlab.bytes;
    this.#end = this.#start + size;
    this.#at = this.#start << 3;
  }

  get length(): number {
    return this.#at - (this.#start << 3);
  }

  /** Holds what is written, from the byte on that `give` returns. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Makes the bytes immutable and returns where they begin in `bytes`; what is written later goes into a copy. */
  give(): number {
    const used = (this.#at + 7) >>> 3;
    dataSlab.giveBack(this.#bytes, this.#end, used);
    this.#end = used;
    this.#isGiven = true;
    return this.#start;
  }

  /** Unsigned number of up to 53 bits. */
  uint(value: number, bits: number): void {
    if (bits <= smallBits && (value | 0) === value && value >>> bits === 0) {
      this.#grow(bits);
      this.#putSmall(value, bits);
      return;
    }
    if (bits > 53 || !Number.isInteger(value) || value < 0 || value >= (powers[bits] as number))
      throw new CellError("cell/range", `${value} does not fit ${bits} bits without sign`);
    this.#put(value, bits);
  }

  /** Signed number of up to 53 bits. */
  int(value: number, bits: number): void {
    const half = powers[bits - 1] ?? 0.5;
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
    copyBits(source, from, this.#bytes, this.#at, bits);
    this.#at += bits;
  }

  /** All that another writer has written. */
  append(other: BitWriter): void {
    this.copy(other.#bytes, other.#start << 3, other.length);
  }

  /** Whole bytes given as hex; false, and nothing is written, if the text is none. */
  hex(text: string): boolean {
    const size = text.length >>> 1;
    const bytes = size > hexScratch.length ? new Uint8Array(size) : hexScratch;
    if (!decodeHex(text, bytes)) return false;
    this.copy(bytes, 0, size * 8);
    return true;
  }

  /** A copy of the written bits, zero-filled to a whole byte. */
  finish(): Uint8Array {
    return this.#bytes.slice(this.#start, (this.#at + 7) >>> 3);
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
    let at = this.#at;
    for (let left = bits; left > 0; ) {
      const room = 8 - (at & 7);
      const take = left < room ? left : room;
      left -= take;
      const part = (value >>> left) & ((1 << take) - 1);
      bytes[at >>> 3] = (bytes[at >>> 3] as number) | (part << (room - take));
      at += take;
    }
    this.#at = at;
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

  /**
   * The low bits of a number, 64 at most. A DataView takes it apart in compiled code; shifts would call into the
   * engine.
   */
  #put64(value: bigint, bits: number): void {
    words.setBigUint64(0, value);
    if (bits > 32) this.#put(keepLow(words.getUint32(0), bits - 32), bits - 32);
    const low = Math.min(bits, 32);
    this.#put(keepLow(words.getUint32(4), low), low);
  }

  /** Reserves space before writing, so that a refused value leaves nothing behind. */
  #grow(bits: number): void {
    if (bits < 0) throw new CellError("cell/range", `a field of ${bits} bits`);
    const needed = this.length + bits;
    if (needed > this.#limit) throw new CellError("cell/overflow", `${needed} bits; the limit is ${this.#limit}`);
    if (this.#isGiven || this.#at + bits > this.#end << 3) this.#move((needed + 7) >>> 3);
  }

  /** Copies what is written to where more room is. */
  #move(size: number): void {
    const [bytes, start, length] = [this.#bytes, this.#start, this.length];
    const larger = Math.max(size, (this.#end - start) * 2);
    this.#start = larger > maxShared ? 0 : dataSlab.take(larger);
    this.#bytes = larger > maxShared ? new Uint8Array(larger) : dataSlab.bytes;
    this.#end = this.#start + larger;
    this.#at = (this.#start << 3) + length;
    this.#isGiven = false;
    copyBits(bytes, start << 3, this.#bytes, this.#start << 3, length);
  }
}

/** The value of each hex digit by its code; -1 for all others. */
const digits = Int8Array.from({ length: 128 }, (_, code) => "0123456789abcdef".indexOf(String.fromCharCode(code | 32)));
for (let code = 0; code < 16; code++) digits[code + 16] = -1;

const hexScratch = new Uint8Array(maxShared);

/** Whole bytes from their hex text, faster than the platform for a hash; false if the text is none. */
export function decodeHex(text: string, bytes: Uint8Array): boolean {
  const size = text.length >>> 1;
  let all = text.length & 1 ? -1 : 0;
  for (let i = 0; i < size; i++) {
    const byte = ((digits[text.charCodeAt(2 * i)] ?? -1) << 4) | (digits[text.charCodeAt(2 * i + 1)] ?? -1);
    bytes[i] = byte;
    all |= byte;
  }
  // One digit that is none makes all of it negative.
  return all >= 0;
}

function keepLow(word: number, bits: number): number {
  return bits === 32 ? word : word & ((1 << bits) - 1);
}
