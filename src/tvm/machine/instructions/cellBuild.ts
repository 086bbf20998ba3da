import { maxRefs } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { makeExotic } from "../data/makeExotic.ts";
import { Exception, fail } from "../exceptions.ts";
import { hexDigits, hidden, type Instruction, opcode, uint } from "../instruction.ts";
import { fitsSigned, fitsUnsigned } from "../integers.ts";
import type { Stack } from "../Stack.ts";
import type { StackValue } from "../StackValue.ts";
import { appendBuilder, appendInteger, appendSlice, canTake, checkRoom, sliceDepth } from "../slices.ts";
import { refTail, sliceTail, twoRefsTail } from "../tails.ts";
import { finishCell, GasPrice, type Vm } from "../Vm.ts";

const unsigned = 1;
const reversed = 2;
const quiet = 4;

/** Ends a store: the builder, or what was given and why it failed; only quiet forms (4) report that. */
function pushStored({ stack }: Vm, mode: number, stored: CellBuilder): void {
  stack.push(stored);
  if (mode & quiet) stack.push(0);
}

function pushFailed({ stack }: Vm, mode: number, builder: CellBuilder, value: StackValue, failure: -1 | 1): void {
  if (!(mode & quiet)) fail(failure === -1 ? Exception.cellOverflow : Exception.rangeCheck);
  stack.pushAll(mode & reversed ? [builder, value, failure] : [value, builder, failure]);
}

const fits = (x: number | bigint, bits: number, isUnsigned: boolean): boolean =>
  isUnsigned ? fitsUnsigned(x, bits) : fitsSigned(x, bits);

/**
 * Stores an integer; the mode says whether it is unsigned (1), lies above the builder (2), and reports failures (4).
 */
function storeInteger(vm: Vm, bits: number, mode: number): void {
  const { stack } = vm;
  const first = mode & reversed ? undefined : stack.popBuilder();
  const x = stack.popInt();
  const builder = first ?? stack.popBuilder();
  if (builder.freeBits < bits) pushFailed(vm, mode, builder, x, -1);
  else if (!fits(x, bits, (mode & unsigned) !== 0)) pushFailed(vm, mode, builder, x, 1);
  else pushStored(vm, mode, appendInteger(builder, x, bits));
}

function integerName(mode: number, variable: string): string {
  return `ST${mode & unsigned ? "U" : "I"}${variable}${mode & reversed ? "R" : ""}${mode & quiet ? "Q" : ""}`;
}

const width = uint(8, 1);

const integers: readonly Instruction[] = [
  opcode("CAxx", ["STI", width], 2, (vm, bits) => storeInteger(vm, bits, 0)),
  opcode("CBxx", ["STU", width], 2, (vm, bits) => storeInteger(vm, bits, unsigned)),
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((mode) => [
    opcode(`CF0${mode}`, integerName(mode, "X"), 3, (vm) =>
      storeInteger(vm, vm.stack.popSmall(mode & unsigned ? 256 : 257), mode),
    ),
    opcode(`CF0${hexDigits(8 + mode)}xx`, [integerName(mode, ""), width], 2, (vm, bits) =>
      storeInteger(vm, bits, mode),
    ),
  ]),
];

/** What is stored into a builder: taken from the stack, with the room it needs and how it is appended. */
interface Stored<T extends StackValue> {
  readonly pop: (stack: Stack) => T;
  readonly room: (value: T) => readonly [bits: number, refs: number];
  readonly append: (builder: CellBuilder, value: T, vm: Vm) => CellBuilder;
}

function store<T extends StackValue>(vm: Vm, { pop, room, append }: Stored<T>, mode: number): void {
  const { stack } = vm;
  const first = mode & reversed ? undefined : stack.popBuilder();
  const value = pop(stack);
  const builder = first ?? stack.popBuilder();
  if (canTake(builder, ...room(value))) pushStored(vm, mode, append(builder, value, vm));
  else pushFailed(vm, mode, builder, value, -1);
}

const oneRef = () => [0, 1] as const;
const popBuilder = (stack: Stack): CellBuilder => stack.popBuilder();

const storedRef: Stored<Cell> = {
  pop: (stack) => stack.popCell(),
  room: oneRef,
  append: (to, cell) => to.withRef(cell),
};

const storedBuilderRef: Stored<CellBuilder> = {
  pop: popBuilder,
  room: oneRef,
  append: (to, inner, vm) => to.withRef(vm.createCell(inner)),
};

const storedSlice: Stored<CellSlice> = {
  pop: (stack) => stack.popSlice(),
  room: (slice) => [slice.bits, slice.refs],
  append: appendSlice,
};

const storedBuilder: Stored<CellBuilder> = {
  pop: popBuilder,
  room: (inner) => [inner.bits, inner.refs.length],
  append: appendBuilder,
};

/** The four forms of storing something else than an integer: CF10 plain, CF14 reversed, CF18 quiet, CF1C both. */
function storeForms<T extends StackValue>(offset: number, name: string, stored: Stored<T>): Instruction[] {
  return [0, reversed, quiet, reversed | quiet].map((mode, i) => {
    const form = `${name}${mode & reversed ? "R" : ""}${mode & quiet ? "Q" : ""}`;
    return opcode(`CF1${hexDigits(i * 4 + offset)}`, form, 2, (vm) => store(vm, stored, mode));
  });
}

