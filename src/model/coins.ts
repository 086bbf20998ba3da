/** Nanocoins of one coin. */
export const coin = 1_000_000_000n;
const coinsText = /^([0-9]{1,20})(?:\.([0-9]{1,9}))?$/;

/** Formats nanocoins as coins, without trailing zeros: 2500000000 is 2.5. */
export function formatCoins(nanocoins: bigint): string {
  const part = (nanocoins % coin).toString().padStart(9, "0").replace(/0+$/, "");
  return `${nanocoins / coin}${part === "" ? "" : `.${part}`}`;
}

/** Parses coins to nanocoins: 2.5 is 2500000000. */
export function findCoins(text: string): bigint | undefined {
  const [, whole, part = ""] = coinsText.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * coin + BigInt(part.padEnd(9, "0"));
}
