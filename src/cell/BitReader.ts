import { CellError } from "./errors.ts";

/**
 * Reading numbers and runs of bits out of bytes at any bit position. Positions are absolute bit offsets; the caller
 * has checked that the bits are there. Numbers up to 53 bits are `number`, wider ones `bigint`.
 */

/** Unsigned number of up to 53 bits. */
export function readUint(bytes: Uint8Array, at: number, bits: number): number {
  if (bits === 0) return 0;
  let index = at >>> 3;
  const skip = at & 7;
  const first = (bytes[index] as number) & (0xff >> skip);
  let left = bits - (8 - skip);
  if (left <= 0) return first >> -left;
  let value = first;
  while (left >= 8) {
    value = value * 256 + (bytes[++index] as number);
    left -= 8;
  }
  if (left > 0) value = value * (1 << left) + ((bytes[index + 1] as number) >> (8 - left));
  return value;
}

/** Signed two's complement number of up to 53 bits. */
export function readInt(bytes: Uint8Array, at: number, bits: number): number {
  const value = readUint(bytes, at, bits);
  const half = 2 ** (bits - 1);
  return value >= half ? value - half - half : value;
}

/** Unsigned number of any width. */
export function readBigUint(bytes: Uint8Array, at: number, bits: number): bigint {
  if (bits <= 53) return BigInt(readUint(bytes, at, bits));
  if (bits <= 64) {
    const high = readUint(bytes, at, bits - 32);
    return (BigInt(high) << 32n) | BigInt(readUint(bytes, at + bits - 32, 32));
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
  if ((at & 7) === 0) return hexView(bytes, at >>> 3, length);
  const target = length <= hexScratch.length ? hexScratch : Buffer.alloc(length);
  copyBits(bytes, at, target, 0, bits);
  return target.toString("hex", 0, length);
}

function hexView(bytes: Uint8Array, start: number, length: number): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString("hex", start, start + length);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString("hex");
}

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
  if (skip === 0) {
    target.set(source.subarray(sourceIndex, sourceIndex + whole), index);
    index += whole;
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
