import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, register, uint } from "../instruction.ts";
import type { Stack } from "../Stack.ts";
import type { StackValue } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";

/** A register whose number is one or two less than its code. */
const shifted = (less: number) => ({ ...register(), show: (value: number) => `s${value - less}` });

function exchange(vm: Vm, i: number): void {
  vm.stack.need(i + 1);
  vm.stack.swap(0, i);
}

function exchangeTwo(vm: Vm, i: number, j: number): void {
  if (i === 0 || i >= j) fail(Exception.invalidOpcode);
  vm.stack.need(j + 1);
  vm.stack.swap(i, j);
}

function exchangeOne(vm: Vm, i: number): void {
  vm.stack.need(i + 1);
  vm.stack.swap(1, i);
}

function pushCopy({ stack }: Vm, i: number): void {
  stack.need(i + 1);
  stack.push(stack.at(i));
}

function popInto({ stack }: Vm, i: number): void {
  stack.need(i + 1);
  stack.set(i, stack.at(0));
  stack.drop(1);
}

const s = register();
const long = register(8);
const s3 = [s, s, s];

const simple: readonly Instruction[] = [
  plain("00", "NOP", () => undefined),
  plain("01", "SWAP", (vm) => exchange(vm, 1)),
  instruction({ name: "XCHG", opcode: "02-0F", args: [s], run: exchange }),
  instruction({ name: "XCHG", opcode: "10xx", args: [s, s], run: exchangeTwo }),
  instruction({ name: "XCHG", opcode: "11xx", args: [long], run: exchange }),
  instruction({ name: "XCHG s1,", opcode: "12-1F", args: [s], run: exchangeOne }),
  plain("20", "DUP", (vm) => pushCopy(vm, 0)),
  plain("21", "OVER", (vm) => pushCopy(vm, 1)),
  instruction({ name: "PUSH", opcode: "22-2F", args: [s], run: pushCopy }),
  plain("30", "DROP", ({ stack }) => {
    stack.need(1);
    stack.drop(1);
  }),
  plain("31", "NIP", (vm) => popInto(vm, 1)),
  instruction({ name: "POP", opcode: "32-3F", args: [s], run: popInto }),
  instruction({ name: "PUSH", opcode: "56xx", args: [long], run: pushCopy }),
  instruction({ name: "POP", opcode: "57xx", args: [long], run: popInto }),
];

function exchange3({ stack }: Vm, i: number, j: number, k: number): void {
  stack.need(Math.max(i, j, k, 2) + 1);
  stack.swap(2, i);
  stack.swap(1, j);
  stack.swap(0, k);
}

