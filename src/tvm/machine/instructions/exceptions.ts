import { jump, takeCurrent, throwException, withData } from "../control.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import type { Vm } from "../Vm.ts";

/** Whether a condition is needed, and which. */
type Condition = boolean | undefined;

function throwFixed(condition: Condition) {
  return (vm: Vm, code: number): void => {
    if (condition === undefined || vm.stack.popBool() === condition) throwException(vm, code);
  };
}

/** With an argument for the handler. */
function throwArgument(condition: Condition) {
  return (vm: Vm, code: number): void => {
    const { stack } = vm;
    stack.need(condition === undefined ? 1 : 2);
    const isThrown = condition === undefined || stack.popBool() === condition;
    const argument = stack.pop();
    if (isThrown) throwException(vm, code, argument);
  };
}

/** With the number of the exception on the stack. */
function throwAny(opcode: string, name: string, condition: Condition, hasArgument: boolean): Instruction {
  return plain(opcode, name, (vm) => {
    const { stack } = vm;
    stack.need(1 + (condition === undefined ? 0 : 1) + (hasArgument ? 1 : 0));
    const isThrown = condition === undefined || stack.popBool() === condition;
    const code = stack.popSmall(0xffff);
    const argument = hasArgument ? stack.pop() : 0;
    if (isThrown) throwException(vm, code, argument);
  });
}

/** Runs code with a handler; both continue behind the instruction. */
function runTry(vm: Vm, passed: number, returned: number): void {
  const { stack, c2 } = vm;
  stack.need(2 + Math.max(passed, 0));
  const handler = stack.popContinuation();
  const target = stack.popContinuation();
  const next = takeCurrent(vm, 7, passed, returned);
  vm.c2 = withData(handler, (data) => ({ ...data, c2: data.c2 ?? c2, c0: data.c0 ?? next }));
  vm.c0 = next;
  jump(vm, target);
}

const short = [uint(6)];
const long = [uint(11)];

export const exceptionInstructions: readonly Instruction[] = [
  instruction({ name: "THROW", opcode: "F200-F23F", args: short, run: throwFixed(undefined) }),
  instruction({ name: "THROWIF", opcode: "F240-F27F", args: short, run: throwFixed(true) }),
  instruction({ name: "THROWIFNOT", opcode: "F280-F2BF", args: short, run: throwFixed(false) }),
  instruction({ name: "THROW", opcode: "F2C0xx-F2C7xx", args: long, run: throwFixed(undefined) }),
  instruction({ name: "THROWARG", opcode: "F2C8xx-F2CFxx", args: long, run: throwArgument(undefined) }),
  instruction({ name: "THROWIF", opcode: "F2D0xx-F2D7xx", args: long, run: throwFixed(true) }),
  instruction({ name: "THROWARGIF", opcode: "F2D8xx-F2DFxx", args: long, run: throwArgument(true) }),
  instruction({ name: "THROWIFNOT", opcode: "F2E0xx-F2E7xx", args: long, run: throwFixed(false) }),
  instruction({ name: "THROWARGIFNOT", opcode: "F2E8xx-F2EFxx", args: long, run: throwArgument(false) }),
  throwAny("F2F0", "THROWANY", undefined, false),
  throwAny("F2F1", "THROWARGANY", undefined, true),
  throwAny("F2F2", "THROWANYIF", true, false),
  throwAny("F2F3", "THROWARGANYIF", true, true),
  throwAny("F2F4", "THROWANYIFNOT", false, false),
  throwAny("F2F5", "THROWARGANYIFNOT", false, true),
  plain("F2FF", "TRY", (vm) => runTry(vm, -1, -1)),
  instruction({ name: "TRYARGS", opcode: "F3xx", args: [uint(4), uint(4)], run: runTry }),
];
