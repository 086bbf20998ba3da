import { CellKind } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { hexDigits, hidden, type Instruction, opcode, uint } from "../instruction.ts";
import { fromBig, fromBytes } from "../integers.ts";
import type { StackValue } from "../StackValue.ts";
import { countLeading, isPrefix, sliceDepth, sliceInt, sliceRefs, sliceUint } from "../slices.ts";
import { sliceTail } from "../tails.ts";
import type { Vm } from "../Vm.ts";

/** How something is loaded: as an unsigned number (1), left in the slice (2), failures reported (4). */
const unsigned = 1;
const preload = 2;
const quiet = 4;

const loadName = (mode: number, what: string): string =>
  `${mode & preload ? "P" : ""}LD${what}${mode & quiet ? "Q" : ""}`;

/** Ends a load of this many bits and references, which are there. */
export function pushLoaded({ stack }: Vm, mode: number, slice: CellSlice, value: StackValue, bits: number, refs = 0) {
  stack.push(value);
  if (!(mode & preload)) stack.push(slice.without(bits, refs));
  if (mode & quiet) stack.push(-1);
}

/** Ends a load of what is not there. */
export function pushMissing({ stack }: Vm, mode: number, slice: CellSlice): void {
  if (!(mode & quiet)) fail(Exception.cellUnderflow);
  if (!(mode & preload)) stack.push(slice);
  stack.push(0);
}

function loadInteger(vm: Vm, bits: number, mode: number): void {
  const slice = vm.stack.popSlice();
  if (slice.bits < bits) pushMissing(vm, mode, slice);
  else pushLoaded(vm, mode, slice, mode & unsigned ? sliceUint(slice, bits) : sliceInt(slice, bits), bits);
}

const integerName = (mode: number, variable: string) => loadName(mode, `${mode & unsigned ? "U" : "I"}${variable}`);
const width = uint(8, 1);

const integers: readonly Instruction[] = [
  opcode("D2xx", ["LDI", width], 1, (vm, bits) => loadInteger(vm, bits, 0)),
  opcode("D3xx", ["LDU", width], 1, (vm, bits) => loadInteger(vm, bits, unsigned)),
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((mode) => [
    opcode(`D70${mode}`, integerName(mode, "X"), 2, (vm) =>
      loadInteger(vm, vm.stack.popSmall(mode & unsigned ? 256 : 257), mode),
    ),
    opcode(`D70${hexDigits(8 + mode)}xx`, [integerName(mode, ""), width], 1, (vm, bits) => loadInteger(vm, bits, mode)),
  ]),
  opcode("D710-D717", ["PLDUZ", { ...uint(3), show: (value) => String((value + 1) * 32) }], 1, ({ stack }, words) => {
    const slice = stack.popSlice();
    const bits = (words + 1) * 32;
    const given = Math.min(bits, slice.bits);
    stack.push(slice).push(fromBig(BigInt(sliceUint(slice, given)) << BigInt(bits - given)));
  }),
];

function loadPart(vm: Vm, bits: number, mode: number): void {
  const slice = vm.stack.popSlice();
  if (slice.bits < bits) pushMissing(vm, mode, slice);
  else pushLoaded(vm, mode, slice, slice.first(bits, 0), bits);
}

const parts: readonly Instruction[] = [
  opcode("D6xx", ["LDSLICE", width], 1, (vm, bits) => loadPart(vm, bits, 0)),
  ...[0, preload, quiet, preload | quiet].flatMap((mode, i) => [
    opcode(`D71${hexDigits(8 + i)}`, loadName(mode, "SLICEX"), 2, (vm) => loadPart(vm, vm.stack.popSmall(1023), mode)),
    opcode(`D71${hexDigits(12 + i)}xx`, [loadName(mode, "SLICE"), width], 1, (vm, bits) => loadPart(vm, bits, mode)),
  ]),
];

function refOf(slice: CellSlice, index: number): Cell {
  if (slice.refs <= index) fail(Exception.cellUnderflow);
  return slice.cell.ref(slice.ref + index);
}

const preloadRef = ({ stack }: Vm, index: number) => stack.push(refOf(stack.popSlice(), index));

const references: readonly Instruction[] = [
  opcode("D4", "LDREF", 1, ({ stack }) => {
    const slice = stack.popSlice();
    stack.push(refOf(slice, 0)).push(slice.without(0, 1));
  }),
  opcode("D5", "LDREFRTOS", 1, (vm) => {
    const slice = vm.stack.popSlice();
    const opened = vm.loadCell(refOf(slice, 0));
    vm.stack.push(slice.without(0, 1)).push(opened);
  }),
  opcode("D748", "PLDREFVAR", 2, (vm) => preloadRef(vm, vm.stack.popSmall(3))),
  opcode("D74C-D74F", ["PLDREFIDX", uint(2)], 1, preloadRef),
];

