/** Level masks are three bits; the hash of level l is the one numbered by the bits set below l. */

const counts = new Uint8Array([0, 1, 1, 2, 1, 2, 2, 3]);

/** Number of significant levels above zero. */
export function levelCount(mask: number): number {
  return counts[mask & 7] as number;
}

/** Highest level of a mask: 0 for a cell without pruned parts. */
export function levelOf(mask: number): number {
  return 32 - Math.clz32(mask);
}

/** The index of a cell's hash for a level. */
export function hashIndex(mask: number, level: number): number {
  return counts[mask & ((1 << level) - 1) & 7] as number;
}

/** The levels at which a cell has its own hash, from the lowest up; in between the hash of the level below applies. */
export function significantLevels(mask: number): number[] {
  return [0, 1, 2, 3].filter((level) => level === 0 || (mask & (1 << (level - 1))) !== 0);
}

/** The level of a cell's hash by its index: the inverse of `hashIndex`. */
export function levelOfHash(mask: number, number: number): number {
  let level = 0;
  for (let left = number; left > 0; level++) if ((mask & (1 << level)) !== 0) left--;
  return level;
}
