import { crc16 } from "../../lib/crc.ts";

/** A get-method by its name, or by the number its name stands for. */
export type Method = string | number;

/** The number compilers give a method of this name: its CRC-16 beyond 2^16, away from the entry points of messages. */
export function methodId(method: Method): number {
  return typeof method === "number" ? method : crc16(new TextEncoder().encode(method)) | 0x10000;
}
