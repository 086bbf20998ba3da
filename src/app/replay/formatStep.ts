import { Cell } from "../../cell/Cell.ts";
import type { SourceEntry } from "../../contracts/abi/source/SourceMap.ts";
import { toPrintable } from "../../lib/printable.ts";
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
  /** The line of the source that it comes from, where the source is known. */
  readonly source?: ShownLine | undefined;
}

/** A line of a source, and the variables that are on the stack. */
export interface ShownLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly function?: string | undefined;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** What a source map says of a step; names and texts come from whoever wrote the source. */
export function showLine(entry: SourceEntry, text: string, stack: readonly string[]): ShownLine {
  const { file, line, function: name, names = [] } = entry;
  const variables = names.flatMap((each, at) => {
    const value = stack[names.length - 1 - at];
    return each === undefined || value === undefined ? [] : { name: toPrintable(each), value };
  });
  const shown = { file: toPrintable(file), line, text: toPrintable(text.trim()).slice(0, maxLineLength) };
  return { ...shown, ...(name !== undefined && { function: toPrintable(name) }), variables };
}

const maxLineLength = 200;

/** The stack of a machine changes with the next step, so that it is written at once. */
export function showStep(step: number, { operation, gasRemaining, stack }: MachineStep): ShownStep {
  return { step, gasRemaining, operation, stack: stack.map(formatValue).reverse() };
}

/** A value that is longer shows its beginning and its end. */
const maxValueLength = 24;
const indent = "        ";

/**
 * A step as two lines of at most 80 columns: number, gas before it and instruction; then the stack, its top first.
 * Where the source is known, its line and the variables come before.
 */
export function formatStep(shownStep: ShownStep, style: Style): string {
  const { step, gasRemaining, operation, method, stack, source } = shownStep;
  const { accent, faint } = style;
  const gas = String(gasRemaining).padStart(9);
  const begin = `${String(step).padStart(6)}  ${gas}  `;
  const shown = method === undefined ? operation : `${operation} → ${method}`;
  const values = fitValues(stack.map(cutValue), columns - indent.length);
  const lines = source === undefined ? "" : formatLine(source, style);
  return `${lines}${faint(begin)}${accent(cutEnd(shown, columns - begin.length))}\n${indent}${values}\n`;
}

/** The line with its text, and below it the variables. */
function formatLine({ file, line, text, variables }: ShownLine, { faint }: Style): string {
  const place = `${file}:${line}`;
  const values = variables.map(({ name, value }) => `${name} = ${cutValue(value)}`);
  const listed = values.length === 0 ? "" : `${indent}${faint(fitValues(values, columns - indent.length))}\n`;
  return `${cutEnd(`${place}  ${text}`, columns)}\n${listed}`;
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
