import { isUtf8 as isNodeUtf8 } from "node:buffer";
import * as node from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, it } from "vitest";
import * as browser from "../../../src/lib/browser/crypto.ts";
import { readFile } from "../../../src/lib/browser/files.ts";
import { isUtf8 } from "../../../src/lib/browser/utf8.ts";
import { findKey, verifyEd25519 } from "../../../src/tvm/crypto/ed25519.ts";
import { findHash as findBrowserHash } from "../../../src/tvm/crypto/hashes.browser.ts";
import { findHash } from "../../../src/tvm/crypto/hashes.ts";
import { addPackages } from "../../../src/tvm/crypto/loadPackage.client.ts";
import { verifyP256 as verifyOwnP256 } from "../../../src/tvm/crypto/p256.browser.ts";
import { verifyP256 } from "../../../src/tvm/crypto/p256.ts";

const data = new TextEncoder().encode("what was signed");

describe("the cryptography of browsers is like that of Node", () => {
  /** Around the ends of blocks, and more bytes than a length of two bytes counts. */
  const lengths = [0, 1, 55, 56, 63, 64, 111, 112, 119, 120, 127, 128, 129, 1000, 70_000];
  const messages = lengths.map((length) => Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255));

  it.each(["sha256", "sha512"] as const)("in %s", (name) => {
    const hash = (of: typeof node | typeof browser, message: Uint8Array) =>
      (of as typeof node).createHash(name).update(message).update("more").digest("hex");
    expect(messages.map((message) => hash(browser as never, message))).toEqual(
      messages.map((message) => hash(node, message)),
    );
    expect(browser.hash(name, data, "binary")).toBe(node.createHash(name).update(data).digest("binary"));
  });

  it.each(["sha256", "sha512", "blake2b"] as const)("in %s of the machine", (name) => {
    addPackages({ blake2b });
    const digest = (open: typeof findHash, message: Uint8Array) => {
      const hash = open(name);
      hash?.update(message);
      return hash && Buffer.from(hash.digest()).toString("hex");
    };
    expect(messages.map((message) => digest(findBrowserHash, message))).toEqual(
      messages.map((message) => digest(findHash, message)),
    );
  });

  it("in Ed25519 signatures, right, wrong and crafted", () => {
    const { publicKey, privateKey } = node.generateKeyPairSync("ed25519");
    const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" })).subarray(-32);
    const signature = new Uint8Array(node.sign(null, data, privateKey));
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const higher = numberToBytes(bytesToNumber(signature.subarray(32)) + order);
    const identity = Uint8Array.of(1, ...new Uint8Array(31));
    const cases: readonly (readonly [Uint8Array, Uint8Array])[] = [
      [key, signature],
      [key, signature.map((byte, i) => (i === 3 ? byte ^ 1 : byte))],
      [key, signature.map((byte, i) => (i === 40 ? byte ^ 1 : byte))],
      [key, signature.subarray(0, 63)],
      [key, Uint8Array.of(...signature.subarray(0, 32), ...higher)],
      [key.map((byte) => byte ^ 1), signature],
      [identity, Uint8Array.of(...identity, ...new Uint8Array(32))],
      [new Uint8Array(32), Uint8Array.of(...identity, ...new Uint8Array(32))],
      [new Uint8Array(32).fill(0xff), signature],
    ];
    const own = (publicBytes: Uint8Array, each: Uint8Array): boolean => {
      try {
        const x = Buffer.from(publicBytes).toString("base64url");
        return browser.verify(null, data, browser.createPublicKey({ format: "jwk", key: { x } }), each);
      } catch {
        return false;
      }
    };
    expect(cases.map(([each, by]) => own(each, by))).toEqual(
      cases.map(([each, by]) => verifyEd25519(data, by, each, findKey)),
    );
    expect(own(key, signature)).toBe(true);
    const der = publicKey.export({ format: "der", type: "spki" });
    expect(browser.verify(null, data, browser.createPublicKey({ format: "der", key: der }), signature)).toBe(true);
  });

  it("in P-256 signatures, right and wrong", () => {
    const { publicKey, privateKey } = node.generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const odd = (Buffer.from(y, "base64url").at(-1) ?? 0) & 1;
    const key = Uint8Array.of(2 + odd, ...Buffer.from(x, "base64url"));
    const signature = new Uint8Array(node.sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" }));
    const cases: readonly (readonly [Uint8Array, Uint8Array])[] = [
      [signature, key],
      [signature.map((byte, i) => (i === 9 ? byte ^ 1 : byte)), key],
      [new Uint8Array(64), key],
      [new Uint8Array(64).fill(0xff), key],
      [signature, new Uint8Array(33).fill(2)],
      [signature, Uint8Array.of(4, ...key.subarray(1))],
    ];
    expect(cases.map(([by, each]) => verifyOwnP256(data, by, each))).toEqual(
      cases.map(([by, each]) => verifyP256(data, by, each)),
    );
    expect(verifyOwnP256(data, signature, key)).toBe(true);
  });

  it("in UTF-8", () => {
    const texts = [
      data,
      Uint8Array.of(0xff),
      Uint8Array.of(0xc3, 0xa9),
      Uint8Array.of(0xed, 0xa0, 0x80),
      new Uint8Array(0),
    ];
    expect(texts.map(isUtf8)).toEqual(texts.map((each) => isNodeUtf8(each)));
  });

  it("has no files", async () => {
    await expect(readFile("trusted.json")).rejects.toThrow("trusted.json cannot be used: a page has no files");
  });
});

function bytesToNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

function numberToBytes(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse());
}
