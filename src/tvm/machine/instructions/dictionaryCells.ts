import type { Cell } from "../../../cell/Cell.ts";
import type { CellSlice } from "../CellSlice.ts";
import { call, jump } from "../control.ts";
import { maxKeyBits, type SetMode } from "../data/dictionary.ts";
import { deletePrefix, findPrefix, setPrefix } from "../data/prefixDictionary.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { appendSlice, canTake, smallUint } from "../slices.ts";
import { refTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

/** The dictionary as a slice of one bit and one reference, which is how the reference shows it. */
const dictionaryTail: typeof refTail = { ...refTail, show: () => "(xC_,1)" };

/** How many references a serialized dictionary has: one bit says it; `undefined` when it is cut off. */
function rootRefs(slice: CellSlice): 0 | 1 | undefined {
  if (slice.bits < 1) return undefined;
  const refs = smallUint(slice, 1) === 1 ? 1 : 0;
  return slice.refs < refs ? undefined : refs;
}

/** Loads a dictionary as the part of the slice it is (`asPart`) or as its root: kept in the slice (1), quiet (2). */
function load(opcode: string, name: string, asPart: boolean, mode: number): Instruction {
  return plain(opcode, `${mode & 1 ? "P" : ""}${name}${mode & 2 ? "Q" : ""}`, ({ stack }) => {
    const slice = stack.popSlice();
    const refs = rootRefs(slice);
    if (refs === undefined) {
      if (!(mode & 2)) fail(Exception.cellUnderflow);
      if (!(mode & 1)) stack.push(slice);
    } else {
      if (asPart) stack.push(slice.first(1, refs));
      else stack.pushMaybe(refs === 1 ? slice.cell.ref(slice.ref) : undefined);
      if (!(mode & 1)) stack.push(slice.without(1, refs));
    }
    if (mode & 2) stack.pushBool(refs !== undefined);
  });
}

const serialized: readonly Instruction[] = [
  plain("F400", "STDICT", ({ stack }) => {
    stack.need(2);
    const builder = stack.popBuilder();
    const root = stack.popMaybeCell();
    if (!canTake(builder, 1, root === undefined ? 0 : 1)) fail(Exception.cellOverflow);
    stack.push(root === undefined ? builder.withSame(0, 1) : builder.withSame(1, 1).withRef(root));
  }),
  plain("F401", "SKIPDICT", ({ stack }) => {
    const slice = stack.popSlice();
    stack.push(slice.without(1, rootRefs(slice) ?? fail(Exception.cellUnderflow)));
  }),
  load("F402", "LDDICTS", true, 0),
  load("F403", "LDDICTS", true, 1),
  load("F404", "LDDICT", false, 0),
  load("F405", "LDDICT", false, 1),
  load("F406", "LDDICT", false, 2),
  load("F407", "LDDICT", false, 3),
];

function setPrefixForm(opcode: string, name: string, mode: SetMode): Instruction {
  return plain(opcode, `PFXDICT${name}`, (vm) => {
    const { stack } = vm;
    stack.need(vm.version >= 9 ? 4 : 3);
    const bits = stack.popSmall(maxKeyBits);
    const root = stack.popMaybeCell();
    const key = stack.popSlice();
    const value = stack.popSlice();
    const edit = setPrefix(vm, root, key.cell.bytes, key.at, key.bits, bits, (to) => appendSlice(to, value), mode);
    stack.pushMaybe(edit.isChanged ? edit.root : root);
    stack.pushBool(edit.isChanged);
  });
}

/** Splits a slice behind the key it begins with: what is done with the value differs. */
function splitByPrefix(
  vm: Vm,
  root: Cell | undefined,
  bits: number,
): { value: CellSlice; first: CellSlice; rest: CellSlice } | CellSlice {
  const slice = vm.stack.popSlice();
  const found = findPrefix(vm, root, slice.cell.bytes, slice.at, slice.bits, bits);
  if (found === undefined) return slice;
  return { value: found.value, first: slice.first(found.length, 0), rest: slice.without(found.length, 0) };
}

function popRoot(vm: Vm): [Cell | undefined, number] {
  vm.stack.need(3);
  const bits = vm.stack.popSmall(maxKeyBits);
  return [vm.stack.popMaybeCell(), bits];
}

const prefixes: readonly Instruction[] = [
  setPrefixForm("F470", "SET", "set"),
  setPrefixForm("F471", "REPLACE", "replace"),
  setPrefixForm("F472", "ADD", "add"),
  plain("F473", "PFXDICTDEL", (vm) => {
    const { stack } = vm;
    stack.need(vm.version >= 9 ? 3 : 2);
    const bits = stack.popSmall(maxKeyBits);
    const root = stack.popMaybeCell();
    const key = stack.popSlice();
    const edit = deletePrefix(vm, root, key.cell.bytes, key.at, key.bits, bits);
    stack.pushMaybe(edit.isChanged ? edit.root : root);
    stack.pushBool(edit.isChanged);
  }),
  plain("F4A8", "PFXDICTGETQ", (vm) => {
    const found = splitByPrefix(vm, ...popRoot(vm));
    if ("value" in found) vm.stack.pushAll([found.first, found.value, found.rest, -1]);
    else vm.stack.pushAll([found, 0]);
  }),
  plain("F4A9", "PFXDICTGET", (vm) => {
    const found = splitByPrefix(vm, ...popRoot(vm));
    if (!("value" in found)) fail(Exception.cellUnderflow);
    vm.stack.pushAll([found.first, found.value, found.rest]);
  }),
  plain("F4AA", "PFXDICTGETJMP", (vm) => {
    const found = splitByPrefix(vm, ...popRoot(vm));
    if (!("value" in found)) return vm.stack.push(found);
    vm.stack.pushAll([found.first, found.rest]);
    jump(vm, codeContinuation(found.value));
  }),
  plain("F4AB", "PFXDICTGETEXEC", (vm) => {
    const found = splitByPrefix(vm, ...popRoot(vm));
    if (!("value" in found)) fail(Exception.cellUnderflow);
    vm.stack.pushAll([found.first, found.rest]);
    call(vm, codeContinuation(found.value));
  }),
  instruction({
    ...{ name: "PFXDICTSWITCH", opcode: "F4AC00-F4AFFF", args: [uint(10)], tail: dictionaryTail },
    run(vm, bits, _b, _c, root) {
      const found = splitByPrefix(vm, root, bits);
      if (!("value" in found)) return vm.stack.push(found);
      vm.stack.pushAll([found.first, found.rest]);
      jump(vm, codeContinuation(found.value));
    },
  }),
  instruction({
    ...{ name: "DICTPUSHCONST", opcode: "F4A400-F4A7FF", args: [uint(10)], tail: dictionaryTail },
    run: ({ stack }, bits, _b, _c, root) => stack.pushAll([root, bits]),
  }),
];

export const dictionaryCellInstructions: readonly Instruction[] = [...serialized, ...prefixes];
