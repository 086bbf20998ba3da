import { storeCell } from "../../../src/cell/codec.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { sliceCell, wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";

/** The hash of a stack as a cell; slices are first copied into cells of their own. */
export function stackHash(stack: VmStack): Hash {
  const cut = stack.map((value) =>
    value.kind === "slice" ? { ...value, slice: wholeSlice(sliceCell(value.slice)) } : value,
  );
  return storeCell(VmStack, cut).hash();
}
