import type { SourceLine } from "../../contracts/abi/files/sourceText.ts";
import type { FindSourceMap, SourceEntry } from "../../contracts/abi/source/SourceMap.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import type { Address } from "../../model/Address.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { Chain } from "../Chain.ts";
import { GasByFamily } from "./GasByFamily.ts";
import { GasByMethod, type MethodGas } from "./GasByMethod.ts";
import { type PreparedRun, type Replay, replayTransaction } from "./replay.ts";
import { type LineGas, SourceTrace, type StackGas } from "./SourceTrace.ts";

/** Which steps of a run are wanted. */
export interface StepRange {
  /** The number of the first one, from zero. */
  readonly from: number;
  readonly limit: number;
  /** The first one is the next at which one of these lines begins; none: the one with the number. */
  readonly breaks?: readonly SourceLine[] | undefined;
}

/** One step of a run. */
export interface ReplayedStep extends MachineStep {
  readonly index: number;
  /** What it cost. */
  readonly gas: number;
  readonly source: SourceEntry | undefined;
}

/** A transaction that was run again, with a part of its steps. */
export interface SteppedReplay {
  readonly replay: Replay;
  readonly totalSteps: number;
  /** The step with which the code failed; `undefined` when it did not. */
  readonly failedStep: number | undefined;
  readonly gasByFamily: readonly (readonly [family: string, gas: number])[];
  readonly gasByMethod: readonly MethodGas[];
  /** None where the source is not known. */
  readonly gasByLine: readonly LineGas[];
  readonly gasByStack: readonly StackGas[];
  readonly steps: readonly ReplayedStep[];
}

/** Runs a transaction again and keeps the steps of a range. */
export async function replaySteps(
  chain: Chain,
  address: Address,
  point: TransactionPoint,
  range: StepRange,
  findSourceMap?: FindSourceMap,
): Promise<SteppedReplay> {
  const collector = new StepCollector(range);
  const prepare = async ({ codeHash }: PreparedRun) => {
    const map = codeHash === undefined ? undefined : await findSourceMap?.({ address, codeHash });
    if (map !== undefined) collector.trace = new SourceTrace(map);
    return (step: MachineStep) => collector.add(step);
  };
  const replay = await replayTransaction(chain, address, point, { prepare });
  return { replay, ...collector.finish(gasUsedBy(replay), isFailed(replay)) };
}

function gasUsedBy({ outcome }: Replay): number | undefined {
  return outcome.kind === "done" ? Number(outcome.gasUsed) : undefined;
}

/** An exit code is a failure of the compute phase unless it is one of the two of success. */
function isFailed({ outcome }: Replay): boolean {
  if (outcome.kind === "failed") return true;
  return outcome.exitCode !== undefined && outcome.exitCode !== 0 && outcome.exitCode !== 1;
}

/** Counts all steps of a run and keeps those of a range. */
class StepCollector {
  readonly #range: StepRange;
  readonly #gas = new GasByFamily();
  readonly #methodGas = new GasByMethod();
  readonly #kept: (Omit<ReplayedStep, "gas"> & { gasAfter: number })[] = [];
  /** Where the source is known. */
  trace: SourceTrace | undefined;
  /** The number of the first step that is kept; not known before the line is reached. */
  #from: number | undefined;
  #last: MachineStep | undefined;
  #count = 0;

  constructor(range: StepRange) {
    this.#range = range;
    this.#from = range.breaks === undefined ? range.from : undefined;
  }

  add(step: MachineStep): void {
    // A step that waited for a library or another thread is reported once more when it runs.
    if (isSameStep(this.#last, step)) return;
    this.#closeLast(step.gasUsed);
    this.#last = step;
    this.#gas.add(step);
    this.#methodGas.add(step);
    const source = this.trace?.add(step);
    const index = this.#count++;
    const { from, limit } = this.#range;
    if (this.#from === undefined && index >= from && this.#isBreak(source)) this.#from = index;
    if (this.#from !== undefined && index >= this.#from && index < this.#from + limit)
      this.#kept.push({ ...step, index, source, gasAfter: step.gasUsed });
  }

  #isBreak(source: SourceEntry | undefined): boolean {
    if (source === undefined || this.trace?.hasNewLine !== true) return false;
    return this.#range.breaks?.some(({ file, line }) => file === source.file && line === source.line) === true;
  }

  finish(gasUsed: number | undefined, isFailed: boolean): Omit<SteppedReplay, "replay"> {
    const total = gasUsed ?? this.#last?.gasUsed ?? 0;
    this.#closeLast(total);
    return {
      totalSteps: this.#count,
      failedStep: isFailed && this.#count > 0 ? this.#count - 1 : undefined,
      gasByFamily: this.#gas.list(total),
      gasByMethod: this.#methodGas.list(total),
      gasByLine: this.trace?.listLines(total) ?? [],
      gasByStack: this.trace?.listStacks(total) ?? [],
      steps: this.#kept.map(({ gasAfter, ...step }) => ({ ...step, gas: gasAfter - step.gasUsed })),
    };
  }

  /** What a step cost is known when the next one begins. */
  #closeLast(gasUsed: number): void {
    const kept = this.#kept.at(-1);
    if (kept !== undefined && kept.index === this.#count - 1) kept.gasAfter = gasUsed;
  }
}

function isSameStep(last: MachineStep | undefined, next: MachineStep): boolean {
  return last !== undefined && last.gasUsed === next.gasUsed && last.cell === next.cell && last.bit === next.bit;
}
