import { createRequire } from "node:module";

interface Packages {
  "@noble/curves/bls12-381.js": typeof import("@noble/curves/bls12-381.js");
  "@noble/curves/ed25519.js": typeof import("@noble/curves/ed25519.js");
  "@noble/curves/secp256k1.js": typeof import("@noble/curves/secp256k1.js");
  "@noble/hashes/sha3.js": typeof import("@noble/hashes/sha3.js");
}

const require = createRequire(import.meta.url);

/**
 * Loads a package when it is first used. The machine cannot wait for an `import()` in the middle of an instruction, and most
 * processes never run an instruction that needs one; together the packages take about 40 ms of CPU to load.
 */
export function loadPackage<Name extends keyof Packages>(name: Name): Packages[Name] {
  // `require` has no types of its own; the map above states what each name gives.
  return require(name) as Packages[Name];
}
