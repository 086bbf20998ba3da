import { type Instruction, instruction, int, plain, type Tail, uint, wrapped } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import type { Integer, StackValue } from "../StackValue.ts";
import { sliceInt } from "../slices.ts";
import { codeTail, refTail, sliceTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

function push(vm: Vm, value: StackValue): void {
  vm.stack.push(value);
}

const pushData = (vm: Vm, _a: number, _b: number, _c: number, data: StackValue): void => vm.stack.push(data);

const longInteger: Tail<Integer> = {
  size: (words) => ({ bits: words * 8 + 19, refs: 0 }),
  decode: (data) => sliceInt(data, data.bits),
  show: String,
};

/** Operands that only give the size of the data are not shown. */
const hidden = (bits: number) => ({ ...uint(bits), show: () => "" });

const integers: readonly Instruction[] = [
  instruction({ name: "PUSHINT", opcode: "70-7F", args: [wrapped(4, 5)], run: push }),
  instruction({ name: "PUSHINT", opcode: "80xx", args: [int(8)], run: push }),
  instruction({ name: "PUSHINT", opcode: "81xxxx", args: [int(16)], run: push }),
  instruction({
    ...{ name: "PUSHINT", opcode: "8200-82F7", bits: 13, args: [hidden(5)] },
    tail: longInteger,
    run: (vm, _a, _b, _c, value) => vm.stack.pushInt(value),
  }),
  instruction({
    ...{ name: "PUSHPOW2", opcode: "8300-83FE", args: [uint(8, 1)] },
    run: (vm, bits) => push(vm, fromBig(1n << BigInt(bits))),
  }),
  plain("83FF", "PUSHNAN", (vm) => push(vm, Number.NaN)),
  instruction({
    ...{ name: "PUSHPOW2DEC", opcode: "84xx", args: [uint(8, 1)] },
    run: (vm, bits) => push(vm, fromBig((1n << BigInt(bits)) - 1n)),
  }),
  instruction({
    ...{ name: "PUSHNEGPOW2", opcode: "85xx", args: [uint(8, 1)] },
    run: (vm, bits) => push(vm, fromBig(-(1n << BigInt(bits)))),
  }),
];

const cells: readonly Instruction[] = [
  instruction({ name: "PUSHREF", opcode: "88", tail: refTail, run: pushData }),
  instruction({
    ...{ name: "PUSHREFSLICE", opcode: "89", tail: refTail },
    run: (vm, _a, _b, _c, cell) => push(vm, vm.loadCell(cell)),
  }),
  instruction({
    ...{ name: "PUSHREFCONT", opcode: "8A", tail: refTail },
    run: (vm, _a, _b, _c, cell) => push(vm, codeContinuation(vm.loadCell(cell))),
  }),
  instruction({
    ...{ name: "PUSHSLICE", opcode: "8Bx", args: [hidden(4)] },
    tail: sliceTail((bytes) => ({ bits: bytes * 8 + 4, refs: 0 })),
    run: pushData,
  }),
  instruction({
    ...{ name: "PUSHSLICE", opcode: "8C", bits: 15, args: [hidden(2), hidden(5)] },
    tail: sliceTail((refs, bytes) => ({ bits: bytes * 8 + 1, refs: refs + 1 })),
    run: pushData,
  }),
  instruction({
    ...{ name: "PUSHSLICE", opcode: "8D00-8D9F", bits: 18, args: [hidden(3), hidden(7)] },
    tail: sliceTail((refs, bytes) => ({ bits: bytes * 8 + 6, refs })),
    run: pushData,
  }),
  instruction({
    ...{ name: "PUSHCONT", opcode: "8Exx-8Fxx", args: [hidden(2), hidden(7)] },
    tail: codeTail((refs, bytes) => ({ bits: bytes * 8, refs })),
    run: pushData,
  }),
  instruction({
    ...{ name: "PUSHCONT", opcode: "9x", args: [hidden(4)] },
    tail: codeTail((bytes) => ({ bits: bytes * 8, refs: 0 })),
    run: pushData,
  }),
];

export const constantInstructions: readonly Instruction[] = [...integers, ...cells];
