import { maxRefs } from "../../../cell/CellKind.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import { cellSlice } from "../CellSlice.ts";
import { makeExotic } from "../data/makeExotic.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { fitsSigned, fitsUnsigned } from "../integers.ts";
import type { Stack } from "../Stack.ts";
import type { StackValue } from "../StackValue.ts";
import { appendInteger, appendSlice, canTake, sliceDepth } from "../slices.ts";
import { refTail, sliceTail, twoRefsTail } from "../tails.ts";
import { finishCell, GasPrice, type Vm } from "../Vm.ts";

const unsigned = 1;
const reversed = 2;
const quiet = 4;

/** Stores an integer; the mode says whether it is unsigned (1), lies above the builder (2), and reports failures (4). */
function storeInteger({ stack }: Vm, bits: number, mode: number): void {
  const first = mode & reversed ? undefined : stack.popBuilder();
  const x = stack.popInt();
  const builder = first ?? stack.popBuilder();
  const failure = findFailure();
  if (failure === 0) {
    stack.push(appendInteger(builder, x, bits));
    if (mode & quiet) stack.push(0);
    return;
  }
  if (!(mode & quiet)) fail(failure === -1 ? Exception.cellOverflow : Exception.rangeCheck);
  stack.pushAll(mode & reversed ? [builder, x, failure] : [x, builder, failure]);

  function findFailure(): -1 | 0 | 1 {
    if (builder.freeBits < bits) return -1;
    return (mode & unsigned ? fitsUnsigned(x, bits) : fitsSigned(x, bits)) ? 0 : 1;
  }
}

function integerName(mode: number, variable: boolean): string {
  return `ST${mode & unsigned ? "U" : "I"}${variable ? "X" : ""}${mode & reversed ? "R" : ""}${mode & quiet ? "Q" : ""}`;
}

const integerForms: readonly Instruction[] = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((mode) => [
  plain(`CF0${mode}`, integerName(mode, true), (vm) => {
    vm.stack.need(3);
    storeInteger(vm, vm.stack.popSmall(mode & unsigned ? 256 : 257), mode);
  }),
  instruction({
    ...{
      name: integerName(mode, false),
      opcode: `CF${(8 + mode).toString(16).padStart(2, "0")}xx`,
      args: [uint(8, 1)],
    },
    run(vm, bits) {
      vm.stack.need(2);
      storeInteger(vm, bits, mode);
    },
  }),
]);

/** What is stored into a builder: taken from the stack, with the room it needs and how it is appended. */
interface Stored<T extends StackValue> {
  readonly pop: (stack: Stack) => T;
  readonly room: (value: T) => readonly [bits: number, refs: number];
  readonly append: (vm: Vm, builder: CellBuilder, value: T) => CellBuilder;
}

function store<T extends StackValue>(vm: Vm, { pop, room, append }: Stored<T>, mode: number): void {
  const { stack } = vm;
  stack.need(2);
  const first = mode & reversed ? undefined : stack.popBuilder();
  const value = pop(stack);
  const builder = first ?? stack.popBuilder();
  if (!canTake(builder, ...room(value))) {
    if (!(mode & quiet)) fail(Exception.cellOverflow);
    stack.pushAll(mode & reversed ? [builder, value, -1] : [value, builder, -1]);
    return;
  }
  stack.push(append(vm, builder, value));
  if (mode & quiet) stack.push(0);
}

const storedRef: Stored<ReturnType<Stack["popCell"]>> = {
  pop: (stack) => stack.popCell(),
  room: () => [0, 1],
  append: (_vm, builder, cell) => builder.withRef(cell),
};

const storedBuilderRef: Stored<CellBuilder> = {
  pop: (stack) => stack.popBuilder(),
  room: () => [0, 1],
  append: (vm, builder, inner) => builder.withRef(vm.createCell(inner)),
};

