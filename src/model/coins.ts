const coin = 1_000_000_000n;
const coinsText = /^([0-9]{1,20})(?:\.([0-9]{1,9}))?$/;

/** Nanocoins as coins, without needless zeros: 2500000000 is 2.5. */
export function formatCoins(nanocoins: bigint): string {
  const part = (nanocoins % coin).toString().padStart(9, "0").replace(/0+$/, "");
  return `${nanocoins / coin}${part === "" ? "" : `.${part}`}`;
}

/** Coins as people write them, in nanocoins: 2.5 is 2500000000. */
export function findCoins(text: string): bigint | undefined {
  const [, whole, part = ""] = coinsText.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * coin + BigInt(part.padEnd(9, "0"));
}
