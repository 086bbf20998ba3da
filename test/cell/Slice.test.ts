import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBits, cellOf, textOf } from "../../kit/cell/anyCell.ts";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { makeLibrary, makeProofCell, makePruned } from "../../src/cell/exotic.ts";
import { zeroHash } from "../../src/cell/Hash.ts";
import { rawSliceOf, type Slice, sliceOf } from "../../src/cell/Slice.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** One way to read the next bits; returns them as text. */
interface Reading {
  readonly bits: number;
  readonly read: (slice: Slice) => string;
}

const padded = (value: bigint | number, bits: number): string =>
  bits === 0 ? "" : BigInt.asUintN(bits, BigInt(value)).toString(2).padStart(bits, "0");

function anyOf(max: number, read: (slice: Slice, bits: number) => string): fc.Arbitrary<Reading> {
  return fc.nat(max).map((bits) => ({ bits, read: (slice) => read(slice, bits) }));
}

const anyReading = fc.oneof(
  fc.constant<Reading>({ bits: 1, read: (slice) => (slice.loadBit() ? "1" : "0") }),
  anyOf(53, (slice, bits) => padded(slice.loadUint(bits), bits)),
  anyOf(53, (slice, bits) => padded(slice.loadInt(bits), bits)),
  anyOf(257, (slice, bits) => padded(slice.loadBigUint(bits), bits)),
  anyOf(257, (slice, bits) => padded(slice.loadBigInt(bits), bits)),
  anyOf(300, (slice, bits) => textOf(slice.loadBits(bits)).slice(0, bits)),
  anyOf(40, (slice, bits) => textOf(slice.loadBytes(bits >> 3)) + padded(slice.loadUint(bits & 7), bits & 7)),
  fc.constant<Reading>({ bits: 256, read: (slice) => textOf(Buffer.from(slice.loadHash(), "hex")) }),
  fc.constant<Reading>({ bits: 24, read: (slice) => textOf(Buffer.from(slice.loadHex(24), "hex")) }),
  anyOf(100, (slice, bits) => textOf(slice.loadPart(bits, 0).loadBits(bits)).slice(0, bits)),
);

