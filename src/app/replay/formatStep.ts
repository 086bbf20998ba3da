import { Cell } from "../../cell/Cell.ts";
import { CellBuilder } from "../../tvm/machine/CellBuilder.ts";
import { CellSlice, cellSlice } from "../../tvm/machine/CellSlice.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { StackValue } from "../../tvm/machine/StackValue.ts";
import { showBits } from "../../tvm/machine/slices.ts";

/** One step as a line: gas before it, instruction, stack. */
export function formatStep({ operation, gasRemaining, stack }: MachineStep): string {
  return `${String(gasRemaining).padStart(9)} ${operation.padEnd(32)} [ ${stack.map(formatValue).join(" ")} ]`;
}

function formatValue(value: StackValue): string {
  if (value === null) return "()";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof Cell) return `C${formatContent(cellSlice(value))}`;
  if (value instanceof CellSlice) return `CS${formatContent(value)}`;
  if (value instanceof CellBuilder) return `BC${formatContent(cellSlice(value.cell()))}`;
  return Array.isArray(value) ? `[ ${value.map(formatValue).join(" ")} ]` : "Cont";
}

/** The bits in hex, and the hashes of the cells below. */
function formatContent(slice: CellSlice): string {
  const refs: string[] = [];
  for (let i = slice.ref; i < slice.refEnd; i++) refs.push(slice.cell.ref(i).hash());
  return `{x${showBits(slice)}${refs.map((hash) => ` ^${hash}`).join("")}}`;
}