type Cut = (slice: CellSlice, bits: number, refs: number) => CellSlice;
const cutFirst: Cut = (slice, bits, refs) => slice.first(bits, refs);
const skipFirst: Cut = (slice, bits, refs) => slice.without(bits, refs);
const cutLast: Cut = (slice, bits, refs) => slice.without(slice.bits - bits, slice.refs - refs);
const skipLast: Cut = (slice, bits, refs) => slice.first(slice.bits - bits, slice.refs - refs);

/** The same slice, which must have this many bits and references. */
function checkSize(slice: CellSlice, bits: number, refs: number): CellSlice {
  return slice.bits < bits || slice.refs < refs ? fail(Exception.cellUnderflow) : slice;
}

/** Cuts by bits: what is kept by number keeps no references, what is skipped by number skips none; and by both. */
function cutForms(digit: number, name: string, cut: Cut): Instruction[] {
  return [
    opcode(`D72${digit}`, `SD${name}`, 2, ({ stack }) => {
      const bits = stack.popSmall(1023);
      stack.push(cut(checkSize(stack.popSlice(), bits, 0), bits, 0));
    }),
    opcode(`D73${digit}`, `S${name}`, 3, ({ stack }) => {
      const refs = stack.popSmall(4);
      const bits = stack.popSmall(1023);
      stack.push(cut(checkSize(stack.popSlice(), bits, refs), bits, refs));
    }),
  ];
}

function split({ stack }: Vm, isQuiet: boolean): void {
  const refs = stack.popSmall(4);
  const bits = stack.popSmall(1023);
  const slice = stack.popSlice();
  const isThere = slice.bits >= bits && slice.refs >= refs;
  if (!isThere && !isQuiet) fail(Exception.cellUnderflow);
  stack.pushAll(isThere ? [slice.first(bits, refs), slice.without(bits, refs)] : [slice]);
  if (isQuiet) stack.pushBool(isThere);
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
  ...cutForms(0, "CUTFIRST", cutFirst),
  ...cutForms(1, "SKIPFIRST", skipFirst),
  ...cutForms(2, "CUTLAST", cutLast),
  ...cutForms(3, "SKIPLAST", skipLast),
  opcode("D724", "SDSUBSTR", 3, ({ stack }) => {
    const bits = stack.popSmall(1023);
    const offset = stack.popSmall(1023);
    stack.push(
      checkSize(stack.popSlice(), offset + bits, 0)
        .without(offset, 0)
        .first(bits, 0),
    );
  }),
  ...[false, true].flatMap((isQuiet) => [
    opcode(isQuiet ? "D727" : "D726", `SDBEGINSX${isQuiet ? "Q" : ""}`, 2, (vm) =>
      beginsWith(vm, vm.stack.popSlice(), isQuiet),
    ),
    opcode(
      isQuiet ? "D72C-D72F" : "D728-D72B",
      [`SDBEGINS${isQuiet ? "Q" : ""}`, hidden(1), hidden(7)],
      { bits: 21, tail: prefixTail },
      (vm, _a, _b, _c, prefix) => beginsWith(vm, prefix, isQuiet),
    ),
  ]),
  opcode("D734", "SUBSLICE", 5, ({ stack }) => {
    const refs = stack.popSmall(4);
    const bits = stack.popSmall(1023);
    const refOffset = stack.popSmall(4);
    const offset = stack.popSmall(1023);
    const slice = checkSize(stack.popSlice(), offset + bits, refOffset + refs);
    stack.push(slice.without(offset, refOffset).first(bits, refs));
  }),
  opcode("D736", "SPLIT", 3, (vm) => split(vm, false)),
  opcode("D737", "SPLITQ", 3, (vm) => split(vm, true)),
];

/**
 * Checks that there are bits (1) and references (2); the largest number of references that may be asked for differs.
 */
const checks: readonly Instruction[] = [false, true].flatMap((isQuiet) =>
  ["SCHKBITS", "SCHKREFS", "SCHKBITREFS"].map((name, i) => {
    const mode = i + 1;
    const code = `D74${mode + (isQuiet ? 4 : 0)}`;
    return opcode(code, `${name}${isQuiet ? "Q" : ""}`, 1 + (mode & 1) + (mode >> 1), ({ stack }) => {
      const refs = mode & 2 ? stack.popSmall(mode === 3 ? 4 : 1023) : 0;
      const bits = mode & 1 ? stack.popSmall(1023) : 0;
      const slice = stack.popSlice();
      if (isQuiet) stack.pushBool(slice.bits >= bits && slice.refs >= refs);
      else checkSize(slice, bits, refs);
    });
  }),
);

function measure(code: string, name: string, ...compute: ((slice: CellSlice) => number)[]): Instruction {
  return opcode(code, name, 1, ({ stack }) => {
    const slice = stack.popSlice();
    for (const each of compute) stack.push(each(slice));
  });
}

