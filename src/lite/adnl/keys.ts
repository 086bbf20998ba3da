import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from "node:crypto";
import { concatBytes, fromHex, toHex } from "../../lib/bytes.ts";
import { LiteError } from "../errors.ts";
import { keyId } from "./publicKeys.ts";

/** An Ed25519 key pair with only what ADNL needs: its id and shared secrets. */
export interface AdnlKey {
  readonly publicKey: Uint8Array;
  /** SHA-256 of the boxed public key: names the server in a handshake. */
  readonly id: Uint8Array;
  /** The secret that this key shares with another public key. */
  agree(publicKey: Uint8Array): Uint8Array;
}

// What comes before the 32 bytes of a key in its DER form (RFC 8410).
const privateEd25519 = fromHex("302e020100300506032b657004220420");
const privateX25519 = fromHex("302e020100300506032b656e04220420");
const publicX25519 = fromHex("302a300506032b656e032100");

/** Makes a key pair from its 32-byte seed. */
export function makeAdnlKey(seed: Uint8Array): AdnlKey {
  const publicKey = publicKeyOf(seed);
  const agreement = agreementKey(seed);
  return { publicKey, id: keyId(publicKey), agree: (other) => agree(agreement, other) };
}

function publicKeyOf(seed: Uint8Array): Uint8Array {
  const pair = createPublicKey(privateKey(privateEd25519, seed));
  return new Uint8Array(pair.export({ format: "der", type: "spki" })).subarray(-32);
}

/** The scalar behind an Ed25519 seed is half of its SHA-512; X25519 clamps it the same way when it is used. */
function agreementKey(seed: Uint8Array): KeyObject {
  return privateKey(privateX25519, createHash("sha512").update(seed).digest().subarray(0, 32));
}

function privateKey(prefix: Uint8Array, secret: Uint8Array): KeyObject {
  if (secret.length !== 32) throw new LiteError("lite/tl-value", `a seed of ${secret.length} bytes instead of 32`);
  return createPrivateKey({ key: Buffer.from(concatBytes([prefix, secret])), format: "der", type: "pkcs8" });
}

function agree(own: KeyObject, other: Uint8Array): Uint8Array {
  const der = Buffer.from(concatBytes([publicX25519, montgomeryOf(other)]));
  try {
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    return new Uint8Array(diffieHellman({ privateKey: own, publicKey }));
  } catch (cause) {
    // Points of small order give every key the same secret; the library refuses them.
    throw new LiteError("lite/handshake", `no secret can be shared with the key ${toHex(other)}`, { cause });
  }
}

const prime = 2n ** 255n - 19n;

/** The Ed25519 point on Curve25519: u = (1 + y) / (1 - y), without the sign of x (RFC 7748 §4.1). */
export function montgomeryOf(publicKey: Uint8Array): Uint8Array {
  // Not `slice`: for a Buffer it is a view, and reversing it would change the caller's key.
  const y = BigInt(`0x${toHex(new Uint8Array(publicKey).reverse())}`) & (2n ** 255n - 1n);
  const u = ((1n + y) * inverse((((1n - y) % prime) + prime) % prime)) % prime;
  return fromHex(u.toString(16).padStart(64, "0")).reverse();
}

/** Modular inverse by the extended Euclidean algorithm; zero for zero. */
function inverse(value: bigint): bigint {
  let [low, high] = [value, prime];
  let [lowFactor, highFactor] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high - quotient * low, low];
    [lowFactor, highFactor] = [highFactor - quotient * lowFactor, lowFactor];
  }
  return low === 0n ? 0n : ((lowFactor % prime) + prime) % prime;
}
