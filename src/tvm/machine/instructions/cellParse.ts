import { CellKind } from "../../../cell/CellKind.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { fromBig, fromBytes } from "../integers.ts";
import { countLeading, isPrefix, sliceDepth, sliceInt, sliceRefs, sliceUint } from "../slices.ts";
import { sliceTail } from "../tails.ts";
import type { Vm } from "../Vm.ts";

const unsigned = 1;
const preload = 2;
const quiet = 4;

/** Loads an integer; the mode says whether it is unsigned (1), stays in the slice (2), and reports failures (4). */
function loadInteger({ stack }: Vm, bits: number, mode: number): void {
  const slice = stack.popSlice();
  if (slice.bits < bits) {
    if (!(mode & quiet)) fail(Exception.cellUnderflow);
    if (!(mode & preload)) stack.push(slice);
    stack.push(0);
    return;
  }
  stack.push(mode & unsigned ? sliceUint(slice, bits) : sliceInt(slice, bits));
  if (!(mode & preload)) stack.push(slice.without(bits, 0));
  if (mode & quiet) stack.push(-1);
}

function integerName(mode: number, variable: boolean): string {
  return `${mode & preload ? "P" : ""}LD${mode & unsigned ? "U" : "I"}${variable ? "X" : ""}${mode & quiet ? "Q" : ""}`;
}

const integers: readonly Instruction[] = [
  instruction({ name: "LDI", opcode: "D2xx", args: [uint(8, 1)], run: (vm, bits) => loadInteger(vm, bits, 0) }),
  instruction({ name: "LDU", opcode: "D3xx", args: [uint(8, 1)], run: (vm, bits) => loadInteger(vm, bits, unsigned) }),
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((mode) => [
    plain(`D70${mode}`, integerName(mode, true), (vm) => {
      vm.stack.need(2);
      loadInteger(vm, vm.stack.popSmall(mode & unsigned ? 256 : 257), mode);
    }),
    instruction({
      ...{ name: integerName(mode, false), opcode: `D7${(8 + mode).toString(16).padStart(2, "0")}xx` },
      args: [uint(8, 1)],
      run: (vm, bits) => loadInteger(vm, bits, mode),
    }),
  ]),
  instruction({
    ...{ name: "PLDUZ", opcode: "D710-D717", args: [{ ...uint(3), show: (value) => String((value + 1) * 32) }] },
    run({ stack }, words) {
      const slice = stack.popSlice();
      const bits = (words + 1) * 32;
      const given = Math.min(bits, slice.bits);
      stack.push(slice);
      stack.push(fromBig(BigInt(sliceUint(slice, given)) << BigInt(bits - given)));
    },
  }),
];

/** Loads a part of so many bits: it stays in the slice (1), failures are reported (2). */
function loadPart({ stack }: Vm, bits: number, mode: number): void {
  const slice = stack.popSlice();
  if (slice.bits < bits) {
    if (!(mode & 2)) fail(Exception.cellUnderflow);
    if (!(mode & 1)) stack.push(slice);
    stack.push(0);
    return;
  }
  stack.push(slice.first(bits, 0));
  if (!(mode & 1)) stack.push(slice.without(bits, 0));
  if (mode & 2) stack.push(-1);
}

const partName = (mode: number, variable: string): string =>
  `${mode & 1 ? "P" : ""}LDSLICE${variable}${mode & 2 ? "Q" : ""}`;

const parts: readonly Instruction[] = [
  instruction({ name: "LDSLICE", opcode: "D6xx", args: [uint(8, 1)], run: (vm, bits) => loadPart(vm, bits, 0) }),
  ...[0, 1, 2, 3].flatMap((mode) => [
    plain(`D71${"89AB"[mode] as string}`, partName(mode, "X"), (vm) => {
      vm.stack.need(2);
      loadPart(vm, vm.stack.popSmall(1023), mode);
    }),
    instruction({
      ...{ name: partName(mode, ""), opcode: `D71${"CDEF"[mode] as string}xx`, args: [uint(8, 1)] },
      run: (vm, bits) => loadPart(vm, bits, mode),
    }),
  ]),
];

