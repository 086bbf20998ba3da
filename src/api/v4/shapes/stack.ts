import { Type } from "typebox";
import { plainForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { ChainError } from "../../../chain/errors.ts";
import { field } from "../../../lib/kit/shape.ts";
import { sliceCell } from "../../../model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import { ApiError } from "../../declare/errors.ts";
import { mostEntries, tooManyEntries } from "../../v2/stackLimits.ts";

/** How deep tuples may be nested in an answer. */
const mostDepth = 256;

function bag(cell: Cell): string {
  return writeBoc(cell, plainForm).toString("base64");
}

function encodeItem(value: VmStackValue, depth: number, spend: () => void): object {
  spend();
  if (depth >= mostDepth)
    throw new ChainError("chain/stack-depth", `Result stack depth >= ${mostDepth}`, { data: { limit: mostDepth } });
  switch (value.kind) {
    case "int":
      return { type: "int", value: value.value.toString() };
    case "nan":
      return { type: "nan" };
    case "cell":
      return { type: "cell", cell: bag(value.cell) };
    case "slice":
      return { type: "slice", cell: bag(sliceCell(value.slice)) };
    case "builder":
      return { type: "builder", cell: bag(value.cell) };
    case "tuple":
      return { type: "tuple", items: value.items.map((item) => encodeItem(item, depth + 1, spend)) };
    // A continuation has no form here; the raw stack has it.
    default:
      return { type: "null" };
  }
}

/** A stack, bottom first. */
export const stackItems = field({
  schema: Type.Array(Type.Object({ type: Type.String() })),
  encode: (stack: VmStack) => {
    let left = mostEntries;
    const spend = () => {
      if (--left < 0) throw new ApiError("api/stack-value", tooManyEntries);
    };
    return stack.map((value) => encodeItem(value, 0, spend));
  },
});
