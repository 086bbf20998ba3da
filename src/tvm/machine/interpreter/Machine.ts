import { CellKind } from "../../../cell/base/CellKind.ts";
import { libraryHash } from "../../../cell/exotic.ts";
import type { Hash } from "../../../cell/Hash.ts";
import { emptyBuilder } from "../CellBuilder.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { OutOfGas, Pause } from "../exceptions.ts";
import type { MachineEnd, MachineInput, MachineProgress, MachineRun } from "../MachineRun.ts";
import { type Host, type ParentLink, Vm } from "../Vm.ts";
import { endOutOfGas, execute } from "./execute.ts";
import { codesOf } from "./table.ts";

const defaultDataDepth = 512;

/** Prepares a run of code. Nothing happens before `run` is called. */
export function openMachine(input: MachineInput, findLibrary = input.findLibrary): MachineRun {
  const { stack, gas, data, c7, globalVersion: version } = input;
  // Plain literals: made with spreads, the objects of a run would take more time than many a run.
  const host: Host = {
    version,
    codes: codesOf(version),
    maxDataDepth: input.maxDataDepth ?? defaultDataDepth,
    findLibrary,
    maxLibraryLoads: input.maxLibraryLoads,
    signatures: input.signatures,
    heavy: input.heavy,
    onStep: input.onStep,
    libraries: new Set<Hash>(),
    missingLibrary: undefined,
    computed: undefined,
  };
  let vm: Vm | undefined;
  return {
    run(budget, computed) {
      host.computed = computed;
      try {
        vm ??= new Vm(host, { code: openCode(input, findLibrary), stack, gas, data, c7, ownC3: true });
      } catch (error) {
        if (error instanceof Pause) return error.progress;
        throw error;
      }
      vm.budget = budget;
      const stopped = runToStop(vm);
      vm = stopped.vm;
      return stopped.progress;
    },
  };
}

/** Code that is no ordinary cell is run from a cell that refers to it, where its load is charged and may fail. */
function openCode(
  { code, globalVersion, libraryCode }: MachineInput,
  findLibrary: MachineInput["findLibrary"],
): CellSlice {
  if (code.kind === CellKind.ordinary) return cellSlice(code);
  if (code.kind === CellKind.library && globalVersion >= 9 && libraryCode !== "load") {
    const hash = libraryHash(code);
    const library = findLibrary?.(hash);
    if (library === "unknown") throw new Pause({ kind: "wantsLibrary", hash });
    if (library?.kind === CellKind.ordinary) return cellSlice(library);
  }
  return cellSlice(emptyBuilder().withRef(code).cell());
}

/** Runs a machine and those it starts; gives the one at work when the run stops. */
function runToStop(from: Vm): { readonly vm: Vm; readonly progress: MachineProgress } {
  for (let vm = from; ; ) {
    const pause = execute(vm);
    if (pause !== undefined) return { vm, progress: pause.progress };
    if (vm.child !== undefined) {
      vm = enterChild(vm, vm.child);
    } else if (vm.exitCode === undefined) {
      return { vm, progress: { kind: "budget" } };
    } else {
      commitAtEnd(vm, vm.exitCode);
      if (vm.parent === undefined) return { vm, progress: endOf(vm) };
      vm = returnToParent(vm, vm.parent);
    }
  }
}

function endOf(vm: Vm): MachineEnd {
  const { exitCode = 0, gasUsed, gasLimit, gasCredit, gasMax, committed, steps } = vm;
  const { missingLibrary } = vm.host;
  const stack = vm.stack.values();
  return { kind: "ended", exitCode, gasUsed, gasLimit, gasCredit, gasMax, committed, stack, steps, missingLibrary };
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
