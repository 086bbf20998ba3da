import { call, callArgs, jump, jumpArgs, ret, retAlt, retArgs, takeCurrent } from "../control.ts";
import { type Instruction, opcode, uint, wrapped } from "../instruction.ts";
import type { Continuation } from "../StackValue.ts";
import { refTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

type Transfer = (vm: Vm, code: Continuation) => void;

function withRef(code: string, name: string, run: Transfer): Instruction {
  return opcode(code, name, { tail: refTail }, (vm, _a, _b, _c, cell) => run(vm, codeContinuation(vm.loadCell(cell))));
}

/** Calls with the current continuation on the stack. */
function callCurrent(vm: Vm, passed: number, returned: number): void {
  const target = vm.stack.popContinuation();
  const current = takeCurrent(vm, 3, passed, returned);
  vm.stack.push(current);
  jump(vm, target);
}

/** A jump that leaves the rest of the code on the stack. */
function jumpWithData(vm: Vm, target: Continuation): void {
  vm.stack.push(vm.currentCode());
  jump(vm, target);
}

const popCount = ({ stack }: Vm): number => stack.popSmall(254, -1);
const count = uint(4);
/** Fifteen means all. */
const countOrAll = wrapped(4, 1);

const calls: readonly Instruction[] = [
  opcode("D8", "EXECUTE", 1, (vm) => call(vm, vm.stack.popContinuation())),
  opcode("D9", "JMPX", 1, (vm) => jump(vm, vm.stack.popContinuation())),
  opcode("DB30", "RET", 0, ret),
  opcode("DB31", "RETALT", 0, retAlt),
  opcode("DB32", "RETBOOL", 1, (vm) => (vm.stack.popBool() ? ret(vm) : retAlt(vm))),
  withRef("DB3C", "CALLREF", call),
  withRef("DB3D", "JMPREF", jump),
];

function method(code: string, name: string, bits: number, transfer: Transfer): Instruction {
  return opcode(code, [name, uint(bits)], 0, (vm, id) => {
    vm.stack.push(id);
    transfer(vm, vm.c3);
  });
}

export const jumpInstructions: readonly Instruction[] = [
  ...calls,
  method("F0xx", "CALLDICT", 8, call),
  method("F100xx-F13Fxx", "CALLDICT", 14, call),
  method("F140xx-F17Fxx", "JMPDICT", 14, jump),
  method("F180xx-F1BFxx", "PREPAREDICT", 14, ({ stack }, c3) => void stack.push(c3)),
];

/** Calls that pass a number of values, or the current continuation. */
export const rareJumpInstructions: readonly Instruction[] = [
  opcode("DAxx", ["CALLXARGS", count, count], 1, (vm, passed, returned) =>
    callArgs(vm, vm.stack.popContinuation(), passed, returned),
  ),
  opcode("DB0x", ["CALLXARGS", { ...count, show: (value) => `${value},-1` }], 1, (vm, passed) =>
    callArgs(vm, vm.stack.popContinuation(), passed, -1),
  ),
  opcode("DB1x", ["JMPXARGS", count], 1, (vm, passed) => jumpArgs(vm, vm.stack.popContinuation(), passed)),
  opcode("DB2x", ["RETARGS", count], 0, retArgs),
  opcode("DB34", "CALLCC", 1, (vm) => callCurrent(vm, -1, -1)),
  opcode("DB35", "JMPXDATA", 1, (vm) => jumpWithData(vm, vm.stack.popContinuation())),
  opcode("DB36xx", ["CALLCCARGS", count, countOrAll], 0, (vm, passed, returned) => {
    vm.stack.need(passed + 1);
    callCurrent(vm, passed, returned);
  }),
  opcode("DB38", "CALLXVARARGS", 3, (vm) => {
    const returned = popCount(vm);
    const passed = popCount(vm);
    callArgs(vm, vm.stack.popContinuation(), passed, returned);
  }),
  opcode("DB39", "RETVARARGS", 1, (vm) => retArgs(vm, popCount(vm))),
  opcode("DB3A", "JMPXVARARGS", 2, (vm) => {
    const passed = popCount(vm);
    jumpArgs(vm, vm.stack.need(passed + 1).popContinuation(), passed);
  }),
  opcode("DB3B", "CALLCCVARARGS", 3, (vm) => {
    const returned = popCount(vm);
    const passed = popCount(vm);
    vm.stack.need(passed + 1);
    callCurrent(vm, passed, returned);
  }),
  withRef("DB3E", "JMPREFDATA", jumpWithData),
  opcode("DB3F", "RETDATA", 0, (vm) => {
    vm.stack.push(vm.currentCode());
    ret(vm);
  }),
];
