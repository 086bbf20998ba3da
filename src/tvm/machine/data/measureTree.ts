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

/** Cells that are counted before others get their turn. */
const partCells = 100;

/**
 * Counts different cells below a root, each loaded at its price; exotic cells count as they are. What follows is done
 * when all are counted: gas allows tens of thousands of them.
 */
export function measureTree(
  vm: Vm,
  root: Cell | CellSlice | undefined,
  bound: number,
  finish: (size: TreeSize) => void,
): void {
  const loadedCells = new LoadedCells();
  const waiting: Cell[] = [];
  let [cells, bits, refs] = [0, 0, 0];
  const end = (isWhole: boolean): true => {
    finish({ cells, bits, refs, isWhole });
    return true;
  };
  const addSlice = (slice: CellSlice): void => {
    bits += slice.bits;
    refs += slice.refs;
    for (let i = slice.refEnd - 1; i >= slice.ref; i--) waiting.push(slice.cell.ref(i));
  };
  if (root instanceof CellSlice) addSlice(root);
  else if (root !== undefined) waiting.push(root);
  vm.startWork(() => {
    for (let i = 0; i < partCells; i++) {
      const cell = waiting.pop();
      if (cell === undefined) return end(true);
      if (!loadedCells.add(cell, 0)) continue;
      if (cells >= bound) return end(false);
      cells++;
      vm.registerLoad(cell);
      addSlice(cellSlice(cell));
    }
    return false;
  });
}
