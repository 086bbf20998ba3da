import type { VmLogDetail } from "../Executor.ts";
import type { MachineEnd, MachineInput, MachineStep } from "../machine/MachineRun.ts";

const outOfGas = -14;

/** Longest log that is kept; what comes after is left out. */
const maxLength = 32 << 20;

/** The steps of a run as text. */
export class StepLog {
  readonly #detail: VmLogDetail;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(detail: VmLogDetail = "none") {
    this.#detail = detail;
  }

  /** The listener for the machine; none while nothing is to be told, because one makes runs slower. */
  get listener(): Pick<MachineInput, "onStep"> {
    return this.#detail === "none" ? {} : { onStep: (step) => this.#add(step) };
  }

  /** All of it, in the words nodes have for how a run ended. */
  textWith({ exitCode, gasUsed, gasLimit }: MachineEnd): string {
    const steps = this.#lines.join("");
    if (this.#detail === "none" || exitCode === 0 || exitCode === 1) return steps;
    if (exitCode === outOfGas)
      return `${steps}unhandled out-of-gas exception: gas consumed=${gasUsed}, limit=${gasLimit}\n`;
    return `${steps}default exception handler, terminating vm with exit code ${exitCode}\n`;
  }

  #add({ operation, gasRemaining, stack }: MachineStep): void {
    if (this.#length > maxLength) return;
    const shown = this.#detail === "stack" ? `stack: ${stack.length} values\ngas remaining: ${gasRemaining}\n` : "";
    const line = `${shown}execute ${operation}\n`;
    this.#length += line.length;
    this.#lines.push(line);
  }
}