const stores: readonly Instruction[] = [
  opcode("CC", "STREF", 2, (vm) => store(vm, storedRef, 0)),
  opcode("CD", "ENDCST", 2, (vm) => store(vm, storedBuilderRef, reversed)),
  opcode("CE", "STSLICE", 2, (vm) => store(vm, storedSlice, 0)),
  ...storeForms(0, "STREF", storedRef),
  ...storeForms(1, "STBREF", storedBuilderRef),
  ...storeForms(2, "STSLICE", storedSlice),
  ...storeForms(3, "STB", storedBuilder),
  opcode("CF20", "STREFCONST", { tail: refTail }, ({ stack }, _a, _b, _c, cell) =>
    stack.push(checkRoom(stack.popBuilder(), 0, 1).withRef(cell)),
  ),
  opcode("CF21", "STREF2CONST", { tail: twoRefsTail }, ({ stack }, _a, _b, _c, cells) =>
    stack.push(checkRoom(stack.popBuilder(), 0, 2).withRefs(cells)),
  ),
  opcode(
    "CF80-CFFF",
    ["STSLICECONST", hidden(2), hidden(3)],
    { bits: 14, tail: sliceTail((refs, bytes) => ({ bits: bytes * 8 + 2, refs })) },
    ({ stack }, _a, _b, _c, slice) => stack.push(appendSlice(stack.popBuilder(), slice)),
  ),
];

function storeLittleEndian(code: string, name: string, isUnsigned: boolean, bytes: number): Instruction {
  return opcode(code, name, 2, ({ stack }) => {
    const builder = stack.popBuilder();
    const x = stack.popInt();
    checkRoom(builder, bytes * 8, 0);
    if (!fits(x, bytes * 8, isUnsigned)) fail(Exception.rangeCheck);
    const data = new Uint8Array(bytes);
    let rest = BigInt.asUintN(bytes * 8, BigInt(x));
    for (let i = 0; i < bytes; i++, rest >>= 8n) data[i] = Number(rest & 0xffn);
    stack.push(builder.withBits(data, 0, bytes * 8));
  });
}

function measure(code: string, name: string, ...compute: ((builder: CellBuilder) => number)[]): Instruction {
  return opcode(code, name, 1, ({ stack }) => {
    const builder = stack.popBuilder();
    for (const each of compute) stack.push(each(builder));
  });
}

const bitsOf = (builder: CellBuilder): number => builder.bits;
const refsOf = (builder: CellBuilder): number => builder.refs.length;
const freeBits = (builder: CellBuilder): number => builder.freeBits;
const freeRefs = (builder: CellBuilder): number => maxRefs - builder.refs.length;

function check({ stack }: Vm, bits: number, refs: number, isQuiet: boolean): void {
  const builder = stack.popBuilder();
  if (isQuiet) stack.pushBool(canTake(builder, bits, refs));
  else checkRoom(builder, bits, refs);
}

/** Checks for room, with bits (1) and references (2) on the stack. */
const checks: readonly Instruction[] = [false, true].flatMap((isQuiet) => {
  const [base, suffix] = isQuiet ? [12, "Q"] : [8, ""];
  return [
    opcode(`CF3${hexDigits(base)}xx`, [`BCHKBITS${suffix}`, width], 1, (vm, bits) => check(vm, bits, 0, isQuiet)),
    ...["BCHKBITS", "BCHKREFS", "BCHKBITREFS"].map((name, i) => {
      const mode = i + 1;
      return opcode(`CF3${hexDigits(base + mode)}`, `${name}${suffix}`, 1 + (mode & 1) + (mode >> 1), (vm) => {
        const refs = mode & 2 ? vm.stack.popSmall(7) : 0;
        check(vm, mode & 1 ? vm.stack.popSmall(1023) : 0, refs, isQuiet);
      });
    }),
  ];
});

function storeSame({ stack }: Vm, bit: 0 | 1): void {
  const bits = stack.popSmall(1023);
  stack.push(checkRoom(stack.popBuilder(), bits, 0).withSame(bit, bits));
}

export const cellBuildInstructions: readonly Instruction[] = [
  opcode("C8", "NEWC", 0, ({ stack }) => stack.push(emptyBuilder())),
  opcode("C9", "ENDC", 1, (vm) => vm.stack.push(vm.createCell(vm.stack.popBuilder()))),
  ...integers,
  ...stores,
  opcode("CF40", "STZEROES", 2, (vm) => storeSame(vm, 0)),
  opcode("CF41", "STONES", 2, (vm) => storeSame(vm, 1)),
  opcode("CF42", "STSAME", 3, (vm) => storeSame(vm, vm.stack.popSmall(1) === 1 ? 1 : 0)),
  opcode("CF50", "BTOS", { since: 12 }, ({ stack }) => stack.push(cellSlice(finishCell(stack.popBuilder())))),
];

/** Exotic cells, numbers in the order of other machines, and the sizes of builders. */
export const rareBuildInstructions: readonly Instruction[] = [
  opcode("CF23", "ENDXC", 2, (vm) => {
    const isExotic = vm.stack.popBool();
    const builder = vm.stack.popBuilder();
    vm.consume(GasPrice.cellCreate);
    vm.stack.push(isExotic ? makeExotic(builder) : finishCell(builder));
  }),
  storeLittleEndian("CF28", "STILE4", false, 4),
  storeLittleEndian("CF29", "STULE4", true, 4),
  storeLittleEndian("CF2A", "STILE8", false, 8),
  storeLittleEndian("CF2B", "STULE8", true, 8),
  measure("CF30", "BDEPTH", (builder) => sliceDepth(builder.refs)),
  measure("CF31", "BBITS", bitsOf),
  measure("CF32", "BREFS", refsOf),
  measure("CF33", "BBITREFS", bitsOf, refsOf),
  measure("CF35", "BREMBITS", freeBits),
  measure("CF36", "BREMREFS", freeRefs),
  measure("CF37", "BREMBITREFS", freeBits, freeRefs),
  ...checks,
];
