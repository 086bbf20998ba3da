import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

// `require` has no types of its own, so that each loader states what its package gives.
const loaders = {
  bls12381: () => require("@noble/curves/bls12-381.js") as typeof import("@noble/curves/bls12-381.js"),
  ed25519: () => require("@noble/curves/ed25519.js") as typeof import("@noble/curves/ed25519.js"),
  secp256k1: () => require("@noble/curves/secp256k1.js") as typeof import("@noble/curves/secp256k1.js"),
  sha3: () => require("@noble/hashes/sha3.js") as typeof import("@noble/hashes/sha3.js"),
};

type Loaders = typeof loaders;

/**
 * Loads a package when it is first used. The machine cannot wait for an `import()` in the middle of an instruction, and
 * most processes never run an instruction that needs one; together the packages take about 40 ms of CPU to load.
 */
export function loadPackage<Name extends keyof Loaders>(name: Name): ReturnType<Loaders[Name]> {
  return loaders[name]() as ReturnType<Loaders[Name]>;
}

/** A package, if it is loaded: here it always is, and the client loads it on demand. */
export const findPackage: <Name extends keyof Loaders>(name: Name) => ReturnType<Loaders[Name]> | undefined =
  loadPackage;
