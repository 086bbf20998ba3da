/**
 * The reference keeps integers in words of 52 bits, each with a sign: from -2^51 to 2^51 - 1. That is seen where it has
 * not enough of them, or has not yet moved a carry from one to the next.
 */

export const wordBits = 52;
/** Shifts that move an integer beyond these are overflows even for zero. */
export const maxWords = 5;

/** Bounds of numbers of one to four words. */
const largest = [1, 2, 3, 4].map((words) => BigInt(`0x${"7FFFFFFFFFFFF".repeat(words)}`));
const smallest = [1, 2, 3, 4].map((words) => -BigInt(`0x${"8000000000000".repeat(words)}`));

/** Compares only: shifts would take as long as ten instructions. */
export function countWords(x: bigint): number {
  let more = 0;
  while (more < maxWords - 1 && (x > (largest[more] as bigint) || x < (smallest[more] as bigint))) more++;
  return more + 1;
}

/**
 * A number with the sign of a sum that was added word by word, by its highest word; `undefined` unless a shift is
 * beyond all words.
 */
export function signBehind(x: bigint, y: bigint, shift: number): number | undefined {
  const words = Math.max(countWords(x), countWords(y));
  if (shift <= words * wordBits + 64 - wordBits) return undefined;
  const highest = (z: bigint): bigint => (z - (smallest[words - 2] ?? 0n)) >> BigInt(wordBits * (words - 1));
  return Number(highest(x) + highest(y));
}