function preloadRef({ stack }: Vm, index: number): void {
  const slice = stack.popSlice();
  if (slice.refs <= index) fail(Exception.cellUnderflow);
  stack.push(slice.cell.ref(slice.ref + index));
}

const references: readonly Instruction[] = [
  plain("D4", "LDREF", ({ stack }) => {
    const slice = stack.popSlice();
    if (slice.refs === 0) fail(Exception.cellUnderflow);
    stack.push(slice.cell.ref(slice.ref));
    stack.push(slice.without(0, 1));
  }),
  plain("D5", "LDREFRTOS", (vm) => {
    const slice = vm.stack.popSlice();
    if (slice.refs === 0) fail(Exception.cellUnderflow);
    const opened = vm.loadCell(slice.cell.ref(slice.ref));
    vm.stack.push(slice.without(0, 1));
    vm.stack.push(opened);
  }),
  plain("D748", "PLDREFVAR", (vm) => {
    vm.stack.need(2);
    preloadRef(vm, vm.stack.popSmall(3));
  }),
  instruction({ name: "PLDREFIDX", opcode: "D74C-D74F", args: [uint(2)], run: preloadRef }),
];

type Cut = (slice: CellSlice, bits: number, refs: number) => CellSlice;

const cutFirst: Cut = (slice, bits, refs) => slice.first(bits, refs);
const skipFirst: Cut = (slice, bits, refs) => slice.without(bits, refs);
const cutLast: Cut = (slice, bits, refs) => slice.without(slice.bits - bits, slice.refs - refs);
const skipLast: Cut = (slice, bits, refs) => slice.first(slice.bits - bits, slice.refs - refs);

function needRoom(slice: CellSlice, bits: number, refs: number): void {
  if (slice.bits < bits || slice.refs < refs) fail(Exception.cellUnderflow);
}

/** Counts bits only: what is kept by number keeps no references, what is skipped by number skips none. */
function cutBits(opcode: string, name: string, cut: Cut): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(2);
    const bits = stack.popSmall(1023);
    const slice = stack.popSlice();
    needRoom(slice, bits, 0);
    stack.push(cut(slice, bits, 0));
  });
}

function cutBoth(opcode: string, name: string, cut: Cut): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(3);
    const refs = stack.popSmall(4);
    const bits = stack.popSmall(1023);
    const slice = stack.popSlice();
    needRoom(slice, bits, refs);
    stack.push(cut(slice, bits, refs));
  });
}

function split(opcode: string, name: string, isQuiet: boolean): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(3);
    const refs = stack.popSmall(4);
    const bits = stack.popSmall(1023);
    const slice = stack.popSlice();
    if (slice.bits < bits || slice.refs < refs) {
      if (!isQuiet) fail(Exception.cellUnderflow);
      stack.pushAll([slice, 0]);
      return;
    }
    stack.pushAll([slice.first(bits, refs), slice.without(bits, refs)]);
    if (isQuiet) stack.push(-1);
  });
}

function beginsWith({ stack }: Vm, prefix: CellSlice, isQuiet: boolean): void {
  const slice = stack.popSlice();
  const begins = isPrefix(prefix, slice);
  if (!begins && !isQuiet) fail(Exception.cellUnderflow);
  stack.push(begins ? slice.without(prefix.bits, 0) : slice);
  if (isQuiet) stack.pushBool(begins);
}

const prefixTail = sliceTail((_quiet, bytes) => ({ bits: bytes * 8 + 3, refs: 0 }));

