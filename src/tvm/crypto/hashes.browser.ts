import { createHash } from "../../lib/browser/crypto.ts";
import type { HashName, OpenHash } from "./hashes.ts";
import { findPackage } from "./loadPackage.client.ts";

/** In the place of `hashes.ts`, for browsers: of Node's functions they have those that all checks use. */
export function findHash(name: HashName): OpenHash | undefined {
  if (name === "sha256" || name === "sha512") return createHash(name);
  if (name === "blake2b") return findPackage("blake2b")?.create();
  const sha3 = findPackage("sha3");
  return (name === "keccak256" ? sha3?.keccak_256 : sha3?.keccak_512)?.create();
}
