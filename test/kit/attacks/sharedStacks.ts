import type { Cell } from "../../../src/cell/Cell.ts";
import type { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import { makeCellTree } from "../cell/cellTrees.ts";

/** How many values a tuple may have. */
const width = 255;

function repeat(value: VmStackValue, count = width): VmStackValue {
  return { kind: "tuple", items: Array.from({ length: count }, () => value) };
}

/** Tuples that hold one tuple in all places: 255 to the power of the levels entries, for the memory of a few tuples. */
export function nestedTuples(levels: number): VmStackValue {
  let value: VmStackValue = { kind: "int", value: 1n };
  for (let level = 0; level < levels; level++) value = repeat(value);
  return value;
}

/** The same bag in 31 × 255 places. */
export function repeatedBag(cell: Cell = makeCellTree(300, 7)): VmStackValue {
  return repeat(repeat({ kind: "cell", cell }), 31);
}