describe("a slice", () => {
  it("returns the bits of its cell in order, however they are read, and rejects missing ones", () => {
    fc.assert(
      fc.property(anyBits(1023), fc.array(anyReading, { maxLength: 20 }), (bits, readings) => {
        const slice = sliceOf(cellOf(bits));
        let at = 0;
        for (const { bits: count, read } of readings) {
          if (at + count > bits.length) {
            expect(refusalCode(() => read(slice))).toBe("cell/underflow");
            return;
          }
          expect(read(slice)).toBe(bits.slice(at, at + count));
          at += count;
          expect(slice.position).toEqual({ bits: at, refs: 0 });
          expect(slice.remainingBits).toBe(bits.length - at);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("round-trips every variable-length number", () => {
    const anyNumber = fc.bigInt({ min: -(2n ** 247n), max: 2n ** 247n - 1n });
    fc.assert(
      fc.property(anyNumber, fc.constantFrom(3, 7, 16, 32), fc.nat(9), (value, limit, skip) => {
        const fitted = BigInt.asIntN((limit - 1) * 8, value);
        const positive = BigInt.asUintN((limit - 1) * 8, value);
        const builder = beginCell().storeUint(0, skip).storeVarInt(fitted, limit).storeVarUint(positive, limit);
        const slice = sliceOf(builder.cell()).skip(skip);
        expect([slice.loadVarInt(limit), slice.loadVarUint(limit), slice.isEmpty]).toEqual([fitted, positive, true]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [3, 3],
    [7, 7],
  ])("rejects an invalid length of VarUInteger %i", (limit, length) => {
    const bits = padded(length, 32 - Math.clz32(limit - 1)) + "0".repeat(64);
    expect(refusalCode(() => sliceOf(cellOf(bits)).loadVarUint(limit))).toBe("cell/range");
    expect(refusalCode(() => sliceOf(cellOf(bits)).loadVarInt(limit))).toBe("cell/range");
    expect(refusalCode(() => sliceOf(cellOf(bits)).loadSmallVarUint(limit))).toBe("cell/range");
  });

  it("does not move when it looks ahead", () => {
    const slice = sliceOf(cellOf("1011", [emptyCell]));
    expect([slice.preloadUint(3), slice.preloadUint(3), slice.preloadRef(), slice.position]).toEqual([
      5,
      5,
      emptyCell,
      { bits: 0, refs: 0 },
    ]);
  });

  it("returns references in order and rejects missing ones", () => {
    const refs = [cellOf("0"), cellOf("1")];
    const slice = sliceOf(cellOf("10", refs));
    expect([slice.loadMaybeRef(), slice.loadMaybeRef(), slice.preloadRef(0)]).toEqual([refs[0], undefined, refs[1]]);
    expect(refusalCode(() => slice.preloadRef(1))).toBe("cell/underflow");
    expect(refusalCode(() => slice.preloadRef(-1))).toBe("cell/underflow");
    expect(refusalCode(() => slice.skipRefs(2))).toBe("cell/underflow");
    expect(slice.loadRef()).toBe(refs[1]);
    expect(refusalCode(() => slice.loadRef())).toBe("cell/underflow");
  });

  it("moves independently of its clone", () => {
    const slice = sliceOf(cellOf("10110", [emptyCell]));
    slice.skip(2);
    const clone = slice.clone();
    slice.skip(3).skipRefs(1);
    expect([clone.loadUint(3), clone.remainingRefs, slice.isEmpty]).toEqual([0b110, 1, true]);
  });

  it("cut out of another one ends where it was cut", () => {
    const slice = sliceOf(cellOf("10110", [cellOf("0"), cellOf("1")]));
    slice.skip(1);
    const part = slice.loadPart(2, 1);
    expect([part.remainingBits, part.remainingRefs, slice.remainingBits, slice.remainingRefs]).toEqual([2, 1, 2, 1]);
    expect(refusalCode(() => part.clone().loadUint(3))).toBe("cell/underflow");
    expect(refusalCode(() => part.clone().skipRefs(2))).toBe("cell/underflow");
    expect(part.loadRest().hash()).toBe(cellOf("01", [cellOf("0")]).hash());
  });

  it("returns its rest as a cell: the same one only when nothing is missing", () => {
    const cell = cellOf("10110", [emptyCell]);
    const taken = sliceOf(cell).skip(1);
    expect(sliceOf(cell).loadRest()).toBe(cell);
    expect(sliceOf(cell).loadPart(5, 0).loadRest().hash()).toBe(cellOf("10110").hash());
    expect(sliceOf(cell).loadPart(0, 0).loadRest().hash()).toBe(emptyCell.hash());
    expect(taken.loadRest().hash()).toBe(cellOf("0110", [emptyCell]).hash());
    expect(taken.isEmpty).toBe(true);
  });

  it("counts common bits with another one", () => {
    const [a, b] = [sliceOf(cellOf("0110111")), sliceOf(cellOf("110101"))];
    a.skip(1);
    expect([a.commonBits(b, 100), a.commonBits(b, 2)]).toEqual([4, 2]);
  });

  it("rejects bits and references left over at its end", () => {
    expect(refusalCode(() => sliceOf(cellOf("1")).end())).toBe("cell/leftover");
    expect(refusalCode(() => sliceOf(cellOf("", [emptyCell])).end())).toBe("cell/leftover");
    sliceOf(emptyCell).end();
  });

  it("rejects more bits than a number holds", () => {
    const slice = sliceOf(cellOf("0".repeat(100)));
    expect(refusalCode(() => slice.loadUint(54))).toBe("cell/range");
    expect(refusalCode(() => slice.loadInt(54))).toBe("cell/range");
    expect(refusalCode(() => slice.skip(-1))).toBe("cell/underflow");
  });
});

describe("opening a cell", () => {
  const tree = cellOf("1", [cellOf("0")]);

  it("is rejected for pruned cells, with the missing hash", () => {
    const pruned = makePruned(tree, 1);
    expect(() => sliceOf(pruned)).toThrow(
      expect.objectContaining({ code: "cell/pruned", data: { hash: tree.hash() } }),
    );
  });

  it("is rejected for other exotic cells, whose raw bits are readable", () => {
    for (const cell of [makeLibrary(zeroHash), makeProofCell(tree)]) {
      expect(refusalCode(() => sliceOf(cell))).toBe("cell/exotic");
      expect(rawSliceOf(cell).loadUint(8)).toBe(cell.kind);
    }
  });
});
