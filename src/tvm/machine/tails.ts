import type { Cell } from "../../cell/Cell.ts";
import type { CellSlice } from "./CellSlice.ts";
import type { Tail } from "./instruction.ts";
import type { Continuation } from "./StackValue.ts";
import { showBits, withoutMark } from "./slices.ts";
import { codeContinuation } from "./Vm.ts";

export const refTail: Tail<Cell> = {
  size: () => ({ bits: 0, refs: 1 }),
  decode: (data) => data.cell.ref(data.ref),
  show: (cell) => `(${cell.hash().toUpperCase()})`,
};

export const twoRefsTail: Tail<readonly [Cell, Cell]> = {
  size: () => ({ bits: 0, refs: 2 }),
  decode: (data) => [data.cell.ref(data.ref), data.cell.ref(data.ref + 1)],
  show: (cells) => cells.map((cell) => `(${cell.hash().toUpperCase()})`).join(" "),
};

/** Bits with a completion mark, and references; the operands say how many. */
export function sliceTail(size: Tail<CellSlice>["size"]): Tail<CellSlice> {
  return { size, decode: withoutMark, show: (slice) => `x${showBits(slice)}` };
}

export function codeTail(size: Tail<Continuation>["size"]): Tail<Continuation> {
  return {
    size,
    decode: codeContinuation,
    show: ({ step }) => ("cell" in step ? `x${showBits(step)}` : ""),
  };
}