const compound: readonly Instruction[] = [
  instruction({ name: "XCHG3", opcode: "4xxx", args: s3, run: exchange3 }),
  instruction({ name: "XCHG3", opcode: "540xxx", args: s3, run: exchange3 }),
  instruction({
    ...{ name: "XCHG2", opcode: "50xx", args: [s, s] },
    run({ stack }, i, j) {
      stack.need(Math.max(i, j, 1) + 1);
      stack.swap(1, i);
      stack.swap(0, j);
    },
  }),
  instruction({
    ...{ name: "XCPU", opcode: "51xx", args: [s, s] },
    run({ stack }, i, j) {
      stack.need(Math.max(i, j) + 1);
      stack.swap(0, i);
      stack.push(stack.at(j));
    },
  }),
  instruction({
    ...{ name: "PUXC", opcode: "52xx", args: [s, shifted(1)] },
    run({ stack }, i, j) {
      stack.need(Math.max(i + 1, j));
      stack.push(stack.at(i));
      stack.swap(0, 1);
      stack.swap(0, j);
    },
  }),
  instruction({
    ...{ name: "PUSH2", opcode: "53xx", args: [s, s] },
    run({ stack }, i, j) {
      stack.need(Math.max(i, j) + 1);
      stack.push(stack.at(i));
      stack.push(stack.at(j + 1));
    },
  }),
  instruction({
    ...{ name: "XC2PU", opcode: "541xxx", args: s3 },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i, j, k, 1) + 1);
      stack.swap(1, i);
      stack.swap(0, j);
      stack.push(stack.at(k));
    },
  }),
  instruction({
    ...{ name: "XCPUXC", opcode: "542xxx", args: [s, s, shifted(1)] },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i + 1, j + 1, 2, k));
      stack.swap(1, i);
      stack.push(stack.at(j));
      stack.swap(0, 1);
      stack.swap(0, k);
    },
  }),
  instruction({
    ...{ name: "XCPU2", opcode: "543xxx", args: s3 },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i, j, k) + 1);
      stack.swap(0, i);
      stack.push(stack.at(j));
      stack.push(stack.at(k + 1));
    },
  }),
  instruction({
    ...{ name: "PUXC2", opcode: "544xxx", args: [s, shifted(1), shifted(1)] },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i + 1, 2, j, k));
      stack.push(stack.at(i));
      stack.swap(2, 0);
      stack.swap(1, j);
      stack.swap(0, k);
    },
  }),
  instruction({
    ...{ name: "PUXCPU", opcode: "545xxx", args: [s, shifted(1), shifted(1)] },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i + 1, j, k));
      stack.push(stack.at(i));
      stack.swap(0, 1);
      stack.swap(0, j);
      stack.push(stack.at(k));
    },
  }),
  instruction({
    ...{ name: "PU2XC", opcode: "546xxx", args: [s, shifted(1), shifted(2)] },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i + 1, j, k - 1));
      stack.push(stack.at(i));
      stack.swap(1, 0);
      stack.push(stack.at(j));
      stack.swap(1, 0);
      stack.swap(0, k);
    },
  }),
  instruction({
    ...{ name: "PUSH3", opcode: "547xxx", args: s3 },
    run({ stack }, i, j, k) {
      stack.need(Math.max(i, j, k) + 1);
      stack.push(stack.at(i));
      stack.push(stack.at(j + 1));
      stack.push(stack.at(k + 2));
    },
  }),
];

/** Swaps the top `j` values with the `i` values below them. */
function swapBlocks(stack: Stack, i: number, j: number): void {
  const upper = stack.split(j);
  const lower = stack.split(i);
  stack.pushAll(upper);
  stack.pushAll(lower);
}

function reverse(stack: Stack, count: number, offset: number): void {
  for (let low = offset + count - 1, high = offset; low > high; low--, high++) stack.swap(low, high);
}

/** Removes `count` values under the top `kept`. */
function dropUnder(stack: Stack, count: number, kept: number): void {
  const values: StackValue[] = stack.split(kept);
  stack.drop(count);
  stack.pushAll(values);
}

function popIndex(vm: Vm): number {
  vm.stack.need(1);
  return vm.stack.popSmall(vm.version >= 4 ? (1 << 30) - 1 : 255);
}

/** Two counts of values, which must be there. */
function popBlocks(vm: Vm): [number, number] {
  vm.stack.need(2);
  const j = popIndex(vm);
  const i = popIndex(vm);
  vm.stack.need(i + j);
  return [i, j];
}

/** Moving more than 255 values costs gas. */
function consumeMoves(vm: Vm, count: number): void {
  if (count > 255) vm.consume(count - 255);
}

