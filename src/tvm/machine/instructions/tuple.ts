import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { isTuple, tupleItem, tupleOf } from "../Stack.ts";
import type { StackValue, Tuple } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";

function makeTuple(vm: Vm, count: number): void {
  vm.stack.need(count);
  const tuple = vm.stack.split(count);
  vm.consume(count);
  vm.stack.push(tuple);
}

function index({ stack }: Vm, i: number): void {
  stack.push(tupleItem(stack.popTuple(255), i));
}

function indexQuiet({ stack }: Vm, i: number): void {
  stack.push(stack.popMaybeTuple(255)?.[i] ?? null);
}

function explode(vm: Vm, tuple: Tuple, count: number): void {
  for (let i = 0; i < count; i++) vm.stack.push(tuple[i] as StackValue);
  vm.consume(count);
}

function untuple(vm: Vm, count: number): void {
  explode(vm, vm.stack.popTuple(count, count), count);
}

function unpackFirst(vm: Vm, count: number): void {
  explode(vm, vm.stack.popTuple(255, count), count);
}

function explodeAll(vm: Vm, longest: number): void {
  const tuple = vm.stack.popTuple(longest);
  explode(vm, tuple, tuple.length);
  vm.stack.push(tuple.length);
}

function setIndex(vm: Vm, i: number): void {
  const { stack } = vm;
  stack.need(2);
  const value = stack.pop();
  const tuple = stack.popTuple(255);
  if (i >= tuple.length) fail(Exception.rangeCheck);
  vm.consume(tuple.length);
  stack.push(tuple.with(i, value));
}

function setIndexQuiet(vm: Vm, i: number): void {
  const { stack } = vm;
  stack.need(2);
  const value = stack.pop();
  const tuple = stack.popMaybeTuple(255);
  if (i >= 255) fail(Exception.rangeCheck);
  stack.pushMaybe(extended(vm, tuple, i, value));
}

/** A tuple with an item set, lengthened with nulls where it is too short; null is not worth lengthening. */
export function extended(vm: Vm, tuple: Tuple | undefined, i: number, value: StackValue): Tuple | undefined {
  const length = tuple?.length ?? 0;
  if (i >= length && value === null) return tuple;
  const items: StackValue[] = tuple === undefined ? [] : tuple.slice();
  while (items.length < i) items.push(null);
  items[i] = value;
  vm.consume(items.length);
  return items;
}

/** A form of an instruction that takes its operand from the stack. */
function variable(opcode: string, name: string, needs: number, largest: number, run: (vm: Vm, a: number) => void) {
  return plain(opcode, name, (vm) => {
    vm.stack.need(needs);
    run(vm, vm.stack.popSmall(largest));
  });
}

function indexPath({ stack }: Vm, path: readonly number[]): void {
  let value: StackValue = stack.popTuple(255);
  for (const i of path) value = tupleItem(tupleOf(value), i);
  stack.push(value);
}

/** Pushes nulls under the condition, and under one more value when `depth` is 1. */
function nullIf(opcode: string, name: string, wanted: boolean, depth: number, count: number): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(depth + 1);
    const condition = stack.popFinite();
    if ((condition !== 0) === wanted) {
      const above = stack.split(depth);
      for (let i = 0; i < count; i++) stack.push(null);
      stack.pushAll(above);
    }
    stack.push(condition);
  });
}

const count = [uint(4)];

export const tupleInstructions: readonly Instruction[] = [
  plain("6D", "PUSHNULL", ({ stack }) => stack.push(null)),
  plain("6E", "ISNULL", ({ stack }) => stack.pushBool(stack.pop() === null)),
  instruction({ name: "TUPLE", opcode: "6F0x", args: count, run: makeTuple }),
  instruction({ name: "INDEX", opcode: "6F1x", args: count, run: index }),
  instruction({ name: "UNTUPLE", opcode: "6F2x", args: count, run: untuple }),
  instruction({ name: "UNPACKFIRST", opcode: "6F3x", args: count, run: unpackFirst }),
  instruction({ name: "EXPLODE", opcode: "6F4x", args: count, run: explodeAll }),
  instruction({ name: "SETINDEX", opcode: "6F5x", args: count, run: setIndex }),
  instruction({ name: "INDEXQ", opcode: "6F6x", args: count, run: indexQuiet }),
  instruction({ name: "SETINDEXQ", opcode: "6F7x", args: count, run: setIndexQuiet }),
  variable("6F80", "TUPLEVAR", 1, 255, makeTuple),
  variable("6F81", "INDEXVAR", 2, 254, index),
  variable("6F82", "UNTUPLEVAR", 2, 255, untuple),
  variable("6F83", "UNPACKFIRSTVAR", 2, 255, unpackFirst),
  variable("6F84", "EXPLODEVAR", 2, 255, explodeAll),
  variable("6F85", "SETINDEXVAR", 3, 254, setIndex),
  variable("6F86", "INDEXVARQ", 2, 254, indexQuiet),
  variable("6F87", "SETINDEXVARQ", 3, 254, setIndexQuiet),
  plain("6F88", "TLEN", ({ stack }) => stack.push(stack.popTuple(255).length)),
  plain("6F89", "QTLEN", ({ stack }) => {
    const value = stack.pop();
    stack.push(isTuple(value) ? value.length : -1);
  }),
  plain("6F8A", "ISTUPLE", ({ stack }) => stack.pushBool(isTuple(stack.pop()))),
  plain("6F8B", "LAST", ({ stack }) => {
    const tuple = stack.popTuple(255, 1);
    stack.push(tuple[tuple.length - 1] as StackValue);
  }),
  plain("6F8C", "TPUSH", (vm) => {
    const { stack } = vm;
    stack.need(2);
    const value = stack.pop();
    const tuple = [...stack.popTuple(254), value];
    vm.consume(tuple.length);
    stack.push(tuple);
  }),
  plain("6F8D", "TPOP", (vm) => {
    const tuple = vm.stack.popTuple(255, 1);
    const rest = tuple.slice(0, -1);
    vm.consume(rest.length);
    vm.stack.push(rest);
    vm.stack.push(tuple[rest.length] as StackValue);
  }),
  nullIf("6FA0", "NULLSWAPIF", true, 0, 1),
  nullIf("6FA1", "NULLSWAPIFNOT", false, 0, 1),
  nullIf("6FA2", "NULLROTRIF", true, 1, 1),
  nullIf("6FA3", "NULLROTRIFNOT", false, 1, 1),
  nullIf("6FA4", "NULLSWAPIF2", true, 0, 2),
  nullIf("6FA5", "NULLSWAPIFNOT2", false, 0, 2),
  nullIf("6FA6", "NULLROTRIF2", true, 1, 2),
  nullIf("6FA7", "NULLROTRIFNOT2", false, 1, 2),
  instruction({
    ...{ name: "INDEX2", opcode: "6FBx", args: [uint(2), uint(2)] },
    run: (vm, i, j) => indexPath(vm, [i, j]),
  }),
  instruction({
    ...{ name: "INDEX3", opcode: "6FC0-6FFF", args: [uint(2), uint(2), uint(2)] },
    run: (vm, i, j, k) => indexPath(vm, [i, j, k]),
  }),
];
