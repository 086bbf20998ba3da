import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode, uint } from "../instruction.ts";
import { isTuple, tupleItem, tupleOf } from "../Stack.ts";
import type { StackValue, Tuple } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";

function makeTuple(vm: Vm, count: number): void {
  const tuple = vm.stack.need(count).split(count);
  vm.consume(count);
  vm.stack.push(tuple);
}

const index = ({ stack }: Vm, i: number) => stack.push(tupleItem(stack.popTuple(255), i));
const indexQuiet = ({ stack }: Vm, i: number) => stack.pushMaybe(stack.popMaybeTuple(255)?.[i]);

function explode(vm: Vm, tuple: Tuple, count: number): void {
  for (let i = 0; i < count; i++) vm.stack.push(tuple[i] as StackValue);
  vm.consume(count);
}

const untuple = (vm: Vm, count: number): void => explode(vm, vm.stack.popTuple(count, count), count);
const unpackFirst = (vm: Vm, count: number): void => explode(vm, vm.stack.popTuple(255, count), count);

function explodeAll(vm: Vm, longest: number): void {
  const tuple = vm.stack.popTuple(longest);
  explode(vm, tuple, tuple.length);
  vm.stack.push(tuple.length);
}

function setIndex(vm: Vm, i: number): void {
  const value = vm.stack.pop();
  const tuple = vm.stack.popTuple(255);
  if (i >= tuple.length) fail(Exception.rangeCheck);
  vm.consume(tuple.length);
  vm.stack.push(tuple.with(i, value));
}

function setIndexQuiet(vm: Vm, i: number): void {
  const value = vm.stack.pop();
  const tuple = vm.stack.popMaybeTuple(255);
  if (i >= 255) fail(Exception.rangeCheck);
  vm.stack.pushMaybe(extended(vm, tuple, i, value));
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

/** An instruction with its operand in the code, and with its operand on the stack. */
function forms(digit: number, name: string, need: number, largest: number, run: (vm: Vm, a: number) => unknown) {
  const variable = name.endsWith("Q") ? `${name.slice(0, -1)}VARQ` : `${name}VAR`;
  return [
    opcode(`6F${digit}x`, [name, uint(4)], need, run),
    opcode(`6F8${digit}`, variable, need + 1, (vm) => run(vm, vm.stack.popSmall(largest))),
  ];
}

function indexPath({ stack }: Vm, path: readonly number[]): void {
  let value: StackValue = stack.popTuple(255);
  for (const i of path) value = tupleItem(tupleOf(value), i);
  stack.push(value);
}

/** Pushes nulls under the condition, and under one more value when `depth` is 1. */
function nullIf(code: string, name: string, wanted: boolean, depth: number, count: number): Instruction {
  return opcode(code, name, depth + 1, ({ stack }) => {
    const condition = stack.popFinite();
    if ((condition !== 0) === wanted) {
      const above = stack.split(depth);
      for (let i = 0; i < count; i++) stack.push(null);
      stack.pushAll(above);
    }
    stack.push(condition);
  });
}

const item = uint(2);

export const tupleInstructions: readonly Instruction[] = [
  opcode("6D", "PUSHNULL", 0, ({ stack }) => stack.push(null)),
  opcode("6E", "ISNULL", 1, ({ stack }) => stack.pushBool(stack.pop() === null)),
  ...forms(0, "TUPLE", 0, 255, makeTuple),
  ...forms(1, "INDEX", 1, 254, index),
  ...forms(2, "UNTUPLE", 1, 255, untuple),
  ...forms(3, "UNPACKFIRST", 1, 255, unpackFirst),
  ...forms(4, "EXPLODE", 1, 255, explodeAll),
  ...forms(5, "SETINDEX", 2, 254, setIndex),
  ...forms(6, "INDEXQ", 1, 254, indexQuiet),
  ...forms(7, "SETINDEXQ", 2, 254, setIndexQuiet),
  opcode("6F88", "TLEN", 1, ({ stack }) => stack.push(stack.popTuple(255).length)),
  opcode("6F89", "QTLEN", 1, ({ stack }) => {
    const value = stack.pop();
    stack.push(isTuple(value) ? value.length : -1);
  }),
  opcode("6F8A", "ISTUPLE", 1, ({ stack }) => stack.pushBool(isTuple(stack.pop()))),
  opcode("6F8B", "LAST", 1, ({ stack }) => stack.push(stack.popTuple(255, 1).at(-1) as StackValue)),
  opcode("6F8C", "TPUSH", 2, (vm) => {
    const value = vm.stack.pop();
    const tuple = [...vm.stack.popTuple(254), value];
    vm.consume(tuple.length);
    vm.stack.push(tuple);
  }),
  opcode("6F8D", "TPOP", 1, (vm) => {
    const tuple = vm.stack.popTuple(255, 1);
    const rest = tuple.slice(0, -1);
    vm.consume(rest.length);
    vm.stack.push(rest).push(tuple[rest.length] as StackValue);
  }),
  nullIf("6FA0", "NULLSWAPIF", true, 0, 1),
  nullIf("6FA1", "NULLSWAPIFNOT", false, 0, 1),
  nullIf("6FA2", "NULLROTRIF", true, 1, 1),
  nullIf("6FA3", "NULLROTRIFNOT", false, 1, 1),
  nullIf("6FA4", "NULLSWAPIF2", true, 0, 2),
  nullIf("6FA5", "NULLSWAPIFNOT2", false, 0, 2),
  nullIf("6FA6", "NULLROTRIF2", true, 1, 2),
  nullIf("6FA7", "NULLROTRIFNOT2", false, 1, 2),
  opcode("6FBx", ["INDEX2", item, item], 1, (vm, i, j) => indexPath(vm, [i, j])),
  opcode("6FC0-6FFF", ["INDEX3", item, item, item], 1, (vm, i, j, k) => indexPath(vm, [i, j, k])),
];
