import { Cell } from "../../cell/Cell.ts";
import { CellBuilder } from "./CellBuilder.ts";
import { CellSlice } from "./CellSlice.ts";
import type { StackValue } from "./StackValue.ts";

/** A number for each type of values, as their serialized form has it. */
export function typeNumber(value: StackValue): number {
  if (value === null) return 0;
  if (typeof value === "number" || typeof value === "bigint") return 1;
  if (value instanceof Cell) return 3;
  if (value instanceof CellSlice) return 4;
  if (value instanceof CellBuilder) return 5;
  return Array.isArray(value) ? 7 : 6;
}
