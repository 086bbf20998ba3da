import type { Cell } from "../../../cell/Cell.ts";
import { call, callArgs, jump, jumpArgs, ret, retAlt, retArgs, takeCurrent } from "../control.ts";
import { type Instruction, instruction, plain, uint, wrapped } from "../instruction.ts";
import type { Continuation } from "../StackValue.ts";
import { refTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

/** An instruction whose code is the next reference. */
function withRef(opcode: string, name: string, run: (vm: Vm, code: Continuation) => void): Instruction {
  return instruction({
    ...{ name, opcode, tail: refTail },
    run: (vm, _a, _b, _c, cell: Cell) => run(vm, codeContinuation(vm.loadCell(cell))),
  });
}

/** Calls with the current continuation on the stack. */
function callCurrent(vm: Vm, passed: number, returned: number): void {
  const target = vm.stack.popContinuation();
  const current = takeCurrent(vm, 3, passed, returned);
  vm.stack.push(current);
  jump(vm, target);
}

const count = uint(4);
/** Fifteen means all. */
const countOrAll = wrapped(4, 1);

const calls: readonly Instruction[] = [
  plain("D8", "EXECUTE", (vm) => call(vm, vm.stack.popContinuation())),
  plain("D9", "JMPX", (vm) => jump(vm, vm.stack.popContinuation())),
  instruction({
    ...{ name: "CALLXARGS", opcode: "DAxx", args: [count, count] },
    run: (vm, passed, returned) => callArgs(vm, vm.stack.popContinuation(), passed, returned),
  }),
  instruction({
    ...{ name: "CALLXARGS", opcode: "DB0x", args: [{ ...count, show: (value) => `${value},-1` }] },
    run: (vm, passed) => callArgs(vm, vm.stack.popContinuation(), passed, -1),
  }),
  instruction({
    ...{ name: "JMPXARGS", opcode: "DB1x", args: [count] },
    run: (vm, passed) => jumpArgs(vm, vm.stack.popContinuation(), passed),
  }),
  instruction({ name: "RETARGS", opcode: "DB2x", args: [count], run: retArgs }),
  plain("DB30", "RET", ret),
  plain("DB31", "RETALT", retAlt),
  plain("DB32", "RETBOOL", (vm) => (vm.stack.popBool() ? ret(vm) : retAlt(vm))),
  plain("DB34", "CALLCC", (vm) => callCurrent(vm, -1, -1)),
  plain("DB35", "JMPXDATA", (vm) => {
    const target = vm.stack.popContinuation();
    vm.stack.push(vm.currentCode());
    jump(vm, target);
  }),
  instruction({
    ...{ name: "CALLCCARGS", opcode: "DB36xx", args: [count, countOrAll] },
    run(vm, passed, returned) {
      vm.stack.need(passed + 1);
      callCurrent(vm, passed, returned);
    },
  }),
  plain("DB38", "CALLXVARARGS", (vm) => {
    const { stack } = vm;
    stack.need(3);
    const returned = stack.popSmall(254, -1);
    const passed = stack.popSmall(254, -1);
    callArgs(vm, stack.popContinuation(), passed, returned);
  }),
  plain("DB39", "RETVARARGS", (vm) => retArgs(vm, vm.stack.popSmall(254, -1))),
  plain("DB3A", "JMPXVARARGS", (vm) => {
    const { stack } = vm;
    stack.need(2);
    const passed = stack.popSmall(254, -1);
    stack.need(passed + 1);
    jumpArgs(vm, stack.popContinuation(), passed);
  }),
  plain("DB3B", "CALLCCVARARGS", (vm) => {
    const { stack } = vm;
    stack.need(3);
    const returned = stack.popSmall(254, -1);
    const passed = stack.popSmall(254, -1);
    stack.need(passed + 1);
    callCurrent(vm, passed, returned);
  }),
  withRef("DB3C", "CALLREF", call),
  withRef("DB3D", "JMPREF", jump),
  withRef("DB3E", "JMPREFDATA", (vm, code) => {
    vm.stack.push(vm.currentCode());
    jump(vm, code);
  }),
  plain("DB3F", "RETDATA", (vm) => {
    vm.stack.push(vm.currentCode());
    ret(vm);
  }),
];

const method = uint(14);

const methods: readonly Instruction[] = [
  instruction({
    ...{ name: "CALLDICT", opcode: "F0xx", args: [uint(8)] },
    run(vm, id) {
      vm.stack.push(id);
      call(vm, vm.c3);
    },
  }),
  instruction({
    ...{ name: "CALLDICT", opcode: "F100xx-F13Fxx", args: [method] },
    run(vm, id) {
      vm.stack.push(id);
      call(vm, vm.c3);
    },
  }),
  instruction({
    ...{ name: "JMPDICT", opcode: "F140xx-F17Fxx", args: [method] },
    run(vm, id) {
      vm.stack.push(id);
      jump(vm, vm.c3);
    },
  }),
  instruction({
    ...{ name: "PREPAREDICT", opcode: "F180xx-F1BFxx", args: [method] },
    run({ stack, c3 }, id) {
      stack.push(id);
      stack.push(c3);
    },
  }),
];

export const jumpInstructions: readonly Instruction[] = [...calls, ...methods];
