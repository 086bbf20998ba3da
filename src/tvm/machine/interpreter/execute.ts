import { jump, ret, throwException } from "../control.ts";
import { Exception, fail, OutOfGas, Pause, VmException } from "../exceptions.ts";
import { codeContinuation, GasPrice, type Vm } from "../Vm.ts";

/** Runs a machine until it ends, starts another one, pauses, or its budget is used up. */
export function execute(vm: Vm): Pause | undefined {
  let pause: Pause | undefined;
  while ((vm.running || vm.work !== undefined) && vm.budget > 0 && pause === undefined) {
    const { gas, at, ref, steps } = vm;
    const mark: Mark = { gas, at, ref, steps, depth: vm.stack.depth };
    try {
      if (vm.work !== undefined) continueWork(vm, vm.work);
      else if (vm.host.onStep === undefined) runSteps(vm, mark);
      else runWatchedSteps(vm, mark);
    } catch (error) {
      pause = handle(vm, error, mark);
    }
  }
  return pause;
}

/** Steps of the budget that a part of an instruction's work counts for. */
const workSteps = 500;

/** Work that throws is done. */
function continueWork(vm: Vm, work: () => boolean): void {
  vm.budget -= workSteps;
  vm.work = undefined;
  vm.running = true;
  vm.startWork(work);
}

/** The state before an instruction, as far as an instruction changes it before it can find that it cannot run yet. */
interface Mark {
  gas: number;
  at: number;
  ref: number;
  steps: number;
  depth: number;
}

function runSteps(vm: Vm, mark: Mark): void {
  const { stack } = vm;
  while (vm.running && vm.budget > 0) {
    vm.budget--;
    const { at, ref } = vm;
    mark.gas = vm.gas;
    mark.at = at;
    mark.ref = ref;
    mark.depth = stack.depth;
    vm.steps++;
    if (at < vm.end) {
      const operation = vm.code.operation(at, vm.end, ref, vm.refEnd);
      vm.at = at + operation.bits;
      vm.ref = ref + operation.refs;
      vm.consume(operation.gas);
      if (stack.depth < operation.need) fail(Exception.stackUnderflow);
      operation.run(vm, operation.a, operation.b, operation.c, operation.data);
    } else {
      runImplicit(vm);
    }
  }
}

/** The same for machines whose steps are listened to. */
function runWatchedSteps(vm: Vm, mark: Mark): void {
  while (vm.running && vm.budget > 0) {
    report(vm);
    const { budget } = vm;
    vm.budget = 1;
    try {
      runSteps(vm, mark);
    } finally {
      vm.budget += budget - 1;
    }
  }
}

function report(vm: Vm): void {
  const { code, at, end, ref, refEnd } = vm;
  const implicit = ref < refEnd ? "implicit JMPREF" : "implicit RET";
  const operation = at < end ? code.show(code.operation(at, end, ref, refEnd)) : implicit;
  const bit = at - code.cell.dataAt * 8;
  const gasUsed = gasUsedBy(vm);
  vm.host.onStep?.({ cell: code.cell, bit, operation, gasRemaining: vm.gas, gasUsed, stack: vm.stack.values() });
}

/** A machine is charged for one that it started only when that one has ended. */
function gasUsedBy({ gasUsed, parent }: Vm): number {
  return parent === undefined ? gasUsed : gasUsed + gasUsedBy(parent.vm);
}

/** At the end of the code control goes to its next reference, or returns. */
function runImplicit(vm: Vm): void {
  if (vm.ref < vm.refEnd) {
    vm.consume(GasPrice.implicitJump);
    jump(vm, codeContinuation(vm.loadCell(vm.code.cell.ref(vm.ref))));
  } else {
    vm.consume(GasPrice.implicitReturn);
    ret(vm);
  }
}

function handle(vm: Vm, error: unknown, mark: Mark): Pause | undefined {
  if (error instanceof VmException) return void handleException(vm, error);
  if (error instanceof OutOfGas) return void endOutOfGas(vm);
  if (!(error instanceof Pause)) throw error;
  vm.loaded.undo(vm.steps);
  vm.steps--;
  vm.budget++;
  vm.gas = mark.gas;
  vm.at = mark.at;
  vm.ref = mark.ref;
  vm.stack.depth = mark.depth;
  return error;
}

function handleException(vm: Vm, { code }: VmException): void {
  vm.steps++;
  try {
    throwException(vm, code);
  } catch (error) {
    if (error instanceof VmException) vm.finish(error.code);
    else if (error instanceof OutOfGas) endOutOfGas(vm);
    else throw error;
  }
}

/** No handler catches this; the used gas is left on the stack. */
export function endOutOfGas(vm: Vm): void {
  vm.steps++;
  vm.stack.replace([vm.gasUsed]);
  vm.finish(-14);
}
