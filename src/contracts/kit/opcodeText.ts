/** Hex is tried first, with or without prefix: `178` is 0x178. */
const hexForm = /^(?:0[xX])?([0-9a-fA-F]{1,8})$/;
const decimalForm = /^-?\d{1,10}$/;

/** Parses an opcode in any common form to an unsigned 32-bit number; undefined for anything else. */
export function findOpcode(text: string): number | undefined {
  const hex = hexForm.exec(text)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (!decimalForm.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value >>> 0 : undefined;
}

/** The form in answers: `0x` and eight digits. */
export function formatOpcode(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, "0")}`;
}
