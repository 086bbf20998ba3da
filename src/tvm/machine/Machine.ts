import { CellKind } from "../../cell/CellKind.ts";
import { libraryHash } from "../../cell/exotic.ts";
import type { Hash } from "../../cell/Hash.ts";
import { emptyBuilder } from "./CellBuilder.ts";
import { type CellSlice, cellSlice } from "./CellSlice.ts";
import { LibraryNeeded, OutOfGas } from "./exceptions.ts";
import { endOutOfGas, execute, type Pause } from "./execute.ts";
import type { MachineEnd, MachineInput, MachineProgress, MachineRun } from "./MachineRun.ts";
import { codesOf } from "./table.ts";
import { type Host, type ParentLink, Vm } from "./Vm.ts";

const defaultDataDepth = 512;

/** Prepares a run of code. Nothing happens before `run` is called. */
export function openMachine(input: MachineInput): MachineRun {
  return new Machine(input);
}

class Machine implements MachineRun {
  readonly #input: MachineInput;
  readonly #host: Host;
  #vm: Vm | undefined;

  constructor(input: MachineInput) {
    this.#input = input;
    const { findLibrary, maxLibraryLoads, maxDataDepth = defaultDataDepth, signatures, heavy, onStep } = input;
    const version = input.globalVersion;
    const codes = codesOf(version);
    const libraries = new Set<Hash>();
    this.#host = {
      ...{ version, codes, maxDataDepth, libraries, missingLibrary: undefined, computed: undefined },
      ...(findLibrary === undefined ? {} : { findLibrary }),
      ...(maxLibraryLoads === undefined ? {} : { maxLibraryLoads }),
      ...(signatures === undefined ? {} : { signatures }),
      ...(heavy === undefined ? {} : { heavy }),
      ...(onStep === undefined ? {} : { onStep }),
    };
  }

  run(budget: number, computed?: { readonly value: unknown }): MachineProgress {
    this.#host.computed = computed;
    try {
      this.#vm ??= this.#start();
    } catch (error) {
      if (error instanceof LibraryNeeded) return { kind: "wantsLibrary", hash: error.hash };
      throw error;
    }
    return this.#continue(this.#vm, budget);
  }

  #start(): Vm {
    const { stack, gas, data, c7 } = this.#input;
    return new Vm(this.#host, { code: this.#openCode(), stack, gas, data, c7, ownC3: true });
  }

  /** Code that is no ordinary cell is run from a cell that refers to it, where its load is charged and may fail. */
  #openCode(): CellSlice {
    const { code, globalVersion, findLibrary, libraryCode } = this.#input;
    if (code.kind === CellKind.ordinary) return cellSlice(code);
    if (code.kind === CellKind.library && globalVersion >= 9 && libraryCode !== "load") {
      const found = findLibrary?.(libraryHash(code));
      if (found === "unknown") throw new LibraryNeeded(libraryHash(code));
      if (found?.kind === CellKind.ordinary) return cellSlice(found);
    }
    return cellSlice(emptyBuilder().withRef(code).cell());
  }

  #continue(from: Vm, budget: number): MachineProgress {
    let vm = from;
    vm.budget = budget;
    for (;;) {
      const pause = execute(vm);
      if (pause !== undefined) return this.#pause(vm, pause);
      if (vm.child !== undefined) {
        vm = enterChild(vm, vm.child);
      } else if (vm.exitCode === undefined) {
        return this.#pause(vm, undefined);
      } else {
        commitAtEnd(vm, vm.exitCode);
        if (vm.parent === undefined) return this.#end(vm);
        vm = returnToParent(vm, vm.parent);
      }
    }
  }

  #pause(vm: Vm, pause: Pause | undefined): MachineProgress {
    this.#vm = vm;
    if (pause === undefined) return { kind: "budget" };
    if (pause instanceof LibraryNeeded) return { kind: "wantsLibrary", hash: pause.hash };
    return { kind: "heavy", call: pause.call };
  }

  #end(vm: Vm): MachineEnd {
    const { exitCode = 0, gasUsed, gasLimit, gasCredit, gasMax, committed, steps } = vm;
    const { missingLibrary } = this.#host;
    const stack = vm.stack.values();
    return { kind: "ended", exitCode, gasUsed, gasLimit, gasCredit, gasMax, committed, stack, steps, missingLibrary };
  }
}

function enterChild(vm: Vm, child: Vm): Vm {
  child.budget = vm.budget;
  vm.child = undefined;
  return child;
}

function commitAtEnd(vm: Vm, exitCode: number): void {
  if ((exitCode !== 0 && exitCode !== 1) || vm.tryCommit()) return;
  vm.stack.replace([0]);
  vm.finish(8);
}

/** Hands the results of a machine to the one that started it. */
function returnToParent(child: Vm, link: ParentLink): Vm {
  const { vm } = link;
  vm.budget = child.budget;
  vm.running = true;
  try {
    link.finish(child);
  } catch (error) {
    if (!(error instanceof OutOfGas)) throw error;
    endOutOfGas(vm);
  }
  return vm;
}
