import fc from "fast-check";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { makeAddress } from "../../../src/model/Address.ts";

/** Random values of basic types. */
export const anyUint = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
export const anyBig = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
export const anySignedBig = (bits: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n });
export const anyCoins = anyBig(120);
export const anyUint8 = anyUint(8);
export const anyUint16 = anyUint(16);
export const anyUint32 = anyUint(32);
export const anyInt32 = fc.integer();
export const anyUint64 = anyBig(64);

export const anyBytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
export const anyHash: fc.Arbitrary<Hash> = anyBytes(32).map((bytes) => Buffer.from(bytes).toString("hex") as Hash);
export const anyAddress = fc.tuple(fc.integer({ min: -128, max: 127 }), anyHash).map(([wc, id]) => makeAddress(wc, id));

/** Trees of up to four levels. */
export const anyCell: fc.Arbitrary<Cell> = fc.letrec<{ cell: Cell }>((tie) => ({
  cell: fc
    .tuple(
      fc.uint8Array({ maxLength: 127 }),
      fc.nat({ max: 7 }),
      fc.oneof({ maxDepth: 3 }, fc.constant<Cell[]>([]), fc.array(tie("cell"), { maxLength: 3 })),
    )
    .map(([bytes, less, refs]) => {
      const builder = beginCell().storeBits(bytes, Math.max(0, bytes.length * 8 - less));
      for (const ref of refs) builder.storeRef(ref);
      return builder.cell();
    }),
})).cell;

/** Sometimes `undefined`. */
export const orAbsent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

let samples = 0;

/** A value, at each call another one. */
export function sampleOf<T>(values: fc.Arbitrary<T>): T {
  for (const value of fc.sample(values, { numRuns: 1, seed: ++samples })) return value;
  throw new Error("no sample");
}
