import { bytesToHex } from "../format/bytes.ts";
import { BagError, type Cell } from "./Cell.ts";

/** Reads a cell from its start. */
export class Slice {
  readonly #cell: Cell;
  #bit = 0;
  #ref = 0;

  constructor(cell: Cell) {
    this.#cell = cell;
  }

  get bitsLeft(): number {
    return this.#cell.bitLength - this.#bit;
  }

  get refsLeft(): number {
    return this.#cell.refs.length - this.#ref;
  }

  bit(): number {
    if (this.bitsLeft < 1) throw new BagError("the cell holds less data than expected");
    const byte = this.#cell.bytes[this.#bit >> 3] ?? 0;
    return (byte >> (7 - (this.#bit++ & 7))) & 1;
  }

  uint(bits: number): bigint {
    let value = 0n;
    for (let i = 0; i < bits; i++) value = (value << 1n) + BigInt(this.bit());
    return value;
  }

  int(bits: number): bigint {
    return BigInt.asIntN(bits, this.uint(bits));
  }

  /** Coins: four bits of length, then that many bytes. */
  coins(): bigint {
    return this.uint(Number(this.uint(4)) * 8);
  }

  hex(bits: number): string {
    return this.uint(bits)
      .toString(16)
      .padStart(Math.ceil(bits / 4), "0");
  }

  ref(): Cell {
    const cell = this.#cell.refs[this.#ref++];
    if (cell === undefined) throw new BagError("the cell has fewer references than expected");
    return cell;
  }
}

/** The bits of a cell as hex, with the mark `_` for an incomplete last digit. */
export function formatBits({ bytes, bitLength }: Cell): string {
  if (bitLength === 0) return "";
  if (bitLength % 4 === 0) return bytesToHex(bytes).slice(0, bitLength / 4);
  const padded = bytes.slice();
  const at = bitLength >> 3;
  padded[at] = (padded[at] ?? 0) | (0x80 >> (bitLength % 8));
  return `${bytesToHex(padded).slice(0, Math.ceil(bitLength / 4))}_`;
}

/** The bytes of a cell as text, if they are text. */
export function findText({ bytes, bitLength }: Cell): string | undefined {
  const from = bitLength > 32 && bytes.subarray(0, 4).every((byte) => byte === 0) ? 4 : 0;
  if (bitLength % 8 !== 0 || bitLength / 8 - from < 3) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(from, bitLength / 8));
    return /^[\p{L}\p{N}\p{P}\p{S}\p{Z}\n]+$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
