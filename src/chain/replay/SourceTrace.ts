import type { Hash } from "../../cell/Hash.ts";
import type { SourceLine } from "../../contracts/abi/files/sourceText.ts";
import type { SourceEntry, SourceMap } from "../../contracts/abi/source/SourceMap.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import { findMethodJump } from "./GasByMethod.ts";

/** Gas that the instructions of one line used; without a line: code that is not of the source. */
export interface LineGas extends Partial<SourceLine> {
  readonly gas: number;
  readonly steps: number;
}

/** Gas that was used in one line while these functions were called, the outermost first. */
export interface StackGas {
  readonly frames: readonly string[];
  readonly gas: number;
}

/** A procedure that runs. */
interface Frame {
  readonly proc: string;
  /** Where the code goes on when it returns. */
  readonly cell: Hash | undefined;
  readonly bit: number;
}

interface Counts {
  readonly line: { readonly line: SourceLine | undefined; gas: number; steps: number };
  readonly stack: { readonly frames: readonly string[]; gas: number };
}

interface LastStep extends Pick<MachineStep, "gasUsed" | "bit" | "operation"> {
  readonly cell: Hash;
  readonly entry: SourceEntry | undefined;
  readonly isCall: boolean;
}

type TracedStep = Pick<MachineStep, "cell" | "bit" | "operation" | "gasUsed" | "stack">;

/** Calls are followed to this depth. */
const maxFrames = 64;
/** Different call stacks that are told apart, and those that are listed. */
const maxStacks = 5000;
const maxListed = 500;
const call = /^(?:CALL|EXECUTE)/;

/** Lines, calls and gas of a run, counted from its steps. */
export class SourceTrace {
  readonly #map: SourceMap;
  readonly #lines = new Map<string, Counts["line"]>();
  readonly #stacks = new Map<string, Counts["stack"]>();
  /** Those of the calls that run, by what the map says: a run has many steps and few of these. */
  readonly #counts = new Map<SourceEntry | undefined, Counts>();
  #frames: readonly Frame[] = [];
  #call: { readonly cell: Hash; readonly bit: number } | undefined;
  #jump: { readonly method: number; readonly from: Hash } | undefined;
  #last: LastStep | undefined;
  /** Whether a line began with the last step. */
  hasNewLine = false;

  constructor(map: SourceMap) {
    this.#map = map;
  }

  /** What the map says of a step, which is the next one of the run. */
  add(step: TracedStep): SourceEntry | undefined {
    const cell = step.cell.hash();
    const entry = this.#map.find(cell, step.bit, step.operation);
    this.#charge(step.gasUsed);
    this.hasNewLine = entry !== undefined && this.#beginsLine(entry, cell, step);
    this.#follow(cell, step, entry);
    const isCall = call.test(step.operation);
    if (isCall && entry !== undefined) this.#call = { cell, bit: entry.end };
    const method = findMethodJump(step);
    this.#jump = method === undefined ? undefined : { method, from: cell };
    this.#last = { gasUsed: step.gasUsed, entry, isCall, cell, bit: step.bit, operation: step.operation };
    return entry;
  }

  /** The lines and their gas, the most expensive first, given what the run used in all. */
  listLines(gasUsed: number): readonly LineGas[] {
    this.#finish(gasUsed);
    const lines = [...this.#lines.values()].map(({ line, gas, steps }) => ({ ...line, gas, steps }));
    return lines.sort((a, b) => b.gas - a.gas);
  }

  /** The call stacks and their gas, the most expensive first. */
  listStacks(gasUsed: number): readonly StackGas[] {
    this.#finish(gasUsed);
    const stacks = [...this.#stacks.values()].sort((a, b) => b.gas - a.gas);
    const rest = stacks.slice(maxListed).reduce((sum, { gas }) => sum + gas, 0);
    const listed = stacks.slice(0, maxListed).map(({ frames, gas }) => ({ frames, gas }));
    return rest === 0 ? listed : [...listed, { frames: ["(other calls)"], gas: rest }];
  }

  /** The step before it has another line, or ended a round of a loop. */
  #beginsLine({ file, line }: SourceEntry, cell: Hash, { bit }: TracedStep): boolean {
    const last = this.#last;
    if (last?.entry?.file !== file || last.entry.line !== line) return true;
    return last.operation === "implicit RET" && last.cell === cell && bit < last.bit;
  }

  #finish(gasUsed: number): void {
    this.#charge(gasUsed);
    this.#last = undefined;
  }

  #follow(cell: Hash, { bit }: TracedStep, entry: SourceEntry | undefined): void {
    const returned = this.#frames.findLastIndex((frame) => frame.cell === cell && frame.bit === bit);
    if (returned >= 0) this.#setFrames(this.#frames.slice(0, returned));
    if (this.#jump !== undefined && this.#jump.from !== cell) {
      const { method } = this.#jump;
      this.#enter(this.#map.findProc(method) ?? `method ${method}`);
      return;
    }
    if (entry?.proc !== undefined && entry.proc !== this.#frames.at(-1)?.proc) this.#moveTo(entry.proc);
  }

  /** A call of code that is not found by a number, or a jump out of procedures, such as an exception. */
  #moveTo(proc: string): void {
    const found = this.#frames.findLastIndex((frame) => frame.proc === proc);
    if (found >= 0 && this.#last?.isCall !== true) this.#setFrames(this.#frames.slice(0, found + 1));
    else this.#enter(proc);
  }

  #enter(proc: string): void {
    const { cell, bit } = this.#call ?? { cell: undefined, bit: 0 };
    this.#call = undefined;
    if (this.#frames.length < maxFrames) this.#setFrames([...this.#frames, { proc, cell, bit }]);
  }

  #charge(gasUsed: number): void {
    if (this.#last === undefined) return;
    const { entry, gasUsed: before } = this.#last;
    let counts = this.#counts.get(entry);
    if (counts === undefined) {
      counts = this.#makeCounts(entry);
      this.#counts.set(entry, counts);
    }
    counts.line.gas += gasUsed - before;
    counts.line.steps += 1;
    counts.stack.gas += gasUsed - before;
  }

  #makeCounts(entry: SourceEntry | undefined): Counts {
    const name = entry === undefined ? "(other code)" : `${entry.file}:${entry.line}`;
    const line = this.#lines.get(name) ?? { line: entry && { file: entry.file, line: entry.line }, gas: 0, steps: 0 };
    this.#lines.set(name, line);
    const procs = this.#frames.map(({ proc }) => proc);
    const inlined = entry?.function !== undefined && entry.function !== procs.at(-1) ? [entry.function] : [];
    const frames = this.#stacks.size < maxStacks ? [...procs, ...inlined, name] : ["(other calls)"];
    const key = frames.join("\n");
    const stack = this.#stacks.get(key) ?? { frames, gas: 0 };
    this.#stacks.set(key, stack);
    return { line, stack };
  }

  #setFrames(frames: readonly Frame[]): void {
    this.#frames = frames;
    this.#counts.clear();
  }
}
