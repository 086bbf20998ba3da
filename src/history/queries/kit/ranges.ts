const maxInt8 = 2n ** 63n - 1n;

/** A logical time of 64 bits as the tables can compare it: none in them is as large as the largest. */
export function boundedLt(lt: bigint): bigint {
  return lt > maxInt8 ? maxInt8 : lt;
}
