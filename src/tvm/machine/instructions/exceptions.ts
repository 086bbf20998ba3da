import { jump, takeCurrent, throwException } from "../control.ts";
import { type Instruction, opcode, uint } from "../instruction.ts";
import type { Vm } from "../Vm.ts";
import { withDefaults } from "./registers.ts";

/** Conditions of the three forms of every instruction that throws. */
const conditions = [
  ["", undefined],
  ["IF", true],
  ["IFNOT", false],
] as const;

const popIsThrown = ({ stack }: Vm, condition: boolean | undefined): boolean =>
  condition === undefined || stack.popBool() === condition;

/** THROW…, THROWARG… with an argument for the handler, and both with the number of the exception on the stack. */
const throws: readonly Instruction[] = conditions.flatMap(([suffix, condition], i) => {
  const need = condition === undefined ? 0 : 1;
  const throwFixed = (vm: Vm, code: number): void => {
    if (popIsThrown(vm, condition)) throwException(vm, code);
  };
  const throwAny = (vm: Vm, hasArgument: boolean): void => {
    const isThrown = popIsThrown(vm, condition);
    const code = vm.stack.popSmall(0xffff);
    const argument = hasArgument ? vm.stack.pop() : 0;
    if (isThrown) throwException(vm, code, argument);
  };
  const [short, long] = ["03478B".slice(i * 2, i * 2 + 2), "CDE"[i]];
  return [
    opcode(`F2${short[0]}0-F2${short[1]}F`, [`THROW${suffix}`, uint(6)], need, throwFixed),
    opcode(`F2${long}0xx-F2${long}7xx`, [`THROW${suffix}`, uint(11)], need, throwFixed),
    opcode(`F2${long}8xx-F2${long}Fxx`, [`THROWARG${suffix}`, uint(11)], need + 1, (vm, code) => {
      const isThrown = popIsThrown(vm, condition);
      const argument = vm.stack.pop();
      if (isThrown) throwException(vm, code, argument);
    }),
    opcode(`F2F${i * 2}`, `THROWANY${suffix}`, need + 1, (vm) => throwAny(vm, false)),
    opcode(`F2F${i * 2 + 1}`, `THROWARGANY${suffix}`, need + 2, (vm) => throwAny(vm, true)),
  ];
});

/** Runs code with a handler; both continue behind the instruction. */
function runTry(vm: Vm, passed: number, returned: number): void {
  const { stack, c2 } = vm;
  const handler = stack.need(2 + Math.max(passed, 0)).popContinuation();
  const target = stack.popContinuation();
  const next = takeCurrent(vm, 7, passed, returned);
  vm.c2 = withDefaults(handler, { c0: next, c2 });
  vm.c0 = next;
  jump(vm, target);
}

export const exceptionInstructions: readonly Instruction[] = [
  ...throws,
  opcode("F2FF", "TRY", 0, (vm) => runTry(vm, -1, -1)),
  opcode("F3xx", ["TRYARGS", uint(4), uint(4)], 0, runTry),
];
