import { storeCell } from "../../../src/cell/codec.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { sliceCell, wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";

/** A stack as the hash of a cell; slices are cut out of the cells they lie in first. */
export function stackHash(stack: VmStack): Hash {
  const cut = stack.map((value) =>
    value.kind === "slice" ? { ...value, slice: wholeSlice(sliceCell(value.slice)) } : value,
  );
  return storeCell(VmStack, cut).hash();
}
