import { type Instruction, instruction, int, plain } from "../instruction.ts";
import { isNaNInteger } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";

type Compare = (x: Integer, y: Integer) => number;

const bool = (value: boolean): number => (value ? -1 : 0);

function pushNaN({ stack }: Vm, quiet: boolean): void {
  if (quiet) stack.push(Number.NaN);
  else stack.pushInt(Number.NaN);
}

function pushCompared(vm: Vm, x: Integer, y: Integer, compare: Compare, quiet: boolean): void {
  if (isNaNInteger(x) || isNaNInteger(y)) pushNaN(vm, quiet);
  else vm.stack.push(compare(x, y));
}

function both(opcode: string, name: string, make: (opcode: string, name: string, quiet: boolean) => Instruction) {
  return [make(opcode, name, false), make(`B7${opcode}`, `Q${name}`, true)];
}

function binary(opcode: string, name: string, compare: Compare): Instruction[] {
  return both(opcode, name, (code, title, quiet) =>
    plain(code, title, (vm) => {
      const { stack } = vm;
      stack.need(2);
      const y = stack.popInt();
      pushCompared(vm, stack.popInt(), y, compare, quiet);
    }),
  );
}

function withConstant(opcode: string, name: string, compare: Compare): Instruction[] {
  return both(opcode, name, (code, title, quiet) =>
    instruction({
      ...{ name: title, opcode: code, args: [int(8)] },
      run: (vm, a) => pushCompared(vm, vm.stack.popInt(), a, compare, quiet),
    }),
  );
}

const sign: Compare = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
const less: Compare = (x, y) => bool(x < y);
const equal: Compare = (x, y) => bool(x === y);
const greater: Compare = (x, y) => bool(x > y);
const notEqual: Compare = (x, y) => bool(x !== y);

export const compareInstructions: readonly Instruction[] = [
  ...both("B8", "SGN", (code, title, quiet) =>
    plain(code, title, (vm) => pushCompared(vm, vm.stack.popInt(), 0, sign, quiet)),
  ),
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
  plain("C4", "ISNAN", ({ stack }) => stack.pushBool(isNaNInteger(stack.popInt()))),
  plain("C5", "CHKNAN", ({ stack }) => stack.pushInt(stack.popInt())),
];
