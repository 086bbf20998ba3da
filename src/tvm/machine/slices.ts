import {
  commonPrefix,
  compareBits,
  copyBits,
  readBigInt,
  readBigUint,
  readInt,
  readUint,
} from "../../cell/BitReader.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { CellBuilder } from "./CellBuilder.ts";
import { CellSlice } from "./CellSlice.ts";
import { Exception, fail } from "./exceptions.ts";
import { fromBig } from "./integers.ts";
import type { Integer } from "./StackValue.ts";

/** Reading slices. Unless said otherwise the caller has checked that the bits are there. */

export function sliceUint(slice: CellSlice, bits: number, skip = 0): Integer {
  const at = slice.at + skip;
  return bits <= 53 ? readUint(slice.cell.bytes, at, bits) : fromBig(readBigUint(slice.cell.bytes, at, bits));
}

export function sliceInt(slice: CellSlice, bits: number, skip = 0): Integer {
  const at = slice.at + skip;
  return bits <= 53 ? readInt(slice.cell.bytes, at, bits) : fromBig(readBigInt(slice.cell.bytes, at, bits));
}

/** A number of at most 53 bits; fewer bits than that are an underflow. */
export function smallUint(slice: CellSlice, bits: number, skip = 0): number {
  if (skip + bits > slice.bits) fail(Exception.cellUnderflow);
  return readUint(slice.cell.bytes, slice.at + skip, bits);
}

export function sliceBytes(slice: CellSlice, length: number): Uint8Array {
  if (length * 8 > slice.bits) fail(Exception.cellUnderflow);
  const bytes = new Uint8Array(length);
  copyBits(slice.cell.bytes, slice.at, bytes, 0, length * 8);
  return bytes;
}

/** All bits of a slice as bytes; a rest of less than a byte is an underflow. */
export function wholeBytes(slice: CellSlice): Uint8Array {
  if ((slice.bits & 7) !== 0) fail(Exception.cellUnderflow);
  return sliceBytes(slice, slice.bits >>> 3);
}

export function sliceRefs(slice: CellSlice): readonly Cell[] {
  const refs: Cell[] = [];
  for (let i = slice.ref; i < slice.refEnd; i++) refs.push(slice.cell.ref(i));
  return refs;
}

export function sliceDepth(refs: readonly Cell[]): number {
  let depth = 0;
  for (const ref of refs) depth = Math.max(depth, ref.depth() + 1);
  return depth;
}

export function bitAt(bytes: Uint8Array, at: number): 0 | 1 {
  return (((bytes[at >>> 3] as number) >> (7 - (at & 7))) & 1) as 0 | 1;
}

/** How many bits at the beginning have this value. */
export function countLeading({ cell: { bytes }, at, end }: CellSlice, bit: 0 | 1): number {
  let here = at;
  while (here < end && bitAt(bytes, here) === bit) here++;
  return here - at;
}

export function countTrailing({ cell: { bytes }, at, end }: CellSlice, bit: 0 | 1): number {
  let here = end;
  while (here > at && bitAt(bytes, here - 1) === bit) here--;
  return end - here;
}

/** Without the completion mark: zeros at the end, and the one before them. */
export function withoutMark(slice: CellSlice): CellSlice {
  const zeros = countTrailing(slice, 0);
  const end = slice.end - (zeros === slice.bits ? zeros : zeros + 1);
  return new CellSlice(slice.cell, slice.at, end, slice.ref, slice.refEnd);
}

/** Order of the bits: the first difference decides, then the length. */
export function compareSlices(a: CellSlice, b: CellSlice): number {
  return compareBits(a.cell.bytes, a.at, a.bits, b.cell.bytes, b.at, b.bits);
}

export function isPrefix(a: CellSlice, b: CellSlice): boolean {
  return a.bits <= b.bits && commonPrefix(a.cell.bytes, a.at, b.cell.bytes, b.at, a.bits) === a.bits;
}

export function isSuffix(a: CellSlice, b: CellSlice): boolean {
  return a.bits <= b.bits && commonPrefix(a.cell.bytes, a.at, b.cell.bytes, b.end - a.bits, a.bits) === a.bits;
}

export function canTake(builder: CellBuilder, bits: number, refs: number): boolean {
  return bits <= builder.freeBits && refs + builder.refs.length <= 4;
}

/** The same builder, which must have room. */
export function checkRoom(builder: CellBuilder, bits: number, refs: number): CellBuilder {
  return canTake(builder, bits, refs) ? builder : fail(Exception.cellOverflow);
}

export function appendSlice(builder: CellBuilder, slice: CellSlice): CellBuilder {
  const { bits, refs } = slice;
  const withBits = checkRoom(builder, bits, refs).withBits(slice.cell.bytes, slice.at, bits);
  return refs === 0 ? withBits : withBits.withRefs(sliceRefs(slice));
}

export function appendBuilder(builder: CellBuilder, { bits, refs, bytes }: CellBuilder): CellBuilder {
  return checkRoom(builder, bits, refs.length).withBits(bytes, 0, bits).withRefs(refs);
}

/** The number must fit. */
export function appendInteger(builder: CellBuilder, x: Integer, bits: number): CellBuilder {
  return typeof x === "bigint" ? builder.withBigInt(x, bits) : builder.withInt(x, bits);
}

const hexDigits = "0123456789ABCDEF";

/** Bits as hex digits, a rest of less than four bits completed and marked with `_`. */
export function showBits(slice: CellSlice): string {
  let text = "";
  for (let skip = 0; skip + 4 <= slice.bits; skip += 4) text += hexDigits[sliceUint(slice, 4, skip) as number];
  const rest = slice.bits & 3;
  if (rest === 0) return text;
  const value = ((sliceUint(slice, rest, slice.bits - rest) as number) << (4 - rest)) | (8 >> rest);
  return `${text}${hexDigits[value]}_`;
}
