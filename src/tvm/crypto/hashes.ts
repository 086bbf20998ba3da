import { createHash } from "node:crypto";
import { loadPackage } from "./loadPackage.ts";

/** Hash functions that code can name; the names are those of HASHEXT. */
export type HashName = "sha256" | "sha512" | "blake2b" | "keccak256" | "keccak512";

const nodeNames = { sha256: "sha256", sha512: "sha512", blake2b: "blake2b512" } as const;

/** Hashes the parts one after another, without joining them first. BLAKE2b gives 64 bytes; Keccak has its original padding. */
export function hashBytes(name: HashName, parts: readonly Uint8Array[]): Uint8Array {
  if (name === "keccak256" || name === "keccak512") return keccak(name, parts);
  const hash = createHash(nodeNames[name]);
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

function keccak(name: "keccak256" | "keccak512", parts: readonly Uint8Array[]): Uint8Array {
  const { keccak_256, keccak_512 } = loadPackage("sha3");
  const hash = (name === "keccak256" ? keccak_256 : keccak_512).create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
