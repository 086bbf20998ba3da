import { copyBits, fillBits, putUint } from "../../cell/BitReader.ts";
import { maxBits } from "../../cell/base/CellKind.ts";
import { type Cell, copyCell } from "../../cell/Cell.ts";

/** Bits shared by the builders that were made from one another; `used` counts what the longest of them wrote. */
interface BitBuffer {
  bytes: Uint8Array;
  used: number;
}

const noRefs: readonly Cell[] = [];
const noBytes = new Uint8Array(0);
const firstBytes = 32;

/**
 * A builder as an immutable value. Appending writes into the shared buffer when this builder is the longest one and
 * copies the buffer otherwise, so that a chain of stores copies nothing. Callers check for room first.
 */
export class CellBuilder {
  readonly #buffer: BitBuffer;
  readonly bits: number;
  readonly refs: readonly Cell[];

  constructor(buffer: BitBuffer, bits: number, refs: readonly Cell[]) {
    this.#buffer = buffer;
    this.bits = bits;
    this.refs = refs;
  }

  get freeBits(): number {
    return maxBits - this.bits;
  }

  /** Bytes that hold the bits; what follows after `bits` has no meaning. */
  get bytes(): Uint8Array {
    return this.#buffer.bytes;
  }

  withRef(cell: Cell): CellBuilder {
    return new CellBuilder(this.#buffer, this.bits, this.refs.length === 0 ? [cell] : [...this.refs, cell]);
  }

  withRefs(cells: readonly Cell[]): CellBuilder {
    return cells.length === 0 ? this : new CellBuilder(this.#buffer, this.bits, [...this.refs, ...cells]);
  }

  /** Appends an unsigned number of at most 53 bits that fits. */
  withUint(value: number, bits: number): CellBuilder {
    const buffer = this.#room(bits);
    putUint(buffer.bytes, this.bits, value, bits);
    return new CellBuilder(buffer, this.bits + bits, this.refs);
  }

  /** Appends a number that fits, in two's complement. */
  withInt(value: number, bits: number): CellBuilder {
    const buffer = this.#room(bits);
    if (bits <= 53) {
      putUint(buffer.bytes, this.bits, value < 0 ? value + 2 ** bits : value, bits);
    } else {
      fillBits(buffer.bytes, this.bits, bits - 53, value < 0 ? 255 : 0);
      putUint(buffer.bytes, this.bits + bits - 53, value < 0 ? value + 2 ** 53 : value, 53);
    }
    return new CellBuilder(buffer, this.bits + bits, this.refs);
  }

  /** Appends the low bits of a number in two's complement. */
  withBigInt(value: bigint, bits: number): CellBuilder {
    const buffer = this.#room(bits);
    let rest = BigInt.asUintN(bits, value);
    let left = bits;
    while (left > 48) {
      left -= 48;
      putUint(buffer.bytes, this.bits + left, Number(rest & 0xffffffffffffn), 48);
      rest >>= 48n;
    }
    putUint(buffer.bytes, this.bits, Number(rest), left);
    return new CellBuilder(buffer, this.bits + bits, this.refs);
  }

  withBits(source: Uint8Array, from: number, bits: number): CellBuilder {
    if (bits === 0) return this;
    const buffer = this.#room(bits);
    copyBits(source, from, buffer.bytes, this.bits, bits);
    return new CellBuilder(buffer, this.bits + bits, this.refs);
  }

  withSame(bit: 0 | 1, count: number): CellBuilder {
    const buffer = this.#room(count);
    fillBits(buffer.bytes, this.bits, count, bit === 0 ? 0 : 255);
    return new CellBuilder(buffer, this.bits + count, this.refs);
  }

  /** Throws `cell/depth` when the cell would be too deep. */
  cell(): Cell {
    return copyCell(this.#buffer.bytes, this.bits, this.refs);
  }

  /** A copy of the bits, left-aligned and filled up with zeros. */
  data(): Uint8Array {
    const data = new Uint8Array((this.bits + 7) >>> 3);
    copyBits(this.#buffer.bytes, 0, data, 0, this.bits);
    return data;
  }

  /** A buffer with room for more bits whose first `this.bits` bits are those of this builder. */
  #room(bits: number): BitBuffer {
    const needed = this.bits + bits;
    const buffer = this.#buffer;
    const isTip = buffer.used === this.bits;
    if (isTip && needed <= buffer.bytes.length * 8) {
      buffer.used = needed;
      return buffer;
    }
    const size = Math.min(128, Math.max((needed + 7) >>> 3, buffer.bytes.length * (isTip ? 2 : 1), firstBytes));
    const bytes = new Uint8Array(size);
    bytes.set(buffer.bytes.subarray(0, (this.bits + 7) >>> 3));
    if (!isTip) return { bytes, used: needed };
    buffer.bytes = bytes;
    buffer.used = needed;
    return buffer;
  }
}

export function emptyBuilder(): CellBuilder {
  return new CellBuilder({ bytes: noBytes, used: 0 }, 0, noRefs);
}
