import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode, register, uint } from "../instruction.ts";
import type { Stack } from "../Stack.ts";
import type { Vm } from "../Vm.ts";

/** A register whose number is one or two less than its code. */
const shifted = (less: number) => ({ ...register(), show: (value: number) => `s${value - less}` });
const exchange = ({ stack }: Vm, i: number) => stack.reach(i).swap(0, i);
const pushCopy = ({ stack }: Vm, i: number) => stack.reach(i).copy(i);
const popInto = ({ stack }: Vm, i: number) => stack.reach(i).set(i, stack.at(0)).drop(1);

function exchangeTwo({ stack }: Vm, i: number, j: number): void {
  if (i === 0 || i >= j) fail(Exception.invalidOpcode);
  stack.reach(j).swap(i, j);
}

const s = register();
const long = register(8);
const less = shifted(1);

const simple: readonly Instruction[] = [
  opcode("00", "NOP", 0, () => undefined),
  opcode("01", "SWAP", 2, ({ stack }) => stack.swap(0, 1)),
  opcode("02-0F", ["XCHG", s], 0, exchange),
  opcode("10xx", ["XCHG", s, s], 0, exchangeTwo),
  opcode("11xx", ["XCHG", long], 0, exchange),
  opcode("12-1F", ["XCHG s1,", s], 0, ({ stack }, i) => stack.reach(i).swap(1, i)),
  opcode("20", "DUP", 1, ({ stack }) => stack.copy(0)),
  opcode("21", "OVER", 2, ({ stack }) => stack.copy(1)),
  opcode("22-2F", ["PUSH", s], 0, pushCopy),
  opcode("30", "DROP", 1, ({ stack }) => stack.drop(1)),
  opcode("31", "NIP", 2, (vm) => popInto(vm, 1)),
  opcode("32-3F", ["POP", s], 0, popInto),
  opcode("56xx", ["PUSH", long], 0, pushCopy),
  opcode("57xx", ["POP", long], 0, popInto),
];

const exchange3 = ({ stack }: Vm, i: number, j: number, k: number) =>
  stack.reach(i, j, k, 2).swap(2, i).swap(1, j).swap(0, k);

const compound: readonly Instruction[] = [
  opcode("4xxx", ["XCHG3", s, s, s], 0, exchange3),
  opcode("540xxx", ["XCHG3", s, s, s], 0, exchange3),
  opcode("50xx", ["XCHG2", s, s], 0, ({ stack }, i, j) => stack.reach(i, j, 1).swap(1, i).swap(0, j)),
  opcode("51xx", ["XCPU", s, s], 0, ({ stack }, i, j) => stack.reach(i, j).swap(0, i).copy(j)),
  opcode("52xx", ["PUXC", s, less], 0, ({ stack }, i, j) => {
    stack.reach(i, j - 1).copy(i);
    stack.swap(0, 1).swap(0, j);
  }),
  opcode("53xx", ["PUSH2", s, s], 0, ({ stack }, i, j) => stack.reach(i, j).copy(i).copy(j, 1)),
  opcode("541xxx", ["XC2PU", s, s, s], 0, ({ stack }, i, j, k) =>
    stack.reach(i, j, k, 1).swap(1, i).swap(0, j).copy(k),
  ),
  opcode("542xxx", ["XCPUXC", s, s, less], 0, ({ stack }, i, j, k) => {
    stack.reach(i, j, k - 1, 1).swap(1, i);
    stack.copy(j).swap(0, 1).swap(0, k);
  }),
  opcode("543xxx", ["XCPU2", s, s, s], 0, ({ stack }, i, j, k) => stack.reach(i, j, k).swap(0, i).copy(j).copy(k, 1)),
  opcode("544xxx", ["PUXC2", s, less, less], 0, ({ stack }, i, j, k) => {
    stack.reach(i, j - 1, k - 1, 1).copy(i);
    stack.swap(2, 0).swap(1, j).swap(0, k);
  }),
  opcode("545xxx", ["PUXCPU", s, less, less], 0, ({ stack }, i, j, k) => {
    stack.reach(i, j - 1, k - 1).copy(i);
    stack.swap(0, 1).swap(0, j).copy(k);
  }),
  opcode("546xxx", ["PU2XC", s, less, shifted(2)], 0, ({ stack }, i, j, k) => {
    stack.reach(i, j - 1, k - 2).copy(i);
    stack.swap(1, 0).copy(j).swap(1, 0).swap(0, k);
  }),
  opcode("547xxx", ["PUSH3", s, s, s], 0, ({ stack }, i, j, k) => stack.reach(i, j, k).copy(i).copy(j, 1).copy(k, 2)),
];

