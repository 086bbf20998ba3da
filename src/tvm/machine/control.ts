import { CellSlice } from "./CellSlice.ts";
import { Exception, fail, VmException } from "./exceptions.ts";
import { Continuation, type ControlData, type SpecialStep, type StackValue } from "./StackValue.ts";
import { controlData, GasPrice, quit0, quit1, type Vm } from "./Vm.ts";

/** Jumps that one transfer of control may make before each costs gas. */
const freeJumps = 8;

function restoreRegisters(vm: Vm, saved: ControlData): void {
  if (saved.c0 !== undefined) vm.c0 = saved.c0;
  if (saved.c1 !== undefined) vm.c1 = saved.c1;
  if (saved.c2 !== undefined) vm.c2 = saved.c2;
  if (saved.c3 !== undefined) vm.c3 = saved.c3;
  if (saved.c4 !== undefined) vm.c4 = saved.c4;
  if (saved.c5 !== undefined) vm.c5 = saved.c5;
  if (saved.c7 !== undefined) vm.c7 = saved.c7;
}

/** Only codepage 0 exists. */
export function setCodepage(codepage: number): void {
  if (codepage !== 0) fail(Exception.invalidOpcode);
}

function jumpTo(vm: Vm, target: Continuation): void {
  let next: Continuation | undefined = target;
  for (let count = 1; next !== undefined; count++) {
    next = enter(vm, next);
    if (vm.version < 9) continue;
    if (count > freeJumps) vm.consume(1);
    if (next !== undefined && !isSimple(next)) passArguments(vm, next, -1);
  }
}

/** Whether a continuation takes the stack as it is. */
function isSimple({ data }: Continuation): boolean {
  return data === undefined || (data.stack === undefined && data.nargs < 0);
}

/** Does what a continuation does first; gives the one that follows at once, if any. */
function enter(vm: Vm, { step, data }: Continuation): Continuation | undefined {
  if (step instanceof CellSlice) {
    if (data !== undefined) restoreRegisters(vm, data);
    vm.setCode(step);
    setCodepage(data?.codepage ?? -1);
    return undefined;
  }
  return enterSpecial(vm, step, data);
}

function enterSpecial(vm: Vm, step: SpecialStep, data: ControlData | undefined): Continuation | undefined {
  if (step.kind === "quit") return void vm.finish(step.exitCode);
  if (step.kind === "quitExc") return void vm.finish(popExitCode(vm));
  if (step.kind === "pushInt") vm.stack.push(step.value);
  else if (step.kind !== "envelope") return enterLoop(vm, step);
  if (data !== undefined) {
    restoreRegisters(vm, data);
    if (data.codepage !== -1) setCodepage(data.codepage);
  }
  return step.next;
}

function enterLoop(vm: Vm, step: Extract<SpecialStep, { readonly body: Continuation }>): Continuation {
  switch (step.kind) {
    case "repeat": {
      if (step.count <= 0) return step.after;
      const { kind, body, after } = step;
      const count = typeof step.count === "number" ? step.count - 1 : step.count - 1n;
      return loopTo(vm, body, { kind, count, body, after });
    }
    case "again":
      return loopTo(vm, step.body, step);
    case "until":
      return vm.stack.popBool() ? step.after : loopTo(vm, step.body, step);
    case "whileCond":
      return vm.stack.popBool() ? loopTo(vm, step.body, otherPart(step, "whileBody")) : step.after;
    case "whileBody":
      return loopTo(vm, step.cond, otherPart(step, "whileCond"));
  }
}

type While = Extract<SpecialStep, { readonly cond: Continuation }>;

/** Written out: spreading would take a third of the time of a small loop, here and for `repeat`. */
function otherPart({ cond, body, after }: While, kind: While["kind"]): While {
  return { kind, cond, body, after };
}

/** A part of a loop returns to the loop unless it has a return of its own. */
function loopTo(vm: Vm, part: Continuation, loop: SpecialStep): Continuation {
  if (part.data?.c0 === undefined) vm.c0 = new Continuation(loop, undefined);
  return part;
}

function popExitCode(vm: Vm): number {
  try {
    return vm.stack.popSmall(0xffff);
  } catch (error) {
    if (error instanceof VmException) return error.code;
    throw error;
  }
}

/** How many of the values passed a continuation takes; -1 means all. */
function countPassed({ stack }: Vm, data: ControlData | undefined, passed: number): number {
  const nargs = data?.nargs ?? -1;
  if (passed > stack.depth || nargs > stack.depth) fail(Exception.stackUnderflow);
  if (nargs > passed && passed >= 0) fail(Exception.stackUnderflow);
  return nargs >= 0 ? nargs : passed;
}

