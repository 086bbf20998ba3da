import { type Instruction, int, opcode, withQuiet } from "../instruction.ts";
import { isNaNInteger } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";

type Compare = (x: Integer, y: Integer) => number;
const bool = (value: boolean): number => (value ? -1 : 0);

function pushCompared({ stack }: Vm, x: Integer, y: Integer, compare: Compare, quiet: boolean): void {
  if (isNaNInteger(x) || isNaNInteger(y)) stack.pushInt(Number.NaN, quiet);
  else stack.push(compare(x, y));
}

function binary(code: string, name: string, compare: Compare): Instruction[] {
  return withQuiet(code, name, 2, (quiet) => (vm) => {
    const y = vm.stack.popInt();
    pushCompared(vm, vm.stack.popInt(), y, compare, quiet);
  });
}

function withConstant(code: string, name: string, compare: Compare): Instruction[] {
  return withQuiet(code, [name, int(8)], 1, (quiet) => (vm, a) => {
    pushCompared(vm, vm.stack.popInt(), a, compare, quiet);
  });
}

const sign: Compare = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
const less: Compare = (x, y) => bool(x < y);
const equal: Compare = (x, y) => bool(x === y);
const greater: Compare = (x, y) => bool(x > y);
const notEqual: Compare = (x, y) => bool(x !== y);

export const compareInstructions: readonly Instruction[] = [
  ...withQuiet("B8", "SGN", 1, (quiet) => (vm) => pushCompared(vm, vm.stack.popInt(), 0, sign, quiet)),
  ...binary("B9", "LESS", less),
  ...binary("BA", "EQUAL", equal),
  ...binary("BB", "LEQ", (x, y) => bool(x <= y)),
  ...binary("BC", "GREATER", greater),
  ...binary("BD", "NEQ", notEqual),
  ...binary("BE", "GEQ", (x, y) => bool(x >= y)),
  ...binary("BF", "CMP", sign),
  ...withConstant("C0xx", "EQINT", equal),
  ...withConstant("C1xx", "LESSINT", less),
  ...withConstant("C2xx", "GTINT", greater),
  ...withConstant("C3xx", "NEQINT", notEqual),
  opcode("C4", "ISNAN", 1, ({ stack }) => stack.pushBool(isNaNInteger(stack.popInt()))),
  opcode("C5", "CHKNAN", 1, ({ stack }) => stack.pushInt(stack.popInt())),
];
