import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBits, bytesOf, textOf } from "../../kit/cell/anyCell.ts";
import { BitWriter } from "../../src/cell/BitWriter.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

interface Step {
  readonly bits: string;
  readonly write: (writer: BitWriter) => void;
}

const numberOf = (bits: string): bigint => BigInt(`0b0${bits}`);
const signedOf = (bits: string): bigint => BigInt.asIntN(bits.length, numberOf(bits));

/** A step that writes bits with one of the methods. */
function anyOf(maxBits: number, write: (writer: BitWriter, bits: string) => void): fc.Arbitrary<Step> {
  return anyBits(maxBits).map((bits) => ({ bits, write: (writer) => write(writer, bits) }));
}

const anyStep = fc.oneof(
  anyOf(53, (writer, bits) => writer.uint(Number(numberOf(bits)), bits.length)),
  anyOf(53, (writer, bits) => writer.int(Number(signedOf(bits)), bits.length)),
  anyOf(257, (writer, bits) => writer.bigUint(numberOf(bits), bits.length)),
  anyOf(257, (writer, bits) => writer.bigInt(signedOf(bits), bits.length)),
  anyOf(300, (writer, bits) => writer.copy(bytesOf(bits), 0, bits.length)),
  anyOf(300, (writer, bits) => writer.copy(bytesOf(`10110${bits}`), 5, bits.length)),
);

describe("a writer", () => {
  it("contains the written bits in order, padded with zeros to a whole byte", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        const writer = new BitWriter(20_000, 8);
        for (const step of steps) step.write(writer);
        const bits = steps.map((step) => step.bits).join("");
        expect(writer.length).toBe(bits.length);
        expect(textOf(writer.finish())).toBe(textOf(bytesOf(bits)));
      }),
      { numRuns: repeats({ usual: 300, all: 1500 }) },
    );
  });

  it("rejects bits beyond its limit, and stays unchanged", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), fc.nat(400), (steps, limit) => {
        const writer = new BitWriter(limit);
        let bits = "";
        for (const step of steps) {
          if (bits.length + step.bits.length > limit) {
            expect(refusalCode(() => step.write(writer))).toBe("cell/overflow");
          } else {
            step.write(writer);
            bits += step.bits;
          }
          expect([writer.length, textOf(writer.finish())]).toEqual([bits.length, textOf(bytesOf(bits))]);
        }
      }),
      { numRuns: repeats({ usual: 200, all: 1000 }) },
    );
  });

  it.each<[string, (writer: BitWriter) => void]>([
    ["a number without sign that is negative", (w) => w.uint(-1, 8)],
    ["a number without sign that is too large", (w) => w.uint(256, 8)],
    ["a number with a fraction", (w) => w.uint(0.5, 8)],
    ["a number that is none", (w) => w.uint(Number.NaN, 8)],
    ["more bits than a number has", (w) => w.uint(1, 54)],
    ["a number with sign that is too large", (w) => w.int(128, 8)],
    ["a number with sign that is too small", (w) => w.int(-129, 8)],
    ["more bits than a number with sign has", (w) => w.int(1, 54)],
    ["a bigint without sign that is negative", (w) => w.bigUint(-1n, 100)],
    ["a bigint without sign that is too large", (w) => w.bigUint(1n << 100n, 100)],
    ["a bigint with sign that is too large", (w) => w.bigInt(1n << 99n, 100)],
    ["a bigint with sign that is too small", (w) => w.bigInt(-(1n << 99n) - 1n, 100)],
    ["a negative number of bits", (w) => w.bigUint(0n, -1)],
    ["more bits than the source has", (w) => w.copy(new Uint8Array(2), 3, 14)],
  ])("rejects %s", (_what, write) => {
    const writer = new BitWriter(1023);
    expect(refusalCode(() => write(writer))).toBe("cell/range");
    expect(writer.length).toBe(0);
  });

  it("accepts numbers at their limits", () => {
    const writer = new BitWriter(1023);
    writer.uint(2 ** 53 - 1, 53);
    writer.int(-(2 ** 52), 53);
    writer.int(2 ** 52 - 1, 53);
    writer.bigInt(-(1n << 256n), 257);
    const expected = `${"1".repeat(53)}1${"0".repeat(52)}0${"1".repeat(52)}1${"0".repeat(256)}`;
    expect(textOf(writer.finish()).slice(0, writer.length)).toBe(expected);
  });
});
