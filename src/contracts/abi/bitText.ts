import { fromHex, toHex } from "../../lib/bytes.ts";

/**
 * Bits as Fift writes them: upper-case hex, with a final one bit and an underscore where they are no multiple of four.
 */
export function formatBits(bytes: Uint8Array, count: number): string {
  const whole = count >>> 2;
  if ((count & 3) === 0) return toHex(bytes).slice(0, whole).toUpperCase();
  const padded = Uint8Array.from(bytes);
  padded[count >>> 3] = (padded[count >>> 3] ?? 0) | (0x80 >> (count & 7));
  return `${toHex(padded)
    .toUpperCase()
    .slice(0, whole + 1)}_`;
}

/** The bits of such a text, left-aligned; `undefined` when it is none. */
export function findBits(text: string): { readonly bytes: Uint8Array; readonly count: number } | undefined {
  const isCompleted = text.endsWith("_");
  const digits = isCompleted ? text.slice(0, -1) : text;
  if (!/^[0-9a-f]*$/i.test(digits)) return undefined;
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `${digits}0`);
  let count = digits.length * 4;
  if (!isCompleted) return { bytes, count };

  const isSet = (at: number): boolean => ((bytes[at >>> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;
  while (count > 0 && !isSet(count - 1)) count--;
  if (count === 0) return undefined;
  count--;
  bytes[count >>> 3] = (bytes[count >>> 3] ?? 0) & ~(0x80 >> (count & 7));
  return { bytes: bytes.subarray(0, (count + 7) >>> 3), count };
}
