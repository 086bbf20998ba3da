import { crc16 } from "../../lib/crc.ts";

/** A get-method by its name, or by the number its name stands for. */
export type Method = string | number;

/**
 * The number that compilers give a method of this name: its CRC-16 plus 2^16, which differs from all entry points of
 * messages.
 */
export function methodId(method: Method): number {
  return typeof method === "number" ? method : crc16(Buffer.from(method)) | 0x10000;
}
