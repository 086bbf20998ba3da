/** Hex comes first, with or without its mark: `178` is 0x178. */
const hexForm = /^(?:0[xX])?([0-9a-fA-F]{1,8})$/;
const decimalForm = /^-?\d{1,10}$/;

/** An opcode as people write it, as the 32 bits without sign that it stands for; undefined for anything else. */
export function findOpcode(text: string): number | undefined {
  const hex = hexForm.exec(text)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (!decimalForm.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value >>> 0 : undefined;
}

/** As answers show it: `0x` and eight digits. */
export function formatOpcode(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, "0")}`;
}
