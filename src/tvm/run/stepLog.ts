import type { VmLogDetail } from "../Executor.ts";
import type { MachineInput, MachineStep } from "../machine/MachineRun.ts";

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

  get text(): string {
    return this.#lines.join("");
  }

  #add({ operation, gasRemaining, stack }: MachineStep): void {
    if (this.#length > maxLength) return;
    const shown = this.#detail === "stack" ? `stack depth: ${stack.length}\n` : "";
    const line = `${shown}execute ${operation}\ngas remaining: ${gasRemaining}\n`;
    this.#length += line.length;
    this.#lines.push(line);
  }
}
