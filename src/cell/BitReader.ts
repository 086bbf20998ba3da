import { CellError } from "./base/errors.ts";
import { type Hash, zeroHash } from "./Hash.ts";

/**
 * Reads numbers and runs of bits at any bit position. Positions are absolute bit offsets; the caller has checked that
 * the bits exist. Numbers up to 53 bits are `number`, wider ones `bigint`.
 */

/** Unsigned number of up to 53 bits. */
export function readUint(bytes: Uint8Array, at: number, bits: number): number {
  if (bits === 0) return 0;
  const end = (at & 7) + bits;
  if (end <= 32) return readShort(bytes, at >>> 3, at & 7, end);
  const high = bits - 24;
  const low = at + high;
  return readUint(bytes, at, high) * 0x1000000 + readShort(bytes, low >>> 3, low & 7, (low & 7) + 24);
}

/** Bits `skip … end` of at most four bytes. */
function readShort(bytes: Uint8Array, index: number, skip: number, end: number): number {
  let value = (bytes[index] as number) & (0xff >> skip);
  if (end <= 8) return value >> (8 - end);
  value = (value << 8) | (bytes[index + 1] as number);
  if (end <= 16) return value >> (16 - end);
  value = (value << 8) | (bytes[index + 2] as number);
  if (end <= 24) return value >> (24 - end);
  return ((value << 8) | (bytes[index + 3] as number)) >>> (32 - end);
}

/** Signed two's complement number of up to 53 bits. */
export function readInt(bytes: Uint8Array, at: number, bits: number): number {
  const value = readUint(bytes, at, bits);
  if (bits <= 32) return (value << (32 - bits)) >> (32 - bits);
  const half = 2 ** (bits - 1);
  return value >= half ? value - half - half : value;
}

const words = new DataView(new ArrayBuffer(8));

/** Unsigned number of any width. */
export function readBigUint(bytes: Uint8Array, at: number, bits: number): bigint {
  if (bits <= 64) {
    // A DataView makes the bigint in compiled code, where BigInt() and shifts would call into the engine.
    words.setUint32(0, bits > 32 ? readUint(bytes, at, bits - 32) : 0);
    words.setUint32(4, bits > 32 ? readUint(bytes, at + bits - 32, 32) : readUint(bytes, at, bits));
    return words.getBigUint64(0);
  }
  const lead = bits & 7;
  let value = lead === 0 ? 0n : BigInt(readUint(bytes, at, lead));
  const whole = bits - lead;
  if (whole > 0) value = (value << BigInt(whole)) | BigInt(`0x${readHex(bytes, at + lead, whole)}`);
  return value;
}

/** Signed two's complement number of any width. */
export function readBigInt(bytes: Uint8Array, at: number, bits: number): bigint {
  return BigInt.asIntN(bits, readBigUint(bytes, at, bits));
}

const hexScratch = Buffer.alloc(128);

/** A whole number of bytes, at any bit position, as lower-case hex. */
export function readHex(bytes: Uint8Array, at: number, bits: number): string {
  if ((bits & 7) !== 0) throw new CellError("cell/range", `hex text needs whole bytes, not ${bits} bits`);
  const length = bits >>> 3;
  // Copied also at a whole byte: a view of a short array makes the engine move it out of its object first.
  const target = length <= hexScratch.length ? hexScratch : Buffer.alloc(length);
  copyBits(bytes, at, target, 0, bits);
  return target.toString("hex", 0, length);
}

const scratchWords = new Int32Array(8);
const hashScratch = Buffer.from(scratchWords.buffer);

/**
 * Recently read hashes as text, by their first bits. A block repeats the same accounts, and making the text is most of
 * the cost of reading a hash. The next hash with the same first bits overwrites the entry.
 */
const latelyBits = 10;
const latelyWords = new Int32Array(8 << latelyBits);
const latelyTexts: Hash[] = new Array<Hash>(1 << latelyBits).fill(zeroHash);

/** 256 bits at any bit position as lower-case hex. */
export function readHash(bytes: Uint8Array, at: number): Hash {
  const shift = at & 7;
  let index = at >>> 3;
  let high = bytes[index] as number;
  if (shift === 0) {
    for (let i = 0; i < 32; i++) hashScratch[i] = bytes[index++] as number;
  } else {
    for (let i = 0; i < 32; i++) {
      const low = bytes[++index] as number;
      hashScratch[i] = (high << shift) | (low >> (8 - shift));
      high = low;
    }
  }
  return scratchText();
}

