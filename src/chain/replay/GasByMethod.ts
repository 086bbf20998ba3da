import type { Cell } from "../../cell/Cell.ts";
import type { Hash } from "../../cell/Hash.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { StackValue } from "../../tvm/machine/StackValue.ts";

/** Gas that the instructions of one method used. */
export interface MethodGas {
  /** Absent for instructions that belong to no method: the choice of the method, and code that came from elsewhere. */
  readonly method: number | undefined;
  readonly gas: number;
}

/** Jumps into a dictionary by a number, which is below the dictionary and the length of its keys. */
const methodJump = /^DICT[IU]GET(?:JMP|EXEC)Z?$/;
const methodBits = 19;
/** Cells of all methods of a run together that are looked at. */
const maxCells = 20_000;

/** The number of the method that a step jumps to. */
export function findMethodJump({ operation, stack }: Pick<MachineStep, "operation" | "stack">): number | undefined {
  const [id, , bits] = methodJump.test(operation) ? stack.slice(-3) : [];
  const isNumber = (value: StackValue | undefined) => typeof value === "number" || typeof value === "bigint";
  return isNumber(id) && isNumber(bits) && Number(bits) === methodBits ? Number(id) : undefined;
}

/**
 * Gas per method, counted from the steps of a run: an instruction belongs to the method whose code has its cell, so
 * that what a method calls and what goes on after it are told apart. Code that two methods share belongs to the first
 * that ran.
 */
export class GasByMethod {
  readonly #gas = new Map<Hash, number>();
  readonly #methods = new Map<number, Cell>();
  #jump: { readonly method: number; readonly from: Hash } | undefined;
  #last: { readonly cell: Hash; readonly gasUsed: number } | undefined;

  add(step: Pick<MachineStep, "cell" | "operation" | "gasUsed" | "stack">): void {
    const { cell, gasUsed } = step;
    this.#charge(gasUsed);
    this.#last = { cell: cell.hash(), gasUsed };
    // A jump that found nothing goes on in its own cell.
    if (this.#jump !== undefined && this.#jump.from !== this.#last.cell && !this.#methods.has(this.#jump.method))
      this.#methods.set(this.#jump.method, cell);
    const method = findMethodJump(step);
    this.#jump = method === undefined ? undefined : { method, from: this.#last.cell };
  }

  /** The methods and their gas, the most expensive first, given what the run used in all. */
  list(gasUsed: number): readonly MethodGas[] {
    this.#charge(gasUsed);
    this.#last = undefined;
    const owners = this.#findOwners();
    const sums = new Map<number | undefined, number>();
    for (const [cell, gas] of this.#gas) sums.set(owners.get(cell), (sums.get(owners.get(cell)) ?? 0) + gas);
    return [...sums].map(([method, gas]) => ({ method, gas })).sort((a, b) => b.gas - a.gas);
  }

  #charge(gasUsed: number): void {
    if (this.#last === undefined) return;
    const { cell, gasUsed: before } = this.#last;
    this.#gas.set(cell, (this.#gas.get(cell) ?? 0) + gasUsed - before);
  }

  /** The methods by the cells of their codes. */
  #findOwners(): ReadonlyMap<Hash, number> {
    const owners = new Map<Hash, number>();
    for (const [method, root] of this.#methods) {
      const waiting = [root];
      for (let cell = waiting.pop(); cell !== undefined && owners.size < maxCells; cell = waiting.pop()) {
        if (owners.has(cell.hash())) continue;
        owners.set(cell.hash(), method);
        if (!cell.isExotic) for (let at = 0; at < cell.refCount; at++) waiting.push(cell.ref(at));
      }
    }
    return owners;
  }
}
