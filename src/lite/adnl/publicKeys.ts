import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { concatBytes, fromHex } from "../../lib/bytes.ts";
import { publicKeyEd25519 } from "../tl/adnlRecords.ts";
import { encode } from "../tl/types.ts";

// What comes before the 32 bytes of a key in its DER form (RFC 8410).
const publicEd25519 = fromHex("302a300506032b6570032100");

/** SHA-256 of the boxed public key. */
export function keyId(publicKey: Uint8Array): Uint8Array {
  const named = encode(publicKeyEd25519.boxed, { key: publicKey });
  return new Uint8Array(createHash("sha256").update(named).digest());
}

/** A public Ed25519 key as `node:crypto` takes it, for checking signatures. */
export function verifyingKey(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(concatBytes([publicEd25519, publicKey])), format: "der", type: "spki" });
}
