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

/** Which of a cell's hashes belongs to a level. */
export function hashIndex(mask: number, level: number): number {
  return counts[mask & ((1 << level) - 1) & 7] as number;
}

/** The levels at which a cell has a hash of its own, from the lowest up; in between it is that of the level below. */
export function significantLevels(mask: number): number[] {
  return [0, 1, 2, 3].filter((level) => level === 0 || (mask & (1 << (level - 1))) !== 0);
}

/** The level of a cell's hash by its number, from the lowest up: the other way round of `hashIndex`. */
export function levelOfHash(mask: number, number: number): number {
  let level = 0;
  for (let left = number; left > 0; level++) if ((mask & (1 << level)) !== 0) left--;
  return level;
}
