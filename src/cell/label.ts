import { fillBits } from "./BitReader.ts";
import type { Builder } from "./Builder.ts";
import { CellError } from "./base/errors.ts";
import type { Slice } from "./Slice.ts";

/** Key bits, left-aligned in bytes. */
export type KeyBits = Uint8Array;

/** Bits of a length field for lengths up to `limit`. */
function lengthBits(limit: number): number {
  return 32 - Math.clz32(limit);
}

/** Reads an edge label of at most `limit` bits into `key` at bit `at`; returns its length. */
// hml_short$0 len:(Unary ~n) s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit); hml_same$11 v:Bit n:(#<= m)
export function loadLabel(slice: Slice, limit: number, key: KeyBits, at: number): number {
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length++;
    return loadLabelBits(slice, length, limit, key, at);
  }
  if (!slice.loadBit()) return loadLabelBits(slice, slice.loadUint(lengthBits(limit)), limit, key, at);
  const value = slice.loadBit();
  const length = slice.loadUint(lengthBits(limit));
  checkLength(length, limit);
  fillBits(key, at, length, value ? 255 : 0);
  return length;
}

function loadLabelBits(slice: Slice, length: number, limit: number, key: KeyBits, at: number): number {
  checkLength(length, limit);
  if (length > 0) slice.loadBitsInto(length, key, at);
  return length;
}

function checkLength(length: number, limit: number): void {
  if (length > limit) throw new CellError("cell/dictionary", `an edge of ${length} bits where ${limit} are left`);
}

/**
 * Orders keys of the same length. By hand: nearly all differ in the first bytes, and a call of the platform takes
 * longer.
 */
export function compareKeys(a: KeyBits, b: KeyBits): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return 0;
}

export function setBit(key: KeyBits, at: number, value: boolean): void {
  const mask = 0x80 >> (at & 7);
  const index = at >>> 3;
  key[index] = value ? (key[index] as number) | mask : (key[index] as number) & ~mask;
}

export function getBit(key: KeyBits, at: number): boolean {
  return ((key[at >>> 3] as number) & (0x80 >> (at & 7))) !== 0;
}

/** Writes bits `from … from + length` of a key as a label, in the form that the node chooses. */
export function storeLabel(builder: Builder, key: KeyBits, from: number, length: number, limit: number): void {
  const size = lengthBits(limit);
  if (length > 1 && size < 2 * length - 1 && allSame(key, from, length)) {
    builder.storeUint(getBit(key, from) ? 7 : 6, 3).storeUint(length, size);
    return;
  }
  if (size < length) {
    builder.storeUint(2, 2).storeUint(length, size);
  } else {
    // The length in unary between two zeros; it is below the few bits of a length field.
    builder.storeUint((1 << (length + 1)) - 2, length + 2);
  }
  builder.storeBits(key, length, from);
}

function allSame(key: KeyBits, from: number, length: number): boolean {
  const first = getBit(key, from);
  for (let i = 1; i < length; i++) if (getBit(key, from + i) !== first) return false;
  return true;
}
