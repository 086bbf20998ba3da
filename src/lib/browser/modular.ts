/** The remainder that is not negative. */
export function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The inverse by a prime modulus; zero for zero. */
export function invert(value: bigint, prime: bigint): bigint {
  return power(mod(value, prime), prime - 2n, prime);
}

/** The number of these bytes, the first one the highest. */
export function numberOf(bytes: Uint8Array): bigint {
  let digits = "0x0";
  for (const byte of bytes) digits += byte.toString(16).padStart(2, "0");
  return BigInt(digits);
}

/**
 * The sum of two points, each so many times, by four bits at a time. `zero` and `add` are those of the group; `add` of
 * a point and itself is used only to make the tables.
 */
export function sumOfMultiples<P>(
  group: { readonly zero: P; add(a: P, b: P): P; double(a: P): P },
  multiples: readonly (readonly [point: P, times: bigint])[],
): P {
  const tables = multiples.map(([point, times]) => {
    const table = [group.zero];
    for (let i = 1; i < 16; i++)
      table.push(i & 1 ? group.add(table[i - 1] as P, point) : group.double(table[i / 2] as P));
    return { table, times };
  });
  let sum = group.zero;
  for (let bit = 252n; bit >= 0n; bit -= 4n) {
    if (sum !== group.zero) for (let i = 0; i < 4; i++) sum = group.double(sum);
    for (const { table, times } of tables) {
      const digit = Number((times >> bit) & 15n);
      if (digit !== 0) sum = group.add(sum, table[digit] as P);
    }
  }
  return sum;
}