/** Swaps the top `j` values with the `i` values below them. */
function swapBlocks(stack: Stack, i: number, j: number): void {
  const upper = stack.split(j);
  const lower = stack.split(i);
  stack.pushAll(upper).pushAll(lower);
}

function reverse(stack: Stack, count: number, offset: number): void {
  for (let low = offset + count - 1, high = offset; low > high; low--, high++) stack.swap(low, high);
}

function dropUnder(stack: Stack, count: number, kept: number): void {
  const values = stack.split(kept);
  stack.drop(count).pushAll(values);
}

function copyMany(stack: Stack, count: number, i: number): void {
  for (let left = count; left > 0; left--) stack.copy(i);
}

const popIndex = ({ stack, version }: Vm): number => stack.popSmall(version >= 4 ? (1 << 30) - 1 : 255);

function popCount(vm: Vm): number {
  const count = popIndex(vm);
  vm.stack.need(count);
  return count;
}

function popBlocks(vm: Vm): [number, number] {
  const j = popIndex(vm);
  const i = popIndex(vm);
  vm.stack.need(i + j);
  return [i, j];
}

/** Moving more than 255 values costs gas. */
function consumeMoves(vm: Vm, count: number): void {
  if (count > 255) vm.consume(count - 255);
}

function roll(vm: Vm, isDown: boolean): void {
  const i = popIndex(vm);
  vm.stack.reach(i);
  consumeMoves(vm, i);
  swapBlocks(vm.stack, isDown ? i : 1, isDown ? 1 : i);
}

const n = uint(4);

const blocks: readonly Instruction[] = [
  opcode("55xx", ["BLKSWAP", uint(4, 1), uint(4, 1)], 0, ({ stack }, i, j) => swapBlocks(stack.need(i + j), i, j)),
  opcode("58", "ROT", 3, ({ stack }) => stack.swap(1, 2).swap(0, 1)),
  opcode("59", "ROTREV", 3, ({ stack }) => stack.swap(0, 1).swap(1, 2)),
  opcode("5A", "2SWAP", 4, ({ stack }) => stack.swap(1, 3).swap(0, 2)),
  opcode("5B", "2DROP", 2, ({ stack }) => stack.drop(2)),
  opcode("5C", "2DUP", 2, ({ stack }) => stack.copy(1).copy(1)),
  opcode("5D", "2OVER", 4, ({ stack }) => stack.copy(3).copy(3)),
  opcode("5Exx", ["REVERSE", uint(4, 2), n], 0, ({ stack }, i, offset) => reverse(stack.need(i + offset), i, offset)),
  opcode("5F0x", ["BLKDROP", n], 0, ({ stack }, count) => stack.need(count).drop(count)),
  opcode("5F10-5FFF", ["BLKPUSH", n, n], 0, ({ stack }, count, i) => copyMany(stack.reach(i), count, i)),
  opcode("6C10-6CFF", ["BLKDROP2", n, n], 0, ({ stack }, count, kept) =>
    dropUnder(stack.need(count + kept), count, kept),
  ),
];

const variable: readonly Instruction[] = [
  opcode("60", "PICK", 1, (vm) => pushCopy(vm, popIndex(vm))),
  opcode("61", "ROLL", 1, (vm) => roll(vm, false)),
  opcode("62", "ROLLREV", 1, (vm) => roll(vm, true)),
  opcode("63", "BLKSWX", 2, (vm) => {
    const [i, j] = popBlocks(vm);
    if (i === 0 || j === 0) return;
    if (vm.version >= 4) consumeMoves(vm, i + j);
    swapBlocks(vm.stack, i, j);
  }),
  opcode("64", "REVX", 2, (vm) => {
    const [count, offset] = popBlocks(vm);
    consumeMoves(vm, count);
    reverse(vm.stack, count, offset);
  }),
  opcode("65", "DROPX", 1, (vm) => vm.stack.drop(popCount(vm))),
  opcode("66", "TUCK", 2, ({ stack }) => stack.swap(0, 1).copy(1)),
  opcode("67", "XCHGX", 1, (vm) => exchange(vm, popIndex(vm))),
  opcode("68", "DEPTH", 0, ({ stack }) => stack.push(stack.depth)),
  opcode("69", "CHKDEPTH", 1, (vm) => popCount(vm)),
  opcode("6A", "ONLYTOPX", 1, (vm) => {
    const count = popCount(vm);
    if (vm.stack.depth === count) return;
    consumeMoves(vm, count);
    vm.stack.dropBottom(vm.stack.depth - count);
  }),
  opcode("6B", "ONLYX", 1, (vm) => {
    const count = popCount(vm);
    vm.stack.drop(vm.stack.depth - count);
  }),
];

export const stackInstructions: readonly Instruction[] = [...simple, ...compound, ...blocks, ...variable];
