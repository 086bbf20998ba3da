export const ristrettoOrder = (1n << 252n) + 27742317777372353535851937790883648493n;

export const blsOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** The number that the bytes are, highest first; zero for none. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** The rest of a division, never negative. */
export function modulo(n: bigint, order: bigint): bigint {
  const rest = n % order;
  return rest < 0n ? rest + order : rest;
}
