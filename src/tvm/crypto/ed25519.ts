import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { toBase64Url } from "../../lib/bytes.ts";

/**
 * Whether the signature (64 bytes) of the data is by this key (32 bytes). A key that is no point gives false, and so
 * does a signature whose scalar is not below the order of the group. Keys of small order are accepted here: that the
 * key zero and the identity (`01 00 … 00`) are refused is a rule of the machine since version 14 (`isForbiddenKey`).
 */
export function verifyEd25519(data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array, find = findKey): boolean {
  const key = find(publicKey);
  return key !== undefined && verify(null, data, key, signature);
}

/**
 * The keys that version 14 refuses before looking at the signature: 32 zero bytes, and the encoding of the identity.
 */
export function isForbiddenKey(publicKey: Uint8Array): boolean {
  return (publicKey[0] ?? 2) <= 1 && publicKey.every((byte, i) => i === 0 || byte === 0);
}

/**
 * The key of the platform; undefined for bytes that are no point. As a JWK, which is taken in ten times faster than
 * DER.
 */
export function findKey(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: toBase64Url(publicKey) }, format: "jwk" });
  } catch {
    return undefined;
  }
}
