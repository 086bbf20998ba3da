import { refusal } from "./refusals.ts";

const hexOpcode = /^[0-9a-fA-F]{1,8}$/;
const decimalOpcode = /^[+-]?[0-9]{1,10}$/;

/** An opcode of `/decode`: hex of 32 bits first, then a decimal number with or without sign. */
export function readOpcode(text: string, index: number): number {
  const digits = text.replace(/^0x/i, "");
  if (hexOpcode.test(digits)) return Number.parseInt(digits, 16);
  const value = decimalOpcode.test(digits) ? Number(digits) : Number.NaN;
  if (value >= -(2 ** 31) && value < 2 ** 32) return value >>> 0;
  throw refusal("badOpcode", { index, value: text });
}
