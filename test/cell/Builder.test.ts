import { beginCell as beginCore } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBits, bytesOf, cellOf, textOf } from "../../kit/cell/anyCell.ts";
import { type Builder, beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const bitsIn = (cell: Cell): string => textOf(sliceOf(cell).loadBits(cell.bitLength)).slice(0, cell.bitLength);

describe("a builder", () => {
  it("makes the same cells as @ton/core", () => {
    const anyCoins = fc.bigInt({ min: 0n, max: 2n ** 120n - 1n });
    // Only odd values: for -2^(8n - 1) `@ton/core` uses one byte more than the shortest form, which nodes write.
    const anyVarInt = fc.bigInt({ min: -(2n ** 119n), max: 2n ** 119n - 1n }).map((value) => value | 1n);
    const fields = fc.tuple(fc.boolean(), fc.maxSafeNat(), fc.integer(), anyCoins, anyVarInt, anyBits(200));
    fc.assert(
      fc.property(fields, ([bit, uint, int, coins, varInt, bits]) => {
        const ours = beginCell().storeBit(bit).storeUint(uint, 53).storeInt(int, 33).storeCoins(coins);
        ours.storeVarInt(varInt, 16).storeBits(bytesOf(bits), bits.length).storeMaybeRef(emptyCell);
        const theirs = beginCore().storeBit(bit).storeUint(uint, 53).storeInt(int, 33).storeCoins(coins);
        theirs.storeVarInt(varInt, 4);
        for (const one of bits) theirs.storeBit(one === "1");
        theirs.storeMaybeRef(beginCore().endCell());
        expect(ours.cell().hash()).toBe(theirs.endCell().hash().toString("hex"));
      }),
      { numRuns: 500 },
    );
  });

  it("leaves its finished cells as they are, whatever it and other builders write afterwards", () => {
    const anyStep = fc.tuple(fc.nat(3), anyBits(90), fc.boolean());
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const builders = Array.from({ length: 4 }, () => ({ builder: beginCell(), bits: "" }));
        const made: [Cell, string][] = [];
        for (const [which, bits, isFinished] of steps) {
          const each = builders[which] as (typeof builders)[number];
          if (each.bits.length + bits.length > 1023) continue;
          each.builder.storeBits(bytesOf(bits), bits.length);
          each.bits += bits;
          if (isFinished) made.push([each.builder.cell(), each.bits]);
        }
        for (const { builder, bits } of builders) made.push([builder.cell(), bits]);
        expect(made.map(([cell]) => bitsIn(cell))).toEqual(made.map(([, bits]) => bits));
        expect(made.map(([cell]) => cell.hash())).toEqual(made.map(([, bits]) => cellOf(bits).hash()));
      }),
      { numRuns: 500 },
    );
  });

  it("stores the rest of a slice, and other builders, at any position", () => {
    const anyCut = fc.tuple(anyBits(300), fc.nat(300), anyBits(300));
    fc.assert(
      fc.property(anyCut, ([before, skip, bits]) => {
        const slice = sliceOf(cellOf(bits, [emptyCell, cellOf("1")]));
        slice.skip(Math.min(skip, bits.length)).loadRef();
        const rest = bits.slice(Math.min(skip, bits.length));
        const builder = beginCell().storeBits(bytesOf(before), before.length).storeSlice(slice);
        expect(builder.cell().hash()).toBe(cellOf(before + rest, [cellOf("1")]).hash());
        expect([slice.remainingBits, slice.remainingRefs]).toEqual([rest.length, 1]);
        const twice = beginCell().storeBit(true).storeBuilder(builder);
        expect(twice.cell().hash()).toBe(cellOf(`1${before}${rest}`, [cellOf("1")]).hash());
      }),
    );
  });

  it("can continue after a cell was made, which does not change", () => {
    const builder = beginCell().storeUint(5, 3);
    const first = builder.cell();
    builder.storeUint(5, 3).storeRef(emptyCell);
    expect(first.hash()).toBe(cellOf("101").hash());
    expect(builder.cell().hash()).toBe(cellOf("101101", [emptyCell]).hash());
  });

  const full = () => beginCell().storeBits(new Uint8Array(128), 1023);
  const fourRefs = () =>
    beginCell().storeRef(emptyCell).storeRef(emptyCell).storeRef(emptyCell).storeRef(emptyCell).storeBit(true);

  it.each<[string, () => Builder, (builder: Builder) => Builder]>([
    ["a bit too much", full, (b) => b.storeBit(true)],
    ["a byte too much", full, (b) => b.storeBytes(Uint8Array.of(1))],
    ["a fifth reference", fourRefs, (b) => b.storeRef(emptyCell)],
    ["a fifth reference that may be absent", fourRefs, (b) => b.storeMaybeRef(emptyCell)],
    ["a slice with a fifth reference", fourRefs, (b) => b.storeSlice(sliceOf(cellOf("1", [emptyCell])))],
    [
      "a builder with a fifth reference",
      fourRefs,
      (b) => b.storeBuilder(beginCell().storeBit(true).storeRef(emptyCell)),
    ],
    ["a slice that is too long", full, (b) => b.storeSlice(sliceOf(cellOf("1", [emptyCell])))],
    ["coins too much", full, (b) => b.storeCoins(0n)],
  ])("rejects %s and stays unchanged", (_what, make, store) => {
    const builder = make();
    const before = builder.cell().hash();
    expect(refusalCode(() => store(builder))).toBe("cell/overflow");
    expect(builder.cell().hash()).toBe(before);
  });

  it.each<[string, (builder: Builder) => Builder]>([
    ["hex with other characters", (b) => b.storeHex("0g")],
    ["hex with a control character", (b) => b.storeHex("0\u0011")],
    ["hex with a letter of another script", (b) => b.storeHex("0\uff10")],
    ["hex of odd length", (b) => b.storeHex("012")],
    ["coins of 16 bytes", (b) => b.storeCoins(1n << 120n)],
    ["negative coins", (b) => b.storeCoins(-1n)],
    ["a number of three bytes where two are allowed", (b) => b.storeVarUint(1n << 16n, 3)],
    ["a number with sign that needs one byte more", (b) => b.storeVarInt(1n << 119n, 16)],
    ["more bits than the bytes have", (b) => b.storeBits(new Uint8Array(2), 17)],
  ])("rejects %s", (_what, store) => {
    expect(refusalCode(() => store(beginCell()))).toBe("cell/range");
  });
});
