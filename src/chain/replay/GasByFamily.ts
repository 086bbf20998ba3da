import { familyOf } from "../../tvm/machine/interpreter/instructions.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";

/** Gas per family of instructions, counted from the steps of a run. */
export class GasByFamily {
  readonly #gas = new Map<string, number>();
  #last: { readonly family: string; readonly gasUsed: number } | undefined;

  add({ operation, gasUsed }: Pick<MachineStep, "operation" | "gasUsed">): void {
    this.#charge(gasUsed);
    this.#last = { family: familyOf(operation), gasUsed };
  }

  /** The families and their gas, the most expensive first, given what the run used in all. */
  list(gasUsed: number): (readonly [family: string, gas: number])[] {
    this.#charge(gasUsed);
    this.#last = undefined;
    return [...this.#gas].sort((a, b) => b[1] - a[1]);
  }

  #charge(gasUsed: number): void {
    if (this.#last === undefined) return;
    const { family, gasUsed: before } = this.#last;
    this.#gas.set(family, (this.#gas.get(family) ?? 0) + gasUsed - before);
  }
}
