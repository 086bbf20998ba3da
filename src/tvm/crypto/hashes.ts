import { createHash } from "node:crypto";
import { loadPackage } from "./loadPackage.ts";

/** Hash functions that code can name; the names are those of HASHEXT. */
export type HashName = "sha256" | "sha512" | "blake2b" | "keccak256" | "keccak512";
const nodeNames = { sha256: "sha256", sha512: "sha512", blake2b: "blake2b512" } as const;

export interface OpenHash {
  update(part: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** BLAKE2b gives 64 bytes; Keccak has its original padding. */
export function openHash(name: HashName): OpenHash {
  if (name !== "keccak256" && name !== "keccak512") return createHash(nodeNames[name]);
  const { keccak_256, keccak_512 } = loadPackage("sha3");
  return (name === "keccak256" ? keccak_256 : keccak_512).create();
}