const bitsOf = (slice: CellSlice): number => slice.bits;
const refsOf = (slice: CellSlice): number => slice.refs;

/** Integers with the lowest byte first: unsigned (1), of eight bytes (2), left in the slice (4), quiet (8). */
function loadLittleEndian(form: number): Instruction {
  const bytes = form & 2 ? 8 : 4;
  const mode = (form & 4 ? preload : 0) | (form & 8 ? quiet : 0);
  return opcode(`D75${hexDigits(form)}`, loadName(mode, `${form & 1 ? "U" : "I"}LE${bytes}`), 1, (vm) => {
    const slice = vm.stack.popSlice();
    if (slice.bits < bytes * 8) return pushMissing(vm, mode, slice);
    const reversed = Uint8Array.from({ length: bytes }, (_, i) => Number(sliceUint(slice, 8, (bytes - 1 - i) * 8)));
    const value = fromBytes(reversed);
    pushLoaded(vm, mode, slice, form & 1 ? value : fromBig(BigInt.asIntN(bytes * 8, BigInt(value))), bytes * 8);
  });
}

function loadSame({ stack }: Vm, bit: 0 | 1): void {
  const slice = stack.popSlice();
  const count = countLeading(slice, bit);
  stack.push(count).push(slice.without(count, 0));
}

const others: readonly Instruction[] = [
  measure("D749", "SBITS", bitsOf),
  measure("D74A", "SREFS", refsOf),
  measure("D74B", "SBITREFS", bitsOf, refsOf),
  measure("D764", "SDEPTH", (slice) => sliceDepth(sliceRefs(slice))),
];

/** XLOAD opens a library cell and gives the cell it stands for; before version 5 it gives back what it is given. */
function loadExotic(vm: Vm, isQuiet: boolean): void {
  const cell = vm.stack.popCell();
  let loaded: Cell | undefined = cell;
  if (vm.version >= 5) {
    vm.registerLoad(cell);
    if (cell.kind !== CellKind.ordinary) loaded = cell.kind === CellKind.library ? vm.findLibrary(cell) : undefined;
  }
  if (isQuiet) vm.stack.pushFound(loaded);
  else vm.stack.push(loaded ?? fail(Exception.cellUnderflow));
}

const hashOf = ({ stack }: Vm, level: number) => stack.push(fromBytes(stack.popCell().hashBytes(level)));
const depthOf = ({ stack }: Vm, level: number) => stack.push(stack.popCell().depth(level));

const cells: readonly Instruction[] = [
  opcode("D0", "CTOS", 1, (vm) => vm.stack.push(vm.loadCell(vm.stack.popCell()))),
  opcode("D1", "ENDS", 1, ({ stack }) => {
    const slice = stack.popSlice();
    if (slice.bits !== 0 || slice.refs !== 0) fail(Exception.cellUnderflow);
  }),
  opcode("D765", "CDEPTH", 1, ({ stack }) => stack.push(stack.popMaybeCell()?.depth() ?? 0)),
];

export const cellParseInstructions: readonly Instruction[] = [
  ...cells,
  ...integers,
  ...parts,
  ...references,
  ...cuts,
  ...others,
];

/** Exotic cells, levels, numbers in the order of other machines, and checks of sizes. */
export const rareParseInstructions: readonly Instruction[] = [
  opcode("D739", "XCTOS", 1, (vm) => {
    const cell = vm.stack.popCell();
    vm.registerLoad(cell);
    vm.stack.push(cellSlice(cell)).pushBool(cell.isExotic);
  }),
  opcode("D73A", "XLOAD", 1, (vm) => loadExotic(vm, false)),
  opcode("D73B", "XLOADQ", 1, (vm) => loadExotic(vm, true)),
  opcode("D766", "CLEVEL", { since: 6 }, ({ stack }) => stack.push(stack.popCell().level)),
  opcode("D767", "CLEVELMASK", { since: 6 }, ({ stack }) => stack.push(stack.popCell().levelMask)),
  opcode("D768-D76B", ["CHASHI", uint(2)], { since: 6 }, hashOf),
  opcode("D76C-D76F", ["CDEPTHI", uint(2)], { since: 6 }, depthOf),
  opcode("D770", "CHASHIX", { since: 6 }, (vm) => hashOf(vm, vm.stack.popSmall(3))),
  opcode("D771", "CDEPTHIX", { since: 6 }, (vm) => depthOf(vm, vm.stack.popSmall(3))),
  ...checks,
  ...Array.from({ length: 16 }, (_, form) => loadLittleEndian(form)),
  opcode("D760", "LDZEROES", 1, (vm) => loadSame(vm, 0)),
  opcode("D761", "LDONES", 1, (vm) => loadSame(vm, 1)),
  opcode("D762", "LDSAME", 2, (vm) => loadSame(vm, vm.stack.popSmall(1) === 1 ? 1 : 0)),
];
