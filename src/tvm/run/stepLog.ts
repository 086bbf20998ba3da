import { Cell } from "../../cell/Cell.ts";
import type { VmLogDetail } from "../Executor.ts";
import { CellBuilder } from "../machine/CellBuilder.ts";
import { CellSlice } from "../machine/CellSlice.ts";
import type { MachineEnd, MachineInput, MachineStep } from "../machine/MachineRun.ts";
import type { StackValue } from "../machine/StackValue.ts";
import { showBits } from "../machine/slices.ts";

const outOfGas = -14;

/** Longest log that is kept; what comes after is left out. */
const maxLength = 32 << 20;

/** Values of a stack that are shown; of a deeper one the top. */
const maxShown = 255;

function showStack(stack: readonly StackValue[]): string {
  return `[ ${stack.slice(-maxShown).map(showValue).join(" ")} ]`;
}

function showValue(value: StackValue): string {
  if (value === null) return "(null)";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof Cell) return `C{${value.hash()}}`;
  if (value instanceof CellSlice) return `CS{${showBits(value)}}`;
  return value instanceof CellBuilder ? "BC{}" : Array.isArray(value) ? `[${value.length} items]` : "Cont{}";
}

export class StepLog {
  readonly #detail: VmLogDetail;
  readonly #onStep: MachineInput["onStep"] | undefined;
  readonly #lines: string[] = [];
  #length = 0;

  /** Another listener gets the steps, too. */
  constructor(detail: VmLogDetail = "none", onStep?: MachineInput["onStep"]) {
    this.#detail = detail;
    this.#onStep = onStep;
  }

  /** The listener for the machine; none where nobody listens, because it makes runs slower. */
  get listener(): MachineInput["onStep"] {
    return this.#detail === "none" && this.#onStep === undefined ? undefined : (step) => this.#add(step);
  }

  /** All of it, in the words nodes have for how a run ended. */
  textWith({ exitCode, gasUsed, gasLimit }: MachineEnd): string {
    const steps = this.#lines.join("");
    if (this.#detail === "none" || exitCode === 0 || exitCode === 1) return steps;
    if (exitCode === outOfGas)
      return `${steps}unhandled out-of-gas exception: gas consumed=${gasUsed}, limit=${gasLimit}\n`;
    return `${steps}default exception handler, terminating vm with exit code ${exitCode}\n`;
  }

  #add(step: MachineStep): void {
    this.#onStep?.(step);
    if (this.#detail === "none" || this.#length > maxLength) return;
    const { operation, gasRemaining, stack } = step;
    const shown = this.#detail === "stack" ? `stack: ${showStack(stack)}\ngas remaining: ${gasRemaining}\n` : "";
    const line = `${shown}execute ${operation}\n`;
    this.#length += line.length;
    this.#lines.push(line);
  }
}
