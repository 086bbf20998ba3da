import { bls12_381 } from "@noble/curves/bls12-381.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { blsG1, blsG2, curve1, curve2 } from "../../../src/tvm/crypto/blsGroups.ts";
import { type BlsCurve, decodePoint, encodePoint, multiplyPoint } from "../../../src/tvm/crypto/blsPoints.ts";
import {
  aggregateBls,
  isPairingOne,
  verifyAggregate,
  verifyBls,
  verifyFastAggregate,
} from "../../../src/tvm/crypto/blsSignatures.ts";
import { findHash, type HashName } from "../../../src/tvm/crypto/hashes.ts";
import { blsOrder, ristrettoOrder } from "../../../src/tvm/crypto/numbers.ts";
import {
  isRistrettoElement,
  ristrettoAdd,
  ristrettoFromHash,
  ristrettoMultiply,
  ristrettoMultiplyBase,
  ristrettoSubtract,
} from "../../../src/tvm/crypto/ristretto255.ts";

const few = { numRuns: 8 };

function hashBytes(name: HashName, parts: readonly Uint8Array[]): Uint8Array {
  const hash = findHash(name);
  for (const part of parts) hash?.update(part);
  return Uint8Array.from(hash?.digest() ?? []);
}

const scalar = fc.bigInt(1n, blsOrder - 1n);
const number = fc.bigInt(-(1n << 256n), (1n << 256n) - 1n);
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("hashes", () => {
  test("equal another implementation, in one part or many", () => {
    const others: [HashName, (data: Uint8Array) => Uint8Array][] = [
      ["sha256", sha256],
      ["sha512", sha512],
      ["blake2b", (data) => blake2b(data)],
    ];
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (parts) => {
        for (const [name, other] of others)
          expect(toHex(hashBytes(name, parts))).toBe(toHex(other(Buffer.concat(parts))));
        for (const name of ["keccak256", "keccak512"] as const)
          expect(hashBytes(name, parts)).toEqual(hashBytes(name, [Buffer.concat(parts)]));
      }),
    );
  });

  test("Keccak has the padding from before the standard", () => {
    expect(toHex(hashBytes("keccak256", []))).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    expect(toHex(hashBytes("keccak512", [utf8("a"), utf8("bc")]))).toBe(
      "18587dc2ea106b9a1563e32b3312421ca164c7f1f07bc922a9c83d77cea3a1e5d0c69910739025372dc14ac9642629379540c17e2a65b19d77aa511a9d00bb96",
    );
  });
});

describe("ristretto255", () => {
  test("multiplies the generator like RFC 9496", () => {
    expect(toHex(ristrettoMultiplyBase(0n))).toBe("00".repeat(32));
    expect(toHex(ristrettoMultiplyBase(1n))).toBe("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76");
    expect(toHex(ristrettoMultiplyBase(-1n))).toBe(toHex(ristrettoMultiplyBase(ristrettoOrder - 1n)));
  });

  test("rejects the invalid encodings of RFC 9496", () => {
    const bad = [
      "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    ].map(fromHex);
    const good = ristrettoMultiplyBase(5n);
    for (const bytes of bad) {
      expect(isRistrettoElement(bytes)).toBe(false);
      expect(ristrettoAdd(bytes, good)).toBeUndefined();
      expect(ristrettoSubtract(good, bytes)).toBeUndefined();
      expect(ristrettoMultiply(bytes, 0n)).toBeUndefined();
    }
  });

  test("is a group", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), number, number, (seed, a, b) => {
        const element = ristrettoFromHash(seed);
        const [times, other] = [ristrettoMultiply(element, a), ristrettoMultiply(element, b)];
        if (times === undefined || other === undefined) throw new Error("a hash gave no element");
        expect(ristrettoAdd(times, other)).toEqual(ristrettoMultiply(element, a + b));
        expect(ristrettoSubtract(times, other)).toEqual(ristrettoMultiply(element, a - b));
      }),
      few,
    );
  });
});

