/** The percentage of a part, to hundredths; amounts are larger than numbers can be. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;
}
