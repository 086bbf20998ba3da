import { beginCell } from "../../cell/Builder.ts";
import { CellKind } from "../../cell/base/CellKind.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell, struct, uint, upTo, type ValueOf } from "../../cell/codec.ts";
import { rawSliceOf, type Slice } from "../../cell/Slice.ts";
import { checked } from "../checked.ts";

// _ cell:^Cell st_bits:(## 10) end_bits:(## 10) { st_bits <= end_bits } st_ref:(#<= 4) end_ref:(#<= 4)
//   { st_ref <= end_ref } = VmCellSlice;
/** A part of a cell, stored with the whole cell. */
export const VmCellSlice = checked(
  struct({ cell, bitStart: uint(10), bitEnd: uint(10), refStart: upTo(4), refEnd: upTo(4) }),
  (s) => s.bitStart <= s.bitEnd && s.refStart <= s.refEnd && (isPruned(s.cell) || fits(s.cell, s.bitEnd, s.refEnd)),
  "a slice begins before it ends and ends within its cell",
);
export type VmCellSlice = ValueOf<typeof VmCellSlice>;

function isPruned(cell: Cell): boolean {
  return cell.kind === CellKind.pruned;
}

function fits(cell: Cell, bits: number, refs: number): boolean {
  return bits <= cell.bitLength && refs <= cell.refCount;
}

/** A whole cell as a slice. */
export function wholeSlice(cell: Cell): VmCellSlice {
  return { cell, bitStart: 0, bitEnd: cell.bitLength, refStart: 0, refEnd: cell.refCount };
}

/** Opens the part for reading; like the machine it also opens exotic cells, as raw bits. */
export function openSlice(part: VmCellSlice): Slice {
  const slice = rawSliceOf(part.cell).skip(part.bitStart).skipRefs(part.refStart);
  return slice.loadPart(part.bitEnd - part.bitStart, part.refEnd - part.refStart);
}

/** A cell with exactly the part. */
export function sliceCell(part: VmCellSlice): Cell {
  const { cell, bitStart, bitEnd, refStart, refEnd } = part;
  const isWhole = bitStart === 0 && refStart === 0 && bitEnd === cell.bitLength && refEnd === cell.refCount;
  return isWhole && !cell.isExotic ? cell : beginCell().storeSlice(openSlice(part)).cell();
}
