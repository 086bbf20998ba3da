import type { Cell } from "../../../cell/Cell.ts";
import { CellSlice, cellSlice } from "../CellSlice.ts";
import { LoadedCells } from "../LoadedCells.ts";
import type { Vm } from "../Vm.ts";

export interface TreeSize {
  readonly cells: number;
  readonly bits: number;
  readonly refs: number;
  /** False when there are more cells than the bound; then the numbers are those of the cells before. */
  readonly isWhole: boolean;
}

/** Counts different cells below a root, each loaded at its price; exotic cells count as they are. */
export function measureTree(vm: Vm, root: Cell | CellSlice | undefined, bound: number): TreeSize {
  const seen = new LoadedCells();
  let [cells, bits, refs] = [0, 0, 0];

  function addSlice(slice: CellSlice): boolean {
    bits += slice.bits;
    refs += slice.refs;
    for (let i = slice.ref; i < slice.refEnd; i++) if (!addCell(slice.cell.ref(i))) return false;
    return true;
  }

  function addCell(cell: Cell): boolean {
    if (!seen.add(cell, 0)) return true;
    if (cells >= bound) return false;
    cells++;
    vm.registerLoad(cell);
    return addSlice(cellSlice(cell));
  }

  const isWhole = root === undefined || (root instanceof CellSlice ? addSlice(root) : addCell(root));
  return { cells, bits, refs, isWhole };
}