const storedSlice: Stored<ReturnType<Stack["popSlice"]>> = {
  pop: (stack) => stack.popSlice(),
  room: (slice) => [slice.bits, slice.refs],
  append: (_vm, builder, slice) => appendSlice(builder, slice),
};

const storedBuilder: Stored<CellBuilder> = {
  pop: (stack) => stack.popBuilder(),
  room: (inner) => [inner.bits, inner.refs.length],
  append: (_vm, builder, inner) => builder.withBits(inner.bytes, 0, inner.bits).withRefs(inner.refs),
};

/** The four forms of storing something else than an integer: CF10 plain, CF14 reversed, CF18 quiet, CF1C both. */
function storeForms<T extends StackValue>(offset: number, name: string, stored: Stored<T>): Instruction[] {
  return [0, reversed, quiet, reversed | quiet].map((mode, i) =>
    plain(
      `CF1${(i * 4 + offset).toString(16).toUpperCase()}`,
      `${name}${mode & reversed ? "R" : ""}${mode & quiet ? "Q" : ""}`,
      (vm) => store(vm, stored, mode),
    ),
  );
}

const stores: readonly Instruction[] = [
  plain("CC", "STREF", (vm) => store(vm, storedRef, 0)),
  plain("CD", "ENDCST", (vm) => store(vm, storedBuilderRef, reversed)),
  plain("CE", "STSLICE", (vm) => store(vm, storedSlice, 0)),
  ...storeForms(0, "STREF", storedRef),
  ...storeForms(1, "STBREF", storedBuilderRef),
  ...storeForms(2, "STSLICE", storedSlice),
  ...storeForms(3, "STB", storedBuilder),
];

function checkRoom(builder: CellBuilder, bits: number, refs: number): void {
  if (!canTake(builder, bits, refs)) fail(Exception.cellOverflow);
}

const constants: readonly Instruction[] = [
  instruction({
    ...{ name: "STREFCONST", opcode: "CF20", tail: refTail },
    run({ stack }, _a, _b, _c, cell) {
      const builder = stack.popBuilder();
      checkRoom(builder, 0, 1);
      stack.push(builder.withRef(cell));
    },
  }),
  instruction({
    ...{ name: "STREF2CONST", opcode: "CF21", tail: twoRefsTail },
    run({ stack }, _a, _b, _c, cells) {
      const builder = stack.popBuilder();
      checkRoom(builder, 0, 2);
      stack.push(builder.withRefs(cells));
    },
  }),
  instruction({
    ...{ name: "STSLICECONST", opcode: "CF80-CFFF", bits: 14 },
    args: [
      { ...uint(2), show: () => "" },
      { ...uint(3), show: () => "" },
    ],
    tail: sliceTail((refs, bytes) => ({ bits: bytes * 8 + 2, refs })),
    run({ stack }, _a, _b, _c, slice) {
      stack.push(appendSlice(stack.popBuilder(), slice));
    },
  }),
];

/** Integers with the lowest byte first. */
function storeLittleEndian(opcode: string, name: string, signed: boolean, bytes: number): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(2);
    const builder = stack.popBuilder();
    const x = stack.popInt();
    checkRoom(builder, bytes * 8, 0);
    if (!(signed ? fitsSigned(x, bytes * 8) : fitsUnsigned(x, bytes * 8))) fail(Exception.rangeCheck);
    const data = new Uint8Array(bytes);
    let rest = BigInt.asUintN(bytes * 8, BigInt(x));
    for (let i = 0; i < bytes; i++, rest >>= 8n) data[i] = Number(rest & 0xffn);
    stack.push(builder.withBits(data, 0, bytes * 8));
  });
}

