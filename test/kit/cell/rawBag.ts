import { crc32c } from "../../../src/lib/crc.ts";

/** A cell of a bag as bytes, not validated. */
export interface RawCell {
  readonly d1: number;
  readonly d2: number;
  /** Stored hashes and depths, then the data, in hex. */
  readonly data?: string;
  readonly refs?: readonly number[];
}

/** All fields of a bag; a missing field gets its correct value. */
export interface RawBag {
  readonly cells: readonly RawCell[];
  readonly magic?: number;
  /** Header bits above the size of a reference. */
  readonly flags?: number;
  readonly refSize?: number;
  readonly offsetSize?: number;
  readonly cellCount?: number;
  readonly rootCount?: number;
  readonly absent?: number;
  readonly dataSize?: number;
  readonly roots?: readonly number[];
  readonly index?: readonly number[];
  readonly crc?: number;
  /** Trailing bytes, in hex. */
  readonly behind?: string;
}

export const genericMagic = 0xb5ee9c72;
export const indexedMagic = 0x68ff65f3;
export const indexedCrcMagic = 0xacc3a728;

export const leaf: RawCell = { d1: 0, d2: 0 };

/** Writes a bag without validation. */
export function rawBag(bag: RawBag): Buffer {
  const { cells, magic = genericMagic, flags = 0, refSize = 1, offsetSize = 2 } = bag;
  const isOld = magic !== genericMagic;
  const bodies = cells.map((cell) => cellBytes(cell, refSize));
  const ends = bodies.map((_, i) => Buffer.concat(bodies.slice(0, i + 1)).length);
  const roots = bag.roots ?? [0];
  const counts = [bag.cellCount ?? cells.length, bag.rootCount ?? roots.length, bag.absent ?? 0];
  const head = Buffer.concat([
    uint(magic, 4),
    uint(isOld ? refSize : flags | refSize, 1),
    uint(offsetSize, 1),
    ...counts.map((count) => uint(count, refSize)),
    uint(bag.dataSize ?? ends.at(-1) ?? 0, offsetSize),
    ...(isOld ? [] : roots.map((root) => uint(root, refSize))),
  ]);
  const hasIndex = isOld || (flags & 0x80) !== 0;
  const index = hasIndex ? (bag.index ?? ends).map((end) => uint(end, offsetSize)) : [];
  const body = Buffer.concat([head, ...index, ...bodies]);
  const hasCrc = magic === indexedCrcMagic || (!isOld && (flags & 0x40) !== 0);
  const crc = Buffer.alloc(hasCrc ? 4 : 0);
  if (hasCrc) crc.writeUInt32LE(bag.crc ?? crc32c(body));
  return Buffer.concat([body, crc, Buffer.from(bag.behind ?? "", "hex")]);
}

function cellBytes({ d1, d2, data = "", refs = [] }: RawCell, refSize: number): Buffer {
  return Buffer.concat([Uint8Array.of(d1, d2), Buffer.from(data, "hex"), ...refs.map((ref) => uint(ref, refSize))]);
}

function uint(value: number, size: number): Buffer {
  return Buffer.from(
    BigInt.asUintN(size * 8, BigInt(value))
      .toString(16)
      .padStart(size * 2, "0"),
    "hex",
  );
}
