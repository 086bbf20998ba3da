import { GasByFamily } from "../../chain/replay/GasByFamily.ts";
import { findMethodJump, GasByMethod, type MethodGas } from "../../chain/replay/GasByMethod.ts";
import { type LineGas, SourceTrace } from "../../chain/replay/SourceTrace.ts";
import { findSourceLine } from "../../contracts/abi/files/sourceText.ts";
import type { SourceMap } from "../../contracts/abi/source/SourceMap.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { ContractWords } from "./contractWords.ts";
import { type ShownStep, showLine, showStep } from "./formatStep.ts";

interface RecordedStep {
  readonly step: ShownStep;
  /** The number of the method that it jumps to. */
  readonly jump: number | undefined;
  /** The number of the method that begins with it. */
  readonly begins: number | undefined;
  /** Whether the step before it had another line. */
  readonly isNewLine: boolean;
}

/** The steps of a run from one on, as text, and the gas of all. */
export class StepRecorder {
  readonly #from: number;
  readonly #families = new GasByFamily();
  readonly #methods = new GasByMethod();
  readonly #steps: RecordedStep[] = [];
  #trace: SourceTrace | undefined;
  #map: SourceMap | undefined;
  #count = 0;
  #jump: number | undefined;

  constructor(from: number) {
    this.#from = from;
  }

  /** The lines of the code that is about to run. */
  set map(map: SourceMap | undefined) {
    this.#map = map;
    this.#trace = map && new SourceTrace(map);
  }

  add(step: MachineStep): void {
    this.#families.add(step);
    this.#methods.add(step);
    const entry = this.#trace?.add(step);
    const begins = this.#jump;
    this.#jump = findMethodJump(step);
    this.#count += 1;
    if (this.#count < this.#from) return;
    const shown = showStep(this.#count, step);
    const source = entry && showLine(entry, this.#map?.findText(entry) ?? "", shown.stack);
    this.#steps.push({
      step: source === undefined ? shown : { ...shown, source },
      jump: this.#jump,
      begins,
      isNewLine: this.#trace?.hasNewLine === true,
    });
  }

  listGas(gasUsed: number): {
    readonly families: readonly (readonly [family: string, gas: number])[];
    readonly methods: readonly MethodGas[];
    readonly lines: readonly LineGas[];
  } {
    return {
      families: this.#families.list(gasUsed),
      methods: this.#methods.list(gasUsed),
      lines: this.#trace?.listLines(gasUsed) ?? [],
    };
  }

  /** All steps, or those at places: `FILE:LINE`, the name of a method, `exit`. */
  listSteps(words: ContractWords | undefined, breaks: string | undefined): readonly ShownStep[] {
    const nameOf = (id: number | undefined) =>
      id === undefined ? undefined : (words?.findMethod(id) ?? this.#map?.findProc(id));
    const isStop = breaks === undefined ? () => true : this.#stopsAt(breaks, nameOf);
    return this.#steps.filter(isStop).map(({ step, jump }) => {
      const method = nameOf(jump);
      return method === undefined ? step : { ...step, method };
    });
  }

  #stopsAt(breaks: string, nameOf: (id: number | undefined) => string | undefined) {
    const names = breaks.split(",").map((each) => each.trim());
    const lines = names.flatMap((each) => findSourceLine(each) ?? []);
    return ({ step, begins, isNewLine }: RecordedStep): boolean => {
      const { source } = step;
      if (step.step === this.#count && names.includes("exit")) return true;
      const proc = begins === undefined ? undefined : this.#map?.findProc(begins);
      if (begins !== undefined && [nameOf(begins), proc, String(begins)].some((each) => each && names.includes(each)))
        return true;
      return isNewLine && lines.some(({ file, line }) => file === source?.file && line === source.line);
    };
  }
}
