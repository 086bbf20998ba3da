import { blake2b } from "@noble/hashes/blake2.js";
import { createHash } from "../../lib/browser/crypto.ts";
import type { HashName, OpenHash } from "./hashes.ts";
import { loadPackage } from "./loadPackage.ts";

/** In the place of `hashes.ts`, for browsers: of Node's functions they have those that all checks use. */
export function openHash(name: HashName): OpenHash {
  if (name === "sha256" || name === "sha512") return createHash(name);
  const { keccak_256, keccak_512 } = loadPackage("sha3");
  return { blake2b, keccak256: keccak_256, keccak512: keccak_512 }[name].create();
}
