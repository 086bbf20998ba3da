import { ed25519 } from "@noble/curves/ed25519.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { Buffer } from "./Buffer.ts";

/*
 * What this program uses of `node:crypto`, for bundles for browsers. The cryptography of browsers is asynchronous, and
 * there is none for pages without TLS.
 */

const hashes = { sha256, sha512, blake2b512: blake2b } as const;
type HashName = keyof typeof hashes;
type TextForm = "hex" | "binary";

export interface KeyObject {
  verify(data: Uint8Array, signature: Uint8Array): boolean;
}

interface OpenHash {
  update(part: Uint8Array | string): OpenHash;
  digest(): Buffer;
  digest(form: TextForm): string;
}

export function createHash(name: HashName): OpenHash {
  const open = hashes[name].create();
  function digest(): Buffer;
  function digest(form: TextForm): string;
  function digest(form?: TextForm): Buffer | string {
    const bytes = Buffer.from(open.digest());
    return form === undefined ? bytes : bytes.toString(form);
  }
  const hash: OpenHash = {
    update: (part) => {
      open.update(typeof part === "string" ? Buffer.from(part) : part);
      return hash;
    },
    digest,
  };
  return hash;
}

export function hash(name: HashName, data: Uint8Array | string, form: TextForm): string {
  return createHash(name).update(data).digest(form);
}

type KeySource =
  | { readonly format: "jwk"; readonly key: { readonly x: string } }
  | { readonly format: "der"; readonly key: Uint8Array };

/** What comes before the 32 bytes of a key in its DER form. */
const derPrefixBytes = 12;

/** An Ed25519 key; throws for bytes that are no point. */
export function createPublicKey(source: KeySource): KeyObject {
  return edKey(source.format === "jwk" ? Buffer.from(source.key.x, "base64url") : source.key.subarray(derPrefixBytes));
}

export function verify(_digest: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  return key.verify(data, signature);
}

const { Point } = ed25519;
const order = Point.Fn.ORDER;

/** Checks as OpenSSL does: without the cofactor, by the bytes of the point, and any encoding of the key. */
function edKey(publicKey: Uint8Array): KeyObject {
  const point = Point.fromBytes(publicKey, true);
  return {
    verify: (data, signature) => {
      const s = numberOf(signature.subarray(32));
      if (signature.length !== 64 || s >= order) return false;
      const challenge = sha512.create().update(signature.subarray(0, 32)).update(publicKey).update(data).digest();
      const product = point.multiplyUnsafe(numberOf(challenge) % order);
      const expected = Point.BASE.multiplyUnsafe(s).subtract(product).toBytes();
      return expected.every((byte, i) => byte === signature[i]);
    },
  };
}

/** The first byte is the lowest. */
function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(Array.from(bytes).reverse()).toString("hex")}`);
}