function scratchText(): Hash {
  const place = (scratchWords[0] as number) & ((1 << latelyBits) - 1);
  let same = true;
  for (let i = 0; i < 8; i++) same &&= scratchWords[i] === latelyWords[place * 8 + i];
  if (same) return latelyTexts[place] as Hash;
  for (let i = 0; i < 8; i++) latelyWords[place * 8 + i] = scratchWords[i] as number;
  const text = hashScratch.toString("hex") as Hash;
  latelyTexts[place] = text;
  return text;
}

/** Whole bytes as lower-case hex. */
export function hexView(bytes: Uint8Array, start: number, length: number): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString("hex", start, start + length);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString("hex");
}

/** This many bytes are copied in a loop: a view of the source takes longer. */
const maxByLoop = 128;

/** Copies bits into a byte-aligned or unaligned target; bits of the target outside the run are kept. */
export function copyBits(source: Uint8Array, from: number, target: Uint8Array, to: number, bits: number): void {
  let at = from;
  let put = to;
  let left = bits;
  const head = (8 - (put & 7)) & 7;
  if (head !== 0 && left > 0) {
    const take = Math.min(head, left);
    putBits(target, put, take, readUint(source, at, take));
    at += take;
    put += take;
    left -= take;
  }
  let index = put >>> 3;
  const skip = at & 7;
  let sourceIndex = at >>> 3;
  const whole = left >>> 3;
  if (skip === 0 && whole > maxByLoop) {
    target.set(source.subarray(sourceIndex, sourceIndex + whole), index);
    index += whole;
  } else if (skip === 0) {
    for (let i = 0; i < whole; i++) target[index++] = source[sourceIndex++] as number;
  } else {
    for (let i = 0; i < whole; i++) {
      const high = source[sourceIndex++] as number;
      target[index++] = (high << skip) | ((source[sourceIndex] as number) >> (8 - skip));
    }
  }
  const tail = left & 7;
  if (tail !== 0) putBits(target, index << 3, tail, readUint(source, at + (whole << 3), tail));
}

/** Up to 8 bits, all inside one byte of the target. */
export function putBits(target: Uint8Array, at: number, bits: number, value: number): void {
  const index = at >>> 3;
  const shift = 8 - (at & 7) - bits;
  const mask = ((1 << bits) - 1) << shift;
  target[index] = ((target[index] as number) & ~mask) | ((value << shift) & mask);
}

/** Numbers of this many bits are written by bit operations, which need a fraction of the time that division does. */
const smallBits = 30;
const lowBits = 24;

/** An unsigned number of at most 53 bits that fits; bits outside the run are kept. */
export function putUint(target: Uint8Array, at: number, value: number, bits: number): void {
  if (bits > smallBits) {
    putUint(target, at, Math.floor(value / 2 ** lowBits), bits - lowBits);
    putUint(target, at + bits - lowBits, value % 2 ** lowBits, lowBits);
    return;
  }
  for (let left = bits, to = at; left > 0; ) {
    const take = Math.min(left, 8 - (to & 7));
    left -= take;
    putBits(target, to, take, value >>> left);
    to += take;
  }
}

/** Sets all bits of a run to those of a byte that is 0 or 255. */
export function fillBits(target: Uint8Array, at: number, bits: number, value: 0 | 255): void {
  for (let to = at, left = bits; left > 0; ) {
    const take = Math.min(left, 8 - (to & 7));
    putBits(target, to, take, value);
    to += take;
    left -= take;
  }
}

/** Lexicographic comparison of two runs: the first differing bit decides, then the shorter run is less. */
export function compareBits(
  a: Uint8Array,
  aAt: number,
  aBits: number,
  b: Uint8Array,
  bAt: number,
  bBits: number,
): number {
  const common = Math.min(aBits, bBits);
  const same = commonPrefix(a, aAt, b, bAt, common);
  if (same < common) return readUint(a, aAt + same, 1) - readUint(b, bAt + same, 1);
  return aBits - bBits;
}

/** How many leading bits of two runs of the same length agree. */
export function commonPrefix(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, bits: number): number {
  let done = 0;
  while (done < bits) {
    const take = Math.min(32, bits - done);
    const x = readUint(a, aAt + done, take);
    const y = readUint(b, bAt + done, take);
    if (x !== y) return done + Math.clz32((x ^ y) >>> 0) - (32 - take);
    done += take;
  }
  return bits;
}
