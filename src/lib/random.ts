import { createHash, randomBytes, randomInt } from "node:crypto";
import { concatBytes } from "./bytes.ts";
import { LibError } from "./errors.ts";

/** The only source of randomness: keys, nonces, jitter, choices. */
export interface Random {
  /** Random bytes with their own memory. */
  bytes(length: number): Uint8Array;
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, max); `max` is at most 2^48 - 1. */
  int(max: number): number;
}

const highestMax = 2 ** 48 - 1;

/**
 * How many bytes are drawn at once, and up to which length requests are served from them: a system call costs
 * microseconds.
 */
const drawnBytes = 4096;
const handedOutUpTo = 64;

/** Draws many bytes at once, returns each byte once and erases it. */
function drawnInAdvance(): (length: number) => Uint8Array {
  let drawn = new Uint8Array(0);
  let at = 0;
  return (length) => {
    if (length > handedOutUpTo) return new Uint8Array(randomBytes(length));
    if (at + length > drawn.length) {
      drawn = randomBytes(drawnBytes);
      at = 0;
    }
    const bytes = new Uint8Array(length);
    bytes.set(drawn.subarray(at, at + length));
    drawn.fill(0, at, at + length);
    at += length;
    return bytes;
  };
}

/** Cryptographic randomness from the operating system. */
export const systemRandom: Random = {
  bytes: drawnInAdvance(),
  next: () => fraction(randomBytes(7)),
  int: (max) => {
    checkMax(max);
    return randomInt(max);
  },
};

/** Randomness derived from a seed, for tests and reproducible networks: never for real keys. */
export function seededRandom(seed: number | string): Random {
  const bytes = seededBytes(String(seed));
  const next = () => fraction(bytes(7));
  return {
    bytes,
    next,
    int: (max) => {
      checkMax(max);
      return Math.floor(next() * max);
    },
  };
}

/** A stream of SHA-256 over seed and counter: the same on every machine. */
function seededBytes(seed: string): (length: number) => Uint8Array {
  let counter = 0;
  let rest = new Uint8Array(0);
  return (length) => {
    const parts = [rest];
    for (let have = rest.length; have < length; have += 32) {
      parts.push(new Uint8Array(createHash("sha256").update(`${counter}:${seed}`).digest()));
      counter += 1;
    }
    const all = concatBytes(parts);
    rest = all.slice(length);
    return all.slice(0, length);
  };
}

/** The upper 53 bits of seven bytes: the precision of a number between 0 and 1. */
function fraction(bytes: Uint8Array): number {
  let bits = 0;
  for (const byte of bytes.subarray(0, 6)) bits = bits * 256 + byte;
  return (bits * 32 + ((bytes[6] ?? 0) >>> 3)) / 2 ** 53;
}

function checkMax(max: number): void {
  if (!Number.isInteger(max) || max < 1 || max > highestMax)
    throw new LibError("lib/range", `a random whole number needs a limit from 1 to 2^48 - 1, not ${max}`);
}
