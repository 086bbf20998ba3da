import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../kit/cell/anyCell.ts";
import {
  commonPrefix,
  compareBits,
  copyBits,
  putBits,
  readBigInt,
  readBigUint,
  readHex,
  readInt,
  readUint,
} from "../../src/cell/BitReader.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 160 });

/** Bytes with a range of at most `maxBits` bits. */
function anyRun(maxBits: number) {
  return anyBytes.chain((bytes) =>
    fc.nat(bytes.length * 8).chain((at) =>
      fc.record({
        bytes: fc.constant(bytes),
        at: fc.constant(at),
        bits: fc.nat(Math.min(maxBits, bytes.length * 8 - at)),
      }),
    ),
  );
}

/** The bits of a range as a number, computed through text. */
function modelOf(bytes: Uint8Array, at: number, bits: number): bigint {
  return BigInt(`0b0${textOf(bytes).slice(at, at + bits)}`);
}

describe("numbers", () => {
  it("of up to 53 bits are read at any position", () => {
    fc.assert(
      fc.property(anyRun(53), ({ bytes, at, bits }) => {
        const model = modelOf(bytes, at, bits);
        expect(readUint(bytes, at, bits)).toBe(Number(model));
        expect(readInt(bytes, at, bits)).toBe(Number(BigInt.asIntN(bits, model)));
      }),
      { numRuns: 3000 },
    );
  });

  it("of any width are read at any position", () => {
    fc.assert(
      fc.property(anyRun(1023), ({ bytes, at, bits }) => {
        const model = modelOf(bytes, at, bits);
        expect(readBigUint(bytes, at, bits)).toBe(model);
        expect(readBigInt(bytes, at, bits)).toBe(BigInt.asIntN(bits, model));
      }),
      { numRuns: 3000 },
    );
  });

  it("are read at their limits", () => {
    const ones = new Uint8Array(17).fill(0xff);
    for (let skip = 0; skip < 8; skip++) {
      for (const bits of [1, 7, 8, 9, 24, 25, 31, 32, 33, 52, 53]) {
        expect(readUint(ones, skip, bits)).toBe(2 ** bits - 1);
        expect(readInt(ones, skip, bits)).toBe(-1);
      }
      for (const bits of [53, 54, 63, 64, 65, 127]) {
        expect(readBigUint(ones, skip, bits)).toBe(2n ** BigInt(bits) - 1n);
        expect(readBigInt(ones, skip, bits)).toBe(-1n);
      }
    }
  });
});

describe("hex", () => {
  it("contains whole bytes at any position", () => {
    fc.assert(
      fc.property(anyRun(1280), ({ bytes, at, bits }) => {
        const whole = bits & ~7;
        const model = Buffer.from(bytesOf(textOf(bytes).slice(at, at + whole))).toString("hex");
        expect(readHex(bytes, at, whole)).toBe(model);
        expect(readHex(Buffer.from(bytes), at, whole)).toBe(model);
      }),
    );
  });

  it("is rejected for a partial byte", () => {
    expect(refusalCode(() => readHex(new Uint8Array(4), 0, 12))).toBe("cell/range");
  });
});

describe("copied bits", () => {
  it("replace those of the target and leave the others", () => {
    fc.assert(
      fc.property(anyRun(1280), fc.nat(20), fc.nat(20), ({ bytes, at, bits }, to, behind) => {
        const target = new Uint8Array((to + bits + behind + 7) >> 3).fill(0xa5);
        const before = textOf(target);
        copyBits(bytes, at, target, to, bits);
        const expected = before.slice(0, to) + textOf(bytes).slice(at, at + bits) + before.slice(to + bits);
        expect(textOf(target)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("fit inside one byte", () => {
    const target = Uint8Array.of(0xff, 0xff);
    putBits(target, 10, 3, 0b010);
    expect(textOf(target)).toBe("1111111111010111");
  });
});

describe("ranges", () => {
  it("are compared by their first different bit, then by length", () => {
    fc.assert(
      fc.property(anyRun(100), anyRun(100), (a, b) => {
        const [x, y] = [a, b].map(({ bytes, at, bits }) => textOf(bytes).slice(at, at + bits)) as [string, string];
        const order = x === y ? 0 : x < y ? -1 : 1;
        expect(Math.sign(compareBits(a.bytes, a.at, a.bits, b.bytes, b.at, b.bits))).toBe(order);
      }),
    );
  });

  it("share bits up to the first difference", () => {
    fc.assert(
      fc.property(anyRun(600), fc.nat(7), fc.nat(), ({ bytes, at, bits }, shift, flip) => {
        const other = new Uint8Array(bytes.length + 2);
        copyBits(bytes, at, other, shift, bits);
        expect(commonPrefix(bytes, at, other, shift, bits)).toBe(bits);
        if (bits === 0) return;
        const place = shift + (flip % bits);
        putBits(other, place, 1, 1 - readUint(other, place, 1));
        expect(commonPrefix(bytes, at, other, shift, bits)).toBe(place - shift);
      }),
      { numRuns: 2000 },
    );
  });
});