describe("BLS12-381 points", () => {
  /** A point on the curve that is almost certainly outside the subgroup. */
  function outside<T>(curve: BlsCurve<T>, start: number): Uint8Array {
    for (let byte = start; ; byte++) {
      const bytes = new Uint8Array(curve.length).fill(byte, 1).fill(0x80, 0, 1);
      const point = decodePoint(curve, bytes);
      if (point !== undefined && !point.isTorsionFree()) return bytes;
    }
  }

  function checkCurve<T>(curve: BlsCurve<T>): void {
    for (const start of [1, 60, 120]) {
      const bytes = outside(curve, start);
      const point = decodePoint(curve, bytes);
      if (point === undefined) throw new Error("no point");
      expect(encodePoint(curve, point)).toEqual(bytes);
      // In the subgroup the endomorphism multiplies by its eigenvalue; outside, both methods agree only on small
      // numbers.
      const inside = point.clearCofactor();
      for (const n of [1n, 77n, blsOrder - 1n, blsOrder / 3n]) {
        let sum = curve.zero;
        for (const [digit, image] of curve.split(inside, n)) sum = sum.add(image.multiplyUnsafe(digit));
        expect(sum.equals(inside.multiplyUnsafe(n))).toBe(true);
      }
      expect(multiplyPoint(curve, point, 77n).equals(point.multiplyUnsafe(77n))).toBe(true);
      expect(multiplyPoint(curve, point, blsOrder / 3n).equals(point.multiplyUnsafe(blsOrder / 3n))).toBe(false);
    }
  }

  test("outside the subgroup multiply like the reference", () => {
    checkCurve(curve1());
    checkCurve(curve2());
  });

  test("must be in the subgroup only as second summand", () => {
    for (const [group, curve] of [
      [blsG1, outside(curve1(), 1)],
      [blsG2, outside(curve2(), 1)],
    ] as const) {
      expect(group.isInGroup(curve)).toBe(false);
      expect(group.add(curve, group.zero())).toEqual(curve);
      expect(group.add(group.zero(), curve)).toBeUndefined();
      expect(group.subtract(group.zero(), curve)).toEqual(group.negate(curve));
      expect(group.subtract(curve, group.zero())).toBeUndefined();
    }
  });

  test("have one encoding", () => {
    const { G1 } = bls12_381;
    const good = G1.Point.BASE.toBytes(true);
    const mutated = (change: (bytes: Uint8Array) => void) => {
      const bytes = Uint8Array.from(good);
      change(bytes);
      return blsG1.negate(bytes);
    };
    expect(mutated(() => {})).toEqual(G1.Point.BASE.negate().toBytes(true));
    expect(mutated((b) => b.set([(b[0] ?? 0) & 0x7f]))).toBeUndefined();
    expect(mutated((b) => b.set([(b[0] ?? 0) | 0x40]))).toBeUndefined();
    expect(mutated((b) => b.fill(255, 1).set([0x9f]))).toBeUndefined();
    expect(mutated((b) => b.fill(0, 1).set([0x80]))).toBeUndefined();
    expect(mutated((b) => b.fill(0, 1).set([0xe0]))).toBeUndefined();
    expect(mutated((b) => b.fill(0, 1).set([0xc0]))).toEqual(blsG1.zero());
  });

  test("are a group", () => {
    fc.assert(
      fc.property(number, number, fc.uint8Array({ minLength: 96, maxLength: 96 }), (a, b, seed) => {
        for (const group of [blsG1, blsG2]) {
          const point = group.map(group === blsG1 ? seed.subarray(0, 48) : seed);
          expect(group.isInGroup(point)).toBe(true);
          const [times, other] = [group.multiply(point, a), group.multiply(point, b)];
          if (times === undefined || other === undefined) throw new Error("a mapped point was refused");
          expect(group.add(times, other)).toEqual(group.multiply(point, a + b));
          expect(group.subtract(times, other)).toEqual(group.multiply(point, a - b));
          const terms = [[point, a] as const, [times, b] as const];
          expect(group.sumOfMultiples(terms)).toEqual(group.multiply(point, a + a * b));
        }
      }),
      { numRuns: 3 },
    );
    expect(blsG1.sumOfMultiples([])).toEqual(blsG1.zero());
    expect(blsG1.multiply(new Uint8Array(48), 0n)).toEqual(blsG1.zero());
    expect(blsG1.isZero(blsG1.zero())).toBe(true);
    expect(blsG2.isZero(new Uint8Array(96))).toBe(false);
  });
});

