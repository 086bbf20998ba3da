import { hidden, type Instruction, int, opcode, type Tail, uint, wrapped } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import type { Integer, StackValue } from "../StackValue.ts";
import { sliceInt } from "../slices.ts";
import { codeTail, refTail, sliceTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

const push = ({ stack }: Vm, value: StackValue) => stack.push(value);
const pushData = ({ stack }: Vm, _a: number, _b: number, _c: number, data: StackValue) => stack.push(data);

const longInteger: Tail<Integer> = {
  size: (words) => ({ bits: words * 8 + 19, refs: 0 }),
  decode: (data) => sliceInt(data, data.bits),
  show: String,
};

const bits = uint(8, 1);
const power = (exponent: number): bigint => 1n << BigInt(exponent);
const shortSlice = sliceTail((bytes) => ({ bits: bytes * 8 + 4, refs: 0 }));
const sliceWithRefs = sliceTail((refs, bytes) => ({ bits: bytes * 8 + 1, refs: refs + 1 }));
const longSlice = sliceTail((refs, bytes) => ({ bits: bytes * 8 + 6, refs }));
const longCode = codeTail((refs, bytes) => ({ bits: bytes * 8, refs }));
const shortCode = codeTail((bytes) => ({ bits: bytes * 8, refs: 0 }));

export const constantInstructions: readonly Instruction[] = [
  opcode("70-7F", ["PUSHINT", wrapped(4, 5)], 0, push),
  opcode("80xx", ["PUSHINT", int(8)], 0, push),
  opcode("81xxxx", ["PUSHINT", int(16)], 0, push),
  opcode("8200-82F7", ["PUSHINT", hidden(5)], { bits: 13, tail: longInteger }, ({ stack }, _a, _b, _c, value) =>
    stack.pushInt(value),
  ),
  opcode("8300-83FE", ["PUSHPOW2", bits], 0, ({ stack }, n) => stack.push(fromBig(power(n)))),
  opcode("83FF", "PUSHNAN", 0, ({ stack }) => stack.push(Number.NaN)),
  opcode("84xx", ["PUSHPOW2DEC", bits], 0, ({ stack }, n) => stack.push(fromBig(power(n) - 1n))),
  opcode("85xx", ["PUSHNEGPOW2", bits], 0, ({ stack }, n) => stack.push(fromBig(-power(n)))),
  opcode("88", "PUSHREF", { tail: refTail }, pushData),
  opcode("89", "PUSHREFSLICE", { tail: refTail }, (vm, _a, _b, _c, cell) => push(vm, vm.loadCell(cell))),
  opcode("8A", "PUSHREFCONT", { tail: refTail }, (vm, _a, _b, _c, cell) =>
    push(vm, codeContinuation(vm.loadCell(cell))),
  ),
  opcode("8Bx", ["PUSHSLICE", hidden(4)], { tail: shortSlice }, pushData),
  opcode("8C", ["PUSHSLICE", hidden(2), hidden(5)], { bits: 15, tail: sliceWithRefs }, pushData),
  opcode("8D00-8D9F", ["PUSHSLICE", hidden(3), hidden(7)], { bits: 18, tail: longSlice }, pushData),
  opcode("8Exx-8Fxx", ["PUSHCONT", hidden(2), hidden(7)], { tail: longCode }, pushData),
  opcode("9x", ["PUSHCONT", hidden(4)], { tail: shortCode }, pushData),
];
