import { p256 } from "@noble/curves/nist.js";

/** In the place of `p256.ts`, for the client: browsers have such signatures only without a synchronous check. */
export function verifyP256(data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || (publicKey[0] !== 2 && publicKey[0] !== 3)) return false;
  try {
    return p256.verify(signature, data, publicKey, { lowS: false, prehash: true, format: "compact" });
  } catch {
    // No point of the curve.
    return false;
  }
}
