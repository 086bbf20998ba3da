import { toHex } from "../../lib/bytes.ts";

/** Bytes as an unsigned number, the highest byte first. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}
