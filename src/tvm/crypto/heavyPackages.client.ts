import * as bls12381 from "@noble/curves/bls12-381.js";
import * as ed25519 from "@noble/curves/ed25519.js";
import * as secp256k1 from "@noble/curves/secp256k1.js";

/** The packages of functions that take milliseconds. */
export const heavyPackages = { bls12381, ed25519, secp256k1 };
