import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "../../kit/cell/anyCell.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { bigUintKey, hashKey, hexKey, intKey, type KeyCodec, uintKey } from "../../src/cell/keys.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

function roundTrips<K>(key: KeyCodec<K>, values: fc.Arbitrary<K>): void {
  fc.assert(
    fc.property(values, (value) => {
      const bits = key.encode(value);
      expect(bits.length).toBe((key.bits + 7) >> 3);
      expect(textOf(bits).slice(key.bits)).toBe("0".repeat(bits.length * 8 - key.bits));
      expect(key.decode(bits)).toEqual(value);
    }),
  );
}

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => Buffer.from(value).toString("hex"));

describe("keys", () => {
  it("round-trip", () => {
    roundTrips(uintKey(16), fc.nat(2 ** 16 - 1));
    roundTrips(uintKey(53), fc.maxSafeNat());
    roundTrips(intKey(32), fc.integer());
    roundTrips(intKey(7), fc.integer({ min: -64, max: 63 }));
    roundTrips(bigUintKey(267), fc.bigInt({ min: 0n, max: 2n ** 267n - 1n }));
    roundTrips(bigUintKey(60), fc.bigInt({ min: 0n, max: 2n ** 60n - 1n }));
    roundTrips(bigUintKey(9), fc.bigInt({ min: 0n, max: 511n }));
    roundTrips(hexKey(352), hex(44));
    roundTrips(
      hashKey,
      hex(32).map((text) => text as Hash),
    );
  });

  it("with sign are ordered by their bits, negative ones last", () => {
    const bits = [0, 1, 127, -128, -1].map((value) => textOf(intKey(8).encode(value)));
    expect(bits).toEqual(bits.toSorted());
  });

  it.each<[string, () => unknown]>([
    ["a number that is too large", () => uintKey(8).encode(256)],
    ["a negative number without sign", () => uintKey(8).encode(-1)],
    ["a number with sign that is too large", () => intKey(8).encode(128)],
    ["a bigint that is too large", () => bigUintKey(8).encode(256n)],
  ])("reject %s", (_what, encode) => {
    expect(refusalCode(encode)).toBe("cell/range");
  });

  it.each<[string, string]>([
    ["too short", "ab"],
    ["too long", "ab".repeat(33)],
    ["not hex", "zz".repeat(32)],
    ["half a byte longer", `${"ab".repeat(32)}a`],
  ])("of hex reject text that is %s", (_what, text) => {
    expect(refusalCode(() => hashKey.encode(text as Hash))).toBe("cell/dictionary-key");
    expect(refusalCode(() => hexKey(256).encode(text))).toBe("cell/dictionary-key");
  });
});
