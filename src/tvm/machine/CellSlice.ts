import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";

/** A read-only range of bits and references of one cell. Bit positions are absolute in `cell.bytes`. */
export class CellSlice {
  readonly cell: Cell;
  readonly at: number;
  readonly end: number;
  readonly ref: number;
  readonly refEnd: number;

  constructor(cell: Cell, at: number, end: number, ref: number, refEnd: number) {
    this.cell = cell;
    this.at = at;
    this.end = end;
    this.ref = ref;
    this.refEnd = refEnd;
  }

  get bits(): number {
    return this.end - this.at;
  }

  get refs(): number {
    return this.refEnd - this.ref;
  }

  /** The same range without its first bits and references; the caller has checked that they are there. */
  without(bits: number, refs: number): CellSlice {
    return new CellSlice(this.cell, this.at + bits, this.end, this.ref + refs, this.refEnd);
  }

  /** The first bits and references; the caller has checked that they are there. */
  first(bits: number, refs: number): CellSlice {
    return new CellSlice(this.cell, this.at, this.at + bits, this.ref, this.ref + refs);
  }
}

/** All bits and references of a cell of any kind. */
export function cellSlice(cell: Cell): CellSlice {
  const at = cell.dataAt * 8;
  return new CellSlice(cell, at, at + cell.bitLength, 0, cell.refCount);
}

/** What is left of a reading position. */
export function machineSlice(slice: Slice): CellSlice {
  const { bits, refs } = slice.position;
  const at = slice.cell.dataAt * 8 + bits;
  return new CellSlice(slice.cell, at, at + slice.remainingBits, refs, refs + slice.remainingRefs);
}