const blocks: readonly Instruction[] = [
  instruction({
    ...{ name: "BLKSWAP", opcode: "55xx", args: [uint(4, 1), uint(4, 1)] },
    run({ stack }, i, j) {
      stack.need(i + j);
      swapBlocks(stack, i, j);
    },
  }),
  plain("58", "ROT", ({ stack }) => {
    stack.need(3);
    stack.swap(1, 2);
    stack.swap(0, 1);
  }),
  plain("59", "ROTREV", ({ stack }) => {
    stack.need(3);
    stack.swap(0, 1);
    stack.swap(1, 2);
  }),
  plain("5A", "2SWAP", ({ stack }) => {
    stack.need(4);
    stack.swap(1, 3);
    stack.swap(0, 2);
  }),
  plain("5B", "2DROP", ({ stack }) => {
    stack.need(2);
    stack.drop(2);
  }),
  plain("5C", "2DUP", ({ stack }) => {
    stack.need(2);
    stack.push(stack.at(1));
    stack.push(stack.at(1));
  }),
  plain("5D", "2OVER", ({ stack }) => {
    stack.need(4);
    stack.push(stack.at(3));
    stack.push(stack.at(3));
  }),
  instruction({
    ...{ name: "REVERSE", opcode: "5Exx", args: [uint(4, 2), uint(4)] },
    run({ stack }, count, offset) {
      stack.need(count + offset);
      reverse(stack, count, offset);
    },
  }),
  instruction({
    ...{ name: "BLKDROP", opcode: "5F0x", args: [uint(4)] },
    run({ stack }, count) {
      stack.need(count);
      stack.drop(count);
    },
  }),
  instruction({
    ...{ name: "BLKPUSH", opcode: "5F10-5FFF", args: [uint(4), uint(4)] },
    run({ stack }, count, i) {
      stack.need(i + 1);
      for (let left = count; left > 0; left--) stack.push(stack.at(i));
    },
  }),
  instruction({
    ...{ name: "BLKDROP2", opcode: "6C10-6CFF", args: [uint(4), uint(4)] },
    run({ stack }, count, kept) {
      stack.need(count + kept);
      dropUnder(stack, count, kept);
    },
  }),
];

const variable: readonly Instruction[] = [
  plain("60", "PICK", (vm) => pushCopy(vm, popIndex(vm))),
  plain("61", "ROLL", (vm) => {
    const i = popIndex(vm);
    vm.stack.need(i + 1);
    consumeMoves(vm, i);
    swapBlocks(vm.stack, 1, i);
  }),
  plain("62", "ROLLREV", (vm) => {
    const i = popIndex(vm);
    vm.stack.need(i + 1);
    consumeMoves(vm, i);
    swapBlocks(vm.stack, i, 1);
  }),
  plain("63", "BLKSWX", (vm) => {
    const [i, j] = popBlocks(vm);
    if (i === 0 || j === 0) return;
    if (vm.version >= 4) consumeMoves(vm, i + j);
    swapBlocks(vm.stack, i, j);
  }),
  plain("64", "REVX", (vm) => {
    const [count, offset] = popBlocks(vm);
    consumeMoves(vm, count);
    reverse(vm.stack, count, offset);
  }),
  plain("65", "DROPX", (vm) => {
    const count = popIndex(vm);
    vm.stack.need(count);
    vm.stack.drop(count);
  }),
  plain("66", "TUCK", ({ stack }) => {
    stack.need(2);
    stack.swap(0, 1);
    stack.push(stack.at(1));
  }),
  plain("67", "XCHGX", (vm) => exchange(vm, popIndex(vm))),
  plain("68", "DEPTH", ({ stack }) => stack.push(stack.depth)),
  plain("69", "CHKDEPTH", (vm) => vm.stack.need(popIndex(vm))),
  plain("6A", "ONLYTOPX", (vm) => {
    const count = popIndex(vm);
    const { stack } = vm;
    stack.need(count);
    if (stack.depth === count) return;
    consumeMoves(vm, count);
    stack.dropBottom(stack.depth - count);
  }),
  plain("6B", "ONLYX", (vm) => {
    const count = popIndex(vm);
    vm.stack.need(count);
    vm.stack.drop(vm.stack.depth - count);
  }),
];

export const stackInstructions: readonly Instruction[] = [...simple, ...compound, ...blocks, ...variable];