const cuts: readonly Instruction[] = [
  cutBits("D720", "SDCUTFIRST", cutFirst),
  cutBits("D721", "SDSKIPFIRST", skipFirst),
  cutBits("D722", "SDCUTLAST", cutLast),
  cutBits("D723", "SDSKIPLAST", skipLast),
  plain("D724", "SDSUBSTR", ({ stack }) => {
    stack.need(3);
    const bits = stack.popSmall(1023);
    const offset = stack.popSmall(1023);
    const slice = stack.popSlice();
    needRoom(slice, offset + bits, 0);
    stack.push(slice.without(offset, 0).first(bits, 0));
  }),
  ...[false, true].map((isQuiet) =>
    plain(isQuiet ? "D727" : "D726", `SDBEGINSX${isQuiet ? "Q" : ""}`, (vm) => {
      vm.stack.need(2);
      beginsWith(vm, vm.stack.popSlice(), isQuiet);
    }),
  ),
  ...[false, true].map((isQuiet) =>
    instruction({
      ...{ name: `SDBEGINS${isQuiet ? "Q" : ""}`, opcode: isQuiet ? "D72C-D72F" : "D728-D72B", bits: 21 },
      args: [
        { ...uint(1), show: () => "" },
        { ...uint(7), show: () => "" },
      ],
      tail: prefixTail,
      run: (vm, _a, _b, _c, prefix) => beginsWith(vm, prefix, isQuiet),
    }),
  ),
  cutBoth("D730", "SCUTFIRST", cutFirst),
  cutBoth("D731", "SSKIPFIRST", skipFirst),
  cutBoth("D732", "SCUTLAST", cutLast),
  cutBoth("D733", "SSKIPLAST", skipLast),
  plain("D734", "SUBSLICE", ({ stack }) => {
    stack.need(5);
    const refs = stack.popSmall(4);
    const bits = stack.popSmall(1023);
    const refOffset = stack.popSmall(4);
    const offset = stack.popSmall(1023);
    const slice = stack.popSlice();
    needRoom(slice, offset + bits, refOffset + refs);
    stack.push(slice.without(offset, refOffset).first(bits, refs));
  }),
  split("D736", "SPLIT", false),
  split("D737", "SPLITQ", true),
];

/** Checks that there are bits (1) and references (2); the largest number of references that may be asked for differs. */
function check(opcode: string, name: string, mode: number, isQuiet: boolean): Instruction {
  return plain(opcode, `${name}${isQuiet ? "Q" : ""}`, ({ stack }) => {
    stack.need(1 + (mode & 1) + (mode >> 1));
    const refs = mode & 2 ? stack.popSmall(mode === 3 ? 4 : 1023) : 0;
    const bits = mode & 1 ? stack.popSmall(1023) : 0;
    const slice = stack.popSlice();
    if (isQuiet) stack.pushBool(slice.bits >= bits && slice.refs >= refs);
    else needRoom(slice, bits, refs);
  });
}

function measure(opcode: string, name: string, ...compute: ((slice: CellSlice) => number)[]): Instruction {
  return plain(opcode, name, ({ stack }) => {
    const slice = stack.popSlice();
    for (const each of compute) stack.push(each(slice));
  });
}

const bitsOf = (slice: CellSlice): number => slice.bits;
const refsOf = (slice: CellSlice): number => slice.refs;

/** Integers with the lowest byte first: unsigned (1), of eight bytes (2), kept in the slice (4), quiet (8). */
function loadLittleEndian(mode: number): Instruction {
  const bytes = mode & 2 ? 8 : 4;
  const sign = mode & 1 ? "U" : "I";
  const name = `${mode & 4 ? "P" : ""}LD${sign}LE${bytes}${mode & 8 ? "Q" : ""}`;
  return plain(`D75${mode.toString(16).toUpperCase()}`, name, ({ stack }) => {
    const slice = stack.popSlice();
    if (slice.bits < bytes * 8) {
      if (!(mode & 8)) fail(Exception.cellUnderflow);
      if (!(mode & 4)) stack.push(slice);
      stack.push(0);
      return;
    }
    const reversed = Uint8Array.from({ length: bytes }, (_, i) => Number(sliceUint(slice, 8, (bytes - 1 - i) * 8)));
    const value = fromBytes(reversed);
    stack.push(mode & 1 ? value : fromBig(BigInt.asIntN(bytes * 8, BigInt(value))));
    if (!(mode & 4)) stack.push(slice.without(bytes * 8, 0));
    if (mode & 8) stack.push(-1);
  });
}

function loadSame({ stack }: Vm, bit: 0 | 1): void {
  const slice = stack.popSlice();
  const count = countLeading(slice, bit);
  stack.push(count);
  stack.push(slice.without(count, 0));
}

