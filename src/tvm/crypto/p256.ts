import { createPublicKey, type KeyObject, verify } from "node:crypto";

// SubjectPublicKeyInfo of a key on prime256v1 up to its compressed point of 33 bytes.
const spkiPrefix = Buffer.from("3039301306072a8648ce3d020106082a8648ce3d030107032200", "hex");

/**
 * Whether the signature (r and s, 32 bytes each) of the data, hashed with SHA-256, is by this key (33 bytes,
 * compressed). Anything that is no compressed point of the curve gives false; so do r or s of zero or not below the
 * order.
 */
export function verifyP256(data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = findKey(publicKey);
  return key !== undefined && verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, signature);
}

function findKey(publicKey: Uint8Array): KeyObject | undefined {
  if (publicKey[0] !== 2 && publicKey[0] !== 3) return undefined;
  try {
    return createPublicKey({ key: Buffer.concat([spkiPrefix, publicKey]), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}
