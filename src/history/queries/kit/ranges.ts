const maxInt8 = 2n ** 63n - 1n;

/** A 64-bit logical time as the tables can compare it: stored values are always smaller than 2^63. */
export function boundedLt(lt: bigint): bigint {
  return lt > maxInt8 ? maxInt8 : lt;
}
