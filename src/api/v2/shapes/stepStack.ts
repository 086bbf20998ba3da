import { Type } from "typebox";
import { Cell } from "../../../cell/Cell.ts";
import { isCoded } from "../../../lib/errors.ts";
import { objectSchema } from "../../../lib/kit/shape.ts";
import { CellBuilder, emptyBuilder } from "../../../tvm/machine/CellBuilder.ts";
import { CellSlice, cellSlice } from "../../../tvm/machine/CellSlice.ts";
import type { StackValue } from "../../../tvm/machine/StackValue.ts";
import { appendSlice, showBits } from "../../../tvm/machine/slices.ts";
import type { CellBag } from "./CellBag.ts";
import { hash64 } from "./scalars.ts";

/** How many values of a stack and of a tuple are shown, and how deep tuples are. */
const maxValues = 32;
const deepest = 4;

/** One value of the stack of the machine, as a step shows it. */
interface ShownValue {
  readonly type: "int" | "null" | "cell" | "slice" | "builder" | "tuple" | "cont";
  readonly value?: string;
  readonly bits?: string;
  readonly refs?: number;
  readonly hash?: string;
  readonly length?: number;
  readonly items?: readonly ShownValue[];
}

export const stackValueSchema = {
  ...objectSchema({
    type: [
      "Type of the value; `cont` is a continuation.",
      Type.Union(["int", "null", "cell", "slice", "builder", "tuple", "cont"].map((word) => Type.Literal(word))),
    ],
    value: ["Number of an `int`, in decimal; `NaN` is possible.", Type.Optional(Type.String())],
    bits: [
      "Bits of a cell, slice or builder as hex; an underscore ends a part of a digit.",
      Type.Optional(Type.String()),
    ],
    refs: ["Number of references of a cell, slice or builder.", Type.Optional(Type.Integer())],
    hash: ["Hash of the same bits and references as a cell, in base64.", Type.Optional(hash64.schema)],
    length: ["Number of items of a tuple.", Type.Optional(Type.Integer())],
    items: ["First items of a tuple, as values of the same kind.", Type.Optional(Type.Array(Type.Unknown()))],
  }),
  $id: "replay.value",
};

/** The values on top of a stack; the cells among them go into the bag. */
export function encodeStack(stack: readonly StackValue[], bag: CellBag): ShownValue[] {
  return stack.slice(-maxValues).map((value) => encodeValue(value, bag, 0));
}

function encodeValue(value: StackValue, bag: CellBag, depth: number): ShownValue {
  if (value === null) return { type: "null" };
  if (typeof value === "number" || typeof value === "bigint") return { type: "int", value: String(value) };
  if (value instanceof Cell) return { type: "cell", ...encodeContent(cellSlice(value), value, bag) };
  if (value instanceof CellSlice) return { type: "slice", ...encodeContent(value, cellOf(value), bag) };
  if (value instanceof CellBuilder) return encodeBuilder(value, bag);
  if (!Array.isArray(value)) return { type: "cont" };
  const items = depth < deepest ? value.slice(0, maxValues).map((each) => encodeValue(each, bag, depth + 1)) : [];
  return { type: "tuple", length: value.length, items };
}

function encodeBuilder(builder: CellBuilder, bag: CellBag): ShownValue {
  const cell = orUndefined(() => builder.cell());
  return { type: "builder", ...(cell === undefined ? {} : encodeContent(cellSlice(cell), cell, bag)) };
}

function encodeContent(slice: CellSlice, cell: Cell | undefined, bag: CellBag): Omit<ShownValue, "type"> {
  const hash = cell === undefined ? {} : { hash: hash64.encode(bag.add(cell)) };
  return { bits: showBits(slice), refs: slice.refs, ...hash };
}

function cellOf(slice: CellSlice): Cell | undefined {
  return orUndefined(() => appendSlice(emptyBuilder(), slice).cell());
}

/** References to cells at the limit of depth can be held but not be put into a further cell. */
function orUndefined(make: () => Cell): Cell | undefined {
  try {
    return make();
  } catch (error) {
    if (isCoded(error, "cell/depth")) return undefined;
    throw error;
  }
}
