import { CellKind } from "../CellKind.ts";

/**
 * Scratch space in which the bytes that a cell's hash covers are put together: two descriptor bytes, data (or the hash
 * of the level below), depths of children, hashes of children. One hash is made at a time.
 */
const bytes = new Uint8Array(2 + 128 + 4 * 2 + 4 * 32 + 72);

export const representation = {
  bytes,

  /** Descriptors; gives the place where the data goes. */
  begin(kind: CellKind, mask: number, refCount: number, bits: number): number {
    bytes[0] = refCount + (kind === CellKind.ordinary ? 0 : 8) + (mask << 5);
    bytes[1] = (bits >> 3) + ((bits + 7) >> 3);
    return 2;
  },

  /** Data bits with the completion bit behind them. */
  data(source: Uint8Array, from: number, bits: number, at: number): number {
    const whole = bits >> 3;
    for (let i = 0; i < whole; i++) bytes[at + i] = source[from + i] as number;
    const rest = bits & 7;
    if (rest === 0) return at + whole;
    bytes[at + whole] = ((source[from + whole] as number) & (0xff00 >> rest)) | (0x80 >> rest);
    return at + whole + 1;
  },

  depth(depth: number, at: number): void {
    bytes[at] = depth >> 8;
    bytes[at + 1] = depth;
  },

  copyDepth(source: Uint8Array, from: number, at: number): void {
    bytes[at] = source[from] as number;
    bytes[at + 1] = source[from + 1] as number;
  },

  copy(source: Uint8Array, from: number, at: number): number {
    for (let i = 0; i < 32; i++) bytes[at + i] = source[from + i] as number;
    return at + 32;
  },
};
