/** Amounts arrive as decimal text of the smallest unit. */

/** Digits after the point; a token can have 255 of them, which would make any page too wide. */
const maxFraction = 24;

/**
 * Nanocoins or token units as a decimal number with grouped thousands: `1234567890` with 9 decimals is `1.23456789`. Of
 * a long fraction the end is left out.
 */
export function formatUnits(units: string | bigint, decimals: number): string {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, " ");
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  const sign = value < 0n ? "−" : "";
  if (fraction === "") return `${sign}${whole}`;
  return `${sign}${whole}.${fraction.length > maxFraction ? `${fraction.slice(0, maxFraction)}…` : fraction}`;
}

export function formatCoins(nanocoins: string | bigint): string {
  return formatUnits(nanocoins, 9);
}

/** Parses an amount in coins as typed by a user to nanocoins; `undefined` if invalid. */
export function parseCoins(text: string): bigint | undefined {
  const match = /^(\d{1,12})(?:[.,](\d{1,9}))?$/.exec(text.trim().replace(/[\s_ ]/g, ""));
  if (match === null) return undefined;
  const [, whole = "0", fraction = ""] = match;
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** A count with grouped thousands. */
export function formatCount(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}
