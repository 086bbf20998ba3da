import { Cell } from "../../cell/Cell.ts";
import { CellBuilder } from "../../tvm/machine/CellBuilder.ts";
import { CellSlice, cellSlice } from "../../tvm/machine/CellSlice.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { StackValue } from "../../tvm/machine/StackValue.ts";
import { showBits } from "../../tvm/machine/slices.ts";
import { columns } from "../terminal/screen.ts";
import type { Style } from "../terminal/style.ts";

/** One step of the machine as text values; the stack is from its top down. */
export interface ShownStep {
  /** Counted from one. */
  readonly step: number;
  readonly gasRemaining: number;
  readonly operation: string;
  /** The name of the method that a jump by number goes to, where an ABI has it. */
  readonly method?: string | undefined;
  readonly stack: readonly string[];
}

/** The stack of a machine changes with the next step, so that it is written at once. */
export function showStep(step: number, { operation, gasRemaining, stack }: MachineStep): ShownStep {
  return { step, gasRemaining, operation, stack: stack.map(formatValue).reverse() };
}

/** A value that is longer shows its beginning and its end. */
const maxValueLength = 24;
const indent = "        ";

/** A step as two lines of at most 80 columns: number, gas before it and instruction; then the stack, its top first. */
export function formatStep(
  { step, gasRemaining, operation, method, stack }: ShownStep,
  { accent, faint }: Style,
): string {
  const gas = String(gasRemaining).padStart(9);
  const begin = `${String(step).padStart(6)}  ${gas}  `;
  const shown = method === undefined ? operation : `${operation} → ${method}`;
  const values = fitValues(stack.map(cutValue), columns - indent.length);
  return `${faint(begin)}${accent(cutEnd(shown, columns - begin.length))}\n${indent}${values}\n`;
}

function cutEnd(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** As many values as fit, and how many more there are. */
function fitValues(values: readonly string[], width: number): string {
  if (values.length === 0) return "(empty)";
  const all = values.join("  ");
  if (all.length <= width) return all;
  let shown = "";
  let count = 0;
  for (const value of values) {
    const more = `  … ${values.length - count - 1} more`;
    if (shown.length + value.length + more.length > width) break;
    shown += `${value}  `;
    count += 1;
  }
  return `${shown}… ${values.length - count} more`;
}

function cutValue(text: string): string {
  if (text.length <= maxValueLength) return text;
  const half = (maxValueLength - 1) / 2;
  return `${text.slice(0, Math.ceil(half))}…${text.slice(-Math.floor(half))}`;
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
