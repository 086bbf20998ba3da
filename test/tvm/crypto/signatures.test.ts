import { createECDH, createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { isForbiddenKey, verifyEd25519 } from "../../../src/tvm/crypto/ed25519.ts";
import { verifyP256 } from "../../../src/tvm/crypto/p256.ts";
import { addTweakToXOnlyKey, recoverPublicKey } from "../../../src/tvm/crypto/secp256k1.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const message = fc.uint8Array({ maxLength: 128 });
const runs = { numRuns: 40 };

function flipped(value: Uint8Array, at: number): Uint8Array {
  return value.map((byte, i) => (i === at % value.length ? byte ^ 1 : byte));
}

describe("Ed25519", () => {
  test("accepts signatures of another implementation, and no mutated ones", () => {
    fc.assert(
      fc.property(bytes(32), message, fc.nat(63), (secret, data, at) => {
        const [key, signature] = [ed25519.getPublicKey(secret), ed25519.sign(data, secret)];
        expect(verifyEd25519(data, signature, key)).toBe(true);
        expect(verifyEd25519(data, flipped(signature, at), key)).toBe(false);
        expect(verifyEd25519(Uint8Array.of(...data, 0), signature, key)).toBe(false);
      }),
      runs,
    );
  });

  test("returns false for keys that are not points", () => {
    expect(verifyEd25519(new Uint8Array(3), new Uint8Array(64), new Uint8Array(32).fill(2))).toBe(false);
  });

  test("has the two keys that version 14 forbids", () => {
    const key = (first: number, last: number) => new Uint8Array(32).fill(first, 0, 1).fill(last, 31);
    expect([key(0, 0), key(1, 0), key(2, 0), key(0, 1), key(1, 128)].map(isForbiddenKey)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("P256", () => {
  test("accepts signatures of another implementation, and no mutated ones", () => {
    fc.assert(
      fc.property(bytes(32), message, fc.nat(63), (seed, data, at) => {
        const secret = p256.utils.randomSecretKey(Uint8Array.of(...seed, ...new Uint8Array(16)));
        const [key, signature] = [p256.getPublicKey(secret), p256.sign(data, secret, { lowS: false })];
        expect(verifyP256(data, signature, key)).toBe(true);
        expect(verifyP256(data, flipped(signature, at), key)).toBe(false);
      }),
      runs,
    );
  });

  test("returns false for keys of other forms and for zero signatures", () => {
    const key = p256.Point.BASE.toBytes();
    for (const first of [0, 1, 4, 5, 6, 7, 255]) {
      expect(verifyP256(new Uint8Array(1), new Uint8Array(64).fill(1), Uint8Array.of(first, ...key.slice(1)))).toBe(
        false,
      );
    }
    expect(verifyP256(new Uint8Array(1), new Uint8Array(64), key)).toBe(false);
    expect(
      verifyP256(new Uint8Array(1), new Uint8Array(64).fill(1), Uint8Array.of(2, ...new Uint8Array(32).fill(255))),
    ).toBe(false);
  });
});

describe("secp256k1", () => {
  const { n, p } = secp256k1.Point.CURVE();
  const number = (value: bigint) => fromHex(value.toString(16).padStart(64, "0"));

  test("recovers the key of an OpenSSL signature", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-65);
    fc.assert(
      fc.property(message, (data) => {
        const signature = sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
        const hash = createHash("sha256").update(data).digest();
        const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
        const keys = [0, 1, 2, 3].map((v) => recoverPublicKey(hash, { r, s, v }));
        expect(keys.filter((key) => key !== undefined).map(toHex)).toContain(toHex(raw));
        for (const key of keys) {
          if (key === undefined) continue;
          const spki = Buffer.concat([fromHex("3056301006072a8648ce3d020106052b8104000a034200"), key]);
          const object = createPublicKey({ key: spki, format: "der", type: "spki" });
          expect(verify("sha256", data, { key: object, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
        }
      }),
      runs,
    );
  });

  test("recovers nothing from invalid signatures", () => {
    const one = number(1n);
    const cases = [
      { r: number(0n), s: one, v: 0 },
      { r: one, s: number(0n), v: 0 },
      { r: number(n), s: one, v: 0 },
      { r: one, s: number(n), v: 0 },
      { r: number(p - n), s: one, v: 2 },
      { r: number(5n), s: one, v: 0 },
      { r: one, s: one, v: 4 },
      { r: one, s: one, v: 27 },
    ];
    for (const signature of cases) expect(recoverPublicKey(one, signature)).toBeUndefined();
    // s · R = hash · G, so the key would be the point at infinity.
    const { x, y } = secp256k1.Point.BASE;
    expect(recoverPublicKey(one, { r: number(x), s: one, v: Number(y & 1n) })).toBeUndefined();
  });

  test("adds a tweak like OpenSSL multiplies the sum of the secrets", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, n - 1n), fc.bigInt(0n, n - 1n), (secret, tweak) => {
        const point = secp256k1.Point.BASE.multiply(secret);
        const even = point.y % 2n === 0n ? secret : n - secret;
        const sum = (even + tweak) % n;
        fc.pre(sum !== 0n);
        const ecdh = createECDH("secp256k1");
        ecdh.setPrivateKey(number(sum));
        expect(toHex(addTweakToXOnlyKey(number(point.x), number(tweak)) ?? new Uint8Array())).toBe(
          ecdh.getPublicKey("hex"),
        );
      }),
      runs,
    );
  });

  test("rejects an invalid x, a tweak beyond the order, and infinity", () => {
    const { x, y } = secp256k1.Point.BASE;
    expect(addTweakToXOnlyKey(number(5n), number(1n))).toBeUndefined();
    expect(addTweakToXOnlyKey(number(p), number(1n))).toBeUndefined();
    expect(addTweakToXOnlyKey(number(x), number(n))).toBeUndefined();
    expect(addTweakToXOnlyKey(number(x), number(y % 2n === 0n ? n - 1n : 1n))).toBeUndefined();
  });
});