/** Makes the stack that a continuation begins with from its own values and those passed; -1 passes all. */
function passArguments(vm: Vm, { data }: Continuation, passed: number): void {
  const { stack } = vm;
  const copy = countPassed(vm, data, passed);
  const own = data?.stack;
  if (own !== undefined && own.length > 0) {
    const values = [...own, ...stack.split(copy < 0 ? stack.depth : copy)];
    vm.consumeStack(values.length);
    stack.replace(values);
  } else if (copy >= 0 && copy < stack.depth) {
    stack.dropBottom(stack.depth - copy);
    vm.consumeStack(copy);
  }
}

export function jump(vm: Vm, target: Continuation): void {
  if (!isSimple(target)) passArguments(vm, target, -1);
  jumpTo(vm, target);
}

export function jumpArgs(vm: Vm, target: Continuation, passed: number): void {
  passArguments(vm, target, passed);
  jumpTo(vm, target);
}

export function call(vm: Vm, target: Continuation): void {
  const { data } = target;
  if (data !== undefined) {
    if (data.c0 !== undefined) return void jump(vm, target);
    if (data.stack !== undefined || data.nargs >= 0) return void callArgs(vm, target, -1, -1);
  }
  vm.c0 = new Continuation(vm.currentCode(), controlData({ c0: vm.c0 }));
  jumpTo(vm, target);
}

/** A call that passes this many values and takes this many back; -1 means all. */
export function callArgs(vm: Vm, target: Continuation, passed: number, returned: number): void {
  const { data } = target;
  if (data?.c0 !== undefined) return void jumpArgs(vm, target, passed);
  const copy = countPassed(vm, data, passed);
  const rest = splitForCall(vm, data?.stack, copy, Math.max(passed - copy, 0));
  vm.c0 = new Continuation(vm.currentCode(), controlData({ c0: vm.c0 }, rest, returned));
  jumpTo(vm, target);
}

/** Leaves the callee's values on the stack; gives those that wait for its return. */
function splitForCall(vm: Vm, own: ControlData["stack"], copy: number, skip: number): ControlData["stack"] {
  const { stack } = vm;
  const hasOwn = own !== undefined && own.length > 0;
  if (!hasOwn && copy < 0) return undefined;
  const passed = stack.split(copy < 0 ? stack.depth : copy);
  const values = hasOwn ? [...own, ...passed] : passed;
  const rest = stack.drop(skip).takeAll();
  vm.consumeStack(values.length);
  stack.replace(values);
  return rest;
}

export function ret(vm: Vm): void {
  const target = vm.c0;
  vm.c0 = quit0;
  jump(vm, target);
}

export function retArgs(vm: Vm, passed: number): void {
  const target = vm.c0;
  vm.c0 = quit0;
  jumpArgs(vm, target, passed);
}

export function retAlt(vm: Vm): void {
  const target = vm.c1;
  vm.c1 = quit1;
  jump(vm, target);
}

/**
 * The current continuation: the rest of the code with registers c0 (1), c1 (2) and c2 (4) of the mask, and all values
 * but the top `kept`, which remain on the stack; -1 keeps all.
 */
export function takeCurrent(vm: Vm, mask: number, kept = -1, nargs = -1): Continuation {
  const { stack } = vm;
  let rest: StackValue[] | undefined;
  if (kept >= 0 && kept !== stack.depth) {
    stack.need(kept);
    const values = stack.split(kept);
    rest = stack.takeAll();
    if (kept > 0) vm.consumeStack(kept);
    stack.replace(values);
  }
  const saved = {
    c0: mask & 1 ? vm.c0 : undefined,
    c1: mask & 2 ? vm.c1 : undefined,
    c2: mask & 4 ? vm.c2 : undefined,
  };
  if (mask & 1) vm.c0 = quit0;
  if (mask & 2) vm.c1 = quit1;
  return new Continuation(vm.currentCode(), controlData(saved, rest, nargs));
}

/** A continuation with other control data; one without any is put into an envelope. */
export function withData(target: Continuation, change: (data: ControlData) => ControlData): Continuation {
  if (target.data !== undefined) return new Continuation(target.step, change(target.data));
  return new Continuation({ kind: "envelope", next: target }, change(controlData({}, undefined, -1, -1)));
}

export function throwException(vm: Vm, code: number, argument: StackValue = 0): void {
  vm.stack.replace([argument, code]);
  vm.consume(GasPrice.exception);
  jump(vm, vm.c2);
}
