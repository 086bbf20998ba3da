import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { fromHex } from "../../lib/bytes.ts";
import { LocalnetError } from "../errors.ts";

/** An Ed25519 key that signs. */
export interface SigningKey {
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Uint8Array;
}

// The bytes before the 32 bytes of a private key in its DER form (RFC 8410).
const derPrefix = fromHex("302e020100300506032b657004220420");

/** Makes a key pair from its 32-byte seed. */
export function makeSigningKey(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new LocalnetError("localnet/wallet", `a key seed of ${seed.length} bytes`);
  const key = createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: "der", type: "pkcs8" });
  const publicDer = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    publicKey: new Uint8Array(publicDer.subarray(-32)),
    sign: (bytes) => new Uint8Array(sign(null, bytes, key)),
  };
}