describe("BLS signatures", () => {
  const long = bls12_381.longSignatures;
  const suite = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
  const secret = (n: bigint) => fromHex(n.toString(16).padStart(64, "0"));
  const keyOf = (n: bigint) => long.getPublicKey(secret(n)).toBytes(true);
  const signed = (n: bigint, message: Uint8Array) =>
    long.Signature.toBytes(long.sign(long.hash(message, suite), secret(n)));

  test("verify alone and together", () => {
    fc.assert(
      fc.property(scalar, scalar, fc.uint8Array({ maxLength: 50 }), (a, b, text) => {
        const [first, second] = [signed(a, text), signed(b, text)];
        expect(verifyBls(keyOf(a), text, first)).toBe(true);
        expect(verifyBls(keyOf(a), text, second)).toBe(a === b);
        const both = aggregateBls([first, second]) ?? new Uint8Array();
        expect(verifyFastAggregate([keyOf(a), keyOf(b)], text, both)).toBe(true);
        expect(verifyFastAggregate([keyOf(a)], text, both)).toBe(false);
        const other = Uint8Array.of(...text, 1);
        const mixed = aggregateBls([first, signed(b, other)]) ?? new Uint8Array();
        const list = [
          { publicKey: keyOf(a), message: text },
          { publicKey: keyOf(b), message: other },
        ];
        expect(verifyAggregate(list, mixed)).toBe(true);
        expect(verifyAggregate(list.slice(1), mixed)).toBe(false);
      }),
      { numRuns: 2 },
    );
    expect(verifyBls(blsG1.zero(), utf8("x"), blsG2.zero())).toBe(false);
    expect(verifyAggregate([], blsG2.zero())).toBe(false);
    expect(verifyFastAggregate([], utf8("x"), blsG2.zero())).toBe(false);
    expect(aggregateBls([])).toBeUndefined();
  });

  test("a product of pairings is one if the exponents cancel", () => {
    const { G1, G2 } = bls12_381;
    const [p, q] = [
      (n: bigint) => G1.Point.BASE.multiply(n).toBytes(),
      (n: bigint) => G2.Point.BASE.multiply(n).toBytes(),
    ];
    expect(
      isPairingOne([
        [p(6n), q(1n)],
        [p(blsOrder - 2n), q(3n)],
      ]),
    ).toBe(true);
    expect(
      isPairingOne([
        [p(6n), q(1n)],
        [p(blsOrder - 2n), q(4n)],
      ]),
    ).toBe(false);
    expect(isPairingOne([])).toBe(false);
    expect(isPairingOne([[blsG1.zero(), blsG2.zero()]])).toBe(false);
    expect(isPairingOne([[p(1n), blsG2.zero()]])).toBe(true);
    expect(
      isPairingOne([
        [blsG1.zero(), q(1n)],
        [blsG1.zero(), q(2n)],
      ]),
    ).toBe(true);
    expect(
      isPairingOne([
        [p(1n), blsG2.zero()],
        [blsG1.zero(), q(2n)],
      ]),
    ).toBe(false);
    expect(isPairingOne([[new Uint8Array(48), q(1n)]])).toBeUndefined();
  });
});
