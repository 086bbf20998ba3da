import type { Cell } from "../../../cell/Cell.ts";
import type { CellSlice } from "../CellSlice.ts";
import { call, jump } from "../control.ts";
import { deletePrefix, type Edit, findPrefix, maxKeyBits, type SetMode, setPrefix } from "../data/dictionary.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode, uint } from "../instruction.ts";
import { appendSlice, checkRoom, smallUint } from "../slices.ts";
import { refTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";
import { pushLoaded, pushMissing } from "./cellParse.ts";
import { pushRoot } from "./dictionary.ts";

/** The dictionary as a slice of one bit and one reference, which is how the reference shows it. */
const dictionaryTail: typeof refTail = { ...refTail, show: () => "(xC_,1)" };

/** How many references a serialized dictionary has: one bit says it; `undefined` when it is cut off. */
function rootRefs(slice: CellSlice): 0 | 1 | undefined {
  if (slice.bits < 1) return undefined;
  const refs = smallUint(slice, 1) === 1 ? 1 : 0;
  return slice.refs < refs ? undefined : refs;
}

/** Loads a dictionary as the part of the slice it is (`asPart`) or as its root; the mode is that of other loads. */
function load(code: string, name: string, asPart: boolean, mode: number): Instruction {
  return opcode(code, name, 1, (vm) => {
    const slice = vm.stack.popSlice();
    const refs = rootRefs(slice);
    if (refs === undefined) return pushMissing(vm, mode, slice);
    const root = refs === 1 ? slice.cell.ref(slice.ref) : null;
    pushLoaded(vm, mode, slice, asPart ? slice.first(1, refs) : root, 1, refs);
  });
}

export const dictionaryCellInstructions: readonly Instruction[] = [
  opcode("F400", "STDICT", 2, ({ stack }) => {
    const builder = stack.popBuilder();
    const root = stack.popMaybeCell();
    checkRoom(builder, 1, root === undefined ? 0 : 1);
    stack.push(root === undefined ? builder.withSame(0, 1) : builder.withSame(1, 1).withRef(root));
  }),
  opcode("F401", "SKIPDICT", 1, ({ stack }) => {
    const slice = stack.popSlice();
    stack.push(slice.without(1, rootRefs(slice) ?? fail(Exception.cellUnderflow)));
  }),
  load("F402", "LDDICTS", true, 0),
  load("F403", "PLDDICTS", true, 2),
  load("F404", "LDDICT", false, 0),
  load("F405", "PLDDICT", false, 2),
  load("F406", "LDDICTQ", false, 4),
  load("F407", "PLDDICTQ", false, 6),
  opcode("F4A400-F4A7FF", ["DICTPUSHCONST", uint(10)], { tail: dictionaryTail }, ({ stack }, bits, _b, _c, root) =>
    stack.push(root).push(bits),
  ),
];

function popRoot({ stack }: Vm): [root: Cell | undefined, bits: number] {
  const bits = stack.popSmall(maxKeyBits);
  return [stack.popMaybeCell(), bits];
}

type EditRun = (vm: Vm, key: CellSlice, root: Cell | undefined, bits: number) => Edit;

/** An edit with the key on the stack. Before version 9 one value less was asked for at first. */
function edit(code: string, name: string, need: number, run: EditRun): Instruction {
  return opcode(code, `PFXDICT${name}`, need - 1, (vm) => {
    if (vm.version >= 9) vm.stack.need(need);
    const [root, bits] = popRoot(vm);
    const result = run(vm, vm.stack.popSlice(), root, bits);
    pushRoot(vm, root, result);
    vm.stack.pushBool(result.isChanged);
  });
}

function set(code: string, mode: SetMode): Instruction {
  return edit(code, mode.toUpperCase(), 4, (vm, key, root, bits) => {
    const value = vm.stack.popSlice();
    return setPrefix(vm, root, key, bits, (builder) => appendSlice(builder, value), mode);
  });
}

/**
 * Splits a slice behind the key it begins with and pushes the parts; gives the value, or `undefined` and the slice
 * stays.
 */
function split(vm: Vm, root: Cell | undefined, bits: number, isValuePushed: boolean): CellSlice | undefined {
  const slice = vm.stack.popSlice();
  const prefix = findPrefix(vm, root, { bytes: slice.cell.bytes, at: slice.at }, slice.bits, bits);
  if (prefix === undefined) return void vm.stack.push(slice);
  const { value, length } = prefix;
  const [first, rest] = [slice.first(length, 0), slice.without(length, 0)];
  vm.stack.pushAll(isValuePushed ? [first, value, rest] : [first, rest]);
  return value;
}

function switchTo(vm: Vm, root: Cell | undefined, bits: number): void {
  const value = split(vm, root, bits, false);
  if (value !== undefined) jump(vm, codeContinuation(value));
}

/** Dictionaries whose keys are of different lengths. */
export const prefixDictionaryInstructions: readonly Instruction[] = [
  set("F470", "set"),
  set("F471", "replace"),
  set("F472", "add"),
  edit("F473", "DEL", 3, (vm, key, root, bits) => deletePrefix(vm, root, key, bits)),
  opcode("F4A8", "PFXDICTGETQ", 3, (vm) => vm.stack.pushBool(split(vm, ...popRoot(vm), true) !== undefined)),
  opcode("F4A9", "PFXDICTGET", 3, (vm) => split(vm, ...popRoot(vm), true) ?? fail(Exception.cellUnderflow)),
  opcode("F4AA", "PFXDICTGETJMP", 3, (vm) => switchTo(vm, ...popRoot(vm))),
  opcode("F4AB", "PFXDICTGETEXEC", 3, (vm) =>
    call(vm, codeContinuation(split(vm, ...popRoot(vm), false) ?? fail(Exception.cellUnderflow))),
  ),
  opcode("F4AC00-F4AFFF", ["PFXDICTSWITCH", uint(10)], { tail: dictionaryTail }, (vm, bits, _b, _c, root) =>
    switchTo(vm, root, bits),
  ),
];
