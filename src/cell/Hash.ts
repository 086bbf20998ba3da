import type { Brand } from "../lib/brand.ts";

/** A 256-bit hash as 64 lower-case hex digits: comparable with ===, usable as a key. */
export type Hash = Brand<string, "Hash">;

export const zeroHash = "0".repeat(64) as Hash;