function measure(opcode: string, name: string, ...compute: ((builder: CellBuilder) => number)[]): Instruction {
  return plain(opcode, name, ({ stack }) => {
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

/** Checks for room with bits (1) and references (2) on the stack. */
function checkForm(opcode: string, name: string, mode: number, isQuiet: boolean): Instruction {
  return plain(opcode, `${name}${isQuiet ? "Q" : ""}`, (vm) => {
    const { stack } = vm;
    stack.need(1 + (mode & 1) + (mode >> 1));
    const refs = mode & 2 ? stack.popSmall(7) : 0;
    check(vm, mode & 1 ? stack.popSmall(1023) : 0, refs, isQuiet);
  });
}

const checks: readonly Instruction[] = [false, true].flatMap((isQuiet) => {
  const [first, ...rest] = isQuiet ? ["CF3C", "CF3D", "CF3E", "CF3F"] : ["CF38", "CF39", "CF3A", "CF3B"];
  return [
    instruction({
      ...{ name: `BCHKBITS${isQuiet ? "Q" : ""}`, opcode: `${first}xx`, args: [uint(8, 1)] },
      run: (vm, bits) => check(vm, bits, 0, isQuiet),
    }),
    checkForm(rest[0] as string, "BCHKBITS", 1, isQuiet),
    checkForm(rest[1] as string, "BCHKREFS", 2, isQuiet),
    checkForm(rest[2] as string, "BCHKBITREFS", 3, isQuiet),
  ];
});

function storeSame({ stack }: Vm, bit: 0 | 1): void {
  const bits = stack.popSmall(1023);
  const builder = stack.popBuilder();
  checkRoom(builder, bits, 0);
  stack.push(builder.withSame(bit, bits));
}

function storeSameForm(opcode: string, name: string, bit: 0 | 1): Instruction {
  return plain(opcode, name, (vm) => {
    vm.stack.need(2);
    storeSame(vm, bit);
  });
}

export const cellBuildInstructions: readonly Instruction[] = [
  plain("C8", "NEWC", ({ stack }) => stack.push(emptyBuilder())),
  plain("C9", "ENDC", (vm) => vm.stack.push(vm.createCell(vm.stack.popBuilder()))),
  instruction({
    ...{ name: "STI", opcode: "CAxx", args: [uint(8, 1)] },
    run(vm, bits) {
      vm.stack.need(2);
      storeInteger(vm, bits, 0);
    },
  }),
  instruction({
    ...{ name: "STU", opcode: "CBxx", args: [uint(8, 1)] },
    run(vm, bits) {
      vm.stack.need(2);
      storeInteger(vm, bits, unsigned);
    },
  }),
  ...integerForms,
  ...stores,
  ...constants,
  plain("CF23", "ENDXC", (vm) => {
    const { stack } = vm;
    stack.need(2);
    const isExotic = stack.popBool();
    const builder = stack.popBuilder();
    vm.consume(GasPrice.cellCreate);
    stack.push(isExotic ? makeExotic(builder) : finishCell(builder));
  }),
  storeLittleEndian("CF28", "STILE4", true, 4),
  storeLittleEndian("CF29", "STULE4", false, 4),
  storeLittleEndian("CF2A", "STILE8", true, 8),
  storeLittleEndian("CF2B", "STULE8", false, 8),
  measure("CF30", "BDEPTH", (builder) => sliceDepth(builder.refs)),
  measure("CF31", "BBITS", bitsOf),
  measure("CF32", "BREFS", refsOf),
  measure("CF33", "BBITREFS", bitsOf, refsOf),
  measure("CF35", "BREMBITS", freeBits),
  measure("CF36", "BREMREFS", freeRefs),
  measure("CF37", "BREMBITREFS", freeBits, freeRefs),
  ...checks,
  storeSameForm("CF40", "STZEROES", 0),
  storeSameForm("CF41", "STONES", 1),
  plain("CF42", "STSAME", (vm) => {
    vm.stack.need(3);
    storeSame(vm, vm.stack.popSmall(1) === 1 ? 1 : 0);
  }),
  plain("CF50", "BTOS", ({ stack }) => stack.push(cellSlice(finishCell(stack.popBuilder()))), 12),
];
