/** The constants of the 64 rounds. */
export const roundConstants = new Int32Array(64);
/** The initial hash value. */
export const initialState = new Int32Array(8);
fillConstants();

/** Fractional bits of square and cube roots of the first primes, as the standard defines them. */
function fillConstants(): void {
  let found = 0;
  for (let candidate = 2; found < 64; candidate++) {
    let prime = true;
    for (let d = 2; d * d <= candidate; d++) if (candidate % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) initialState[found] = rootFraction(candidate, 2);
    roundConstants[found++] = rootFraction(candidate, 3);
  }
}

/** The first 32 bits of the fraction of the `degree`-th root, exactly, by whole-number search. */
function rootFraction(value: number, degree: 2 | 3): number {
  const target = BigInt(value) << BigInt(32 * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) <= target) low = middle;
    else high = middle;
  }
  return Number(BigInt.asIntN(32, low));
}
