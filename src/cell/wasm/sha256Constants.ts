const primes = firstPrimes(64);
/** The constants of the 64 rounds. */
export const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
/** The initial hash value. */
export const initialState = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits of the fraction; a number has 48 of those of such roots, at least. */
function fraction(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}
