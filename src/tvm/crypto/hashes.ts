import { createHash } from "node:crypto";
import { findPackage } from "./loadPackage.ts";

/** Hash functions that code can name; the names are those of HASHEXT. */
export type HashName = "sha256" | "sha512" | "blake2b" | "keccak256" | "keccak512";
const nodeNames = { sha256: "sha256", sha512: "sha512", blake2b: "blake2b512" } as const;

export interface OpenHash {
  update(part: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** BLAKE2b gives 64 bytes; Keccak has its original padding. A client has to load some first: then there is none. */
export function findHash(name: HashName): OpenHash | undefined {
  if (name !== "keccak256" && name !== "keccak512") return createHash(nodeNames[name]);
  const sha3 = findPackage("sha3");
  return (name === "keccak256" ? sha3?.keccak_256 : sha3?.keccak_512)?.create();
}