const others: readonly Instruction[] = [
  ...[false, true].flatMap((isQuiet) => [
    check(isQuiet ? "D745" : "D741", "SCHKBITS", 1, isQuiet),
    check(isQuiet ? "D746" : "D742", "SCHKREFS", 2, isQuiet),
    check(isQuiet ? "D747" : "D743", "SCHKBITREFS", 3, isQuiet),
  ]),
  measure("D749", "SBITS", bitsOf),
  measure("D74A", "SREFS", refsOf),
  measure("D74B", "SBITREFS", bitsOf, refsOf),
  ...Array.from({ length: 16 }, (_, mode) => loadLittleEndian(mode)),
  plain("D760", "LDZEROES", (vm) => loadSame(vm, 0)),
  plain("D761", "LDONES", (vm) => loadSame(vm, 1)),
  plain("D762", "LDSAME", (vm) => {
    vm.stack.need(2);
    loadSame(vm, vm.stack.popSmall(1) === 1 ? 1 : 0);
  }),
  measure("D764", "SDEPTH", (slice) => sliceDepth(sliceRefs(slice))),
];

/** XLOAD opens a library cell and gives the cell it stands for; before version 5 it gives back what it is given. */
function loadExotic(vm: Vm, isQuiet: boolean): void {
  const cell = vm.stack.popCell();
  let loaded: typeof cell | undefined = cell;
  if (vm.version >= 5) {
    vm.registerLoad(cell);
    if (cell.kind !== CellKind.ordinary) loaded = cell.kind === CellKind.library ? vm.findLibrary(cell) : undefined;
  }
  if (loaded === undefined && !isQuiet) fail(Exception.cellUnderflow);
  if (loaded !== undefined) vm.stack.push(loaded);
  if (isQuiet) vm.stack.pushBool(loaded !== undefined);
}

const cells: readonly Instruction[] = [
  plain("D0", "CTOS", (vm) => vm.stack.push(vm.loadCell(vm.stack.popCell()))),
  plain("D1", "ENDS", ({ stack }) => {
    const slice = stack.popSlice();
    if (slice.bits !== 0 || slice.refs !== 0) fail(Exception.cellUnderflow);
  }),
  plain("D739", "XCTOS", (vm) => {
    const cell = vm.stack.popCell();
    vm.registerLoad(cell);
    vm.stack.push(cellSlice(cell));
    vm.stack.pushBool(cell.isExotic);
  }),
  plain("D73A", "XLOAD", (vm) => loadExotic(vm, false)),
  plain("D73B", "XLOADQ", (vm) => loadExotic(vm, true)),
  plain("D765", "CDEPTH", ({ stack }) => stack.push(stack.popMaybeCell()?.depth() ?? 0)),
  plain("D766", "CLEVEL", ({ stack }) => stack.push(stack.popCell().level), 6),
  plain("D767", "CLEVELMASK", ({ stack }) => stack.push(stack.popCell().levelMask), 6),
  instruction({
    ...{ name: "CHASHI", opcode: "D768-D76B", args: [uint(2)], since: 6 },
    run: ({ stack }, level) => stack.push(fromBytes(stack.popCell().hashBytes(level))),
  }),
  instruction({
    ...{ name: "CDEPTHI", opcode: "D76C-D76F", args: [uint(2)], since: 6 },
    run: ({ stack }, level) => stack.push(stack.popCell().depth(level)),
  }),
  plain(
    "D770",
    "CHASHIX",
    ({ stack }) => {
      const level = stack.popSmall(3);
      stack.push(fromBytes(stack.popCell().hashBytes(level)));
    },
    6,
  ),
  plain(
    "D771",
    "CDEPTHIX",
    ({ stack }) => {
      const level = stack.popSmall(3);
      stack.push(stack.popCell().depth(level));
    },
    6,
  ),
];

export const cellParseInstructions: readonly Instruction[] = [
  ...cells,
  ...integers,
  ...parts,
  ...references,
  ...cuts,
  ...others,
];
