import { copyBits, readBigInt, readBigUint } from "../../../cell/BitReader.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { emptyBuilder } from "../CellBuilder.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { call, jump } from "../control.ts";
import {
  type AppendValue,
  cutSubdictionary,
  deleteEntry,
  type Edit,
  findEntry,
  findNearest,
  findOutermost,
  integerKey,
  maxKeyBits,
  type SetMode,
  setEntry,
} from "../data/dictionary.ts";
import type { Key } from "../data/edges.ts";
import { Exception, fail } from "../exceptions.ts";
import { hexDigits, type Instruction, opcode } from "../instruction.ts";
import { fitsSigned, fitsUnsigned, fromBig } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import { appendBuilder, appendSlice, checkRoom } from "../slices.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

/** How keys are given: bits of a slice, signed or unsigned integers. */
interface KeyKind {
  readonly prefix: "" | "I" | "U";
  readonly code: 1 | 2 | 3;
  readonly maxBits: number;
}

const slices: KeyKind = { prefix: "", code: 1, maxBits: maxKeyBits };
const signed: KeyKind = { prefix: "I", code: 2, maxBits: 257 };
const unsigned: KeyKind = { prefix: "U", code: 3, maxBits: 256 };
const kinds = [slices, signed, unsigned];

const fits = (kind: KeyKind, x: Integer, bits: number): boolean =>
  kind === signed ? fitsSigned(x, bits) : fitsUnsigned(x, bits);

function sliceKey(slice: CellSlice, bits: number): Key | undefined {
  return slice.bits < bits ? undefined : { bytes: slice.cell.bytes, at: slice.at };
}

/** A key to look for: a number that does not fit is no key. */
function popSoughtKey({ stack }: Vm, kind: KeyKind, bits: number): Key | undefined {
  if (kind === slices) return sliceKey(stack.popSlice(), bits) ?? fail(Exception.cellUnderflow);
  const x = stack.popFinite();
  return fits(kind, x, bits) ? integerKey(x, bits) : undefined;
}

/** A key to change: a number that does not fit is a range error; a slice that is too short is found out later. */
function popChangedKey({ stack }: Vm, kind: KeyKind, bits: number, mustBeFinite = false): Key | undefined {
  if (kind === slices) return sliceKey(stack.popSlice(), bits);
  const x = mustBeFinite ? stack.popFinite() : stack.popInt();
  return fits(kind, x, bits) ? integerKey(x, bits) : fail(Exception.rangeCheck);
}

function popDictionary(
  { stack }: Vm,
  maxBits = maxKeyBits,
): { readonly bits: number; readonly root: Cell | undefined } {
  const bits = stack.popSmall(maxBits);
  return { bits, root: stack.popMaybeCell() };
}

/** A value that consists of exactly one reference. */
export function refValue(value: CellSlice | undefined): Cell | undefined {
  if (value === undefined) return undefined;
  if (value.bits !== 0 || value.refs !== 1) fail(Exception.dictionary);
  return value.cell.ref(value.ref);
}

function perKind(base: number, name: string, need: number, run: (vm: Vm, kind: KeyKind) => void): Instruction[] {
  return kinds.map((kind) =>
    opcode(`F4${hexDigits(base + kind.code, 2)}`, `DICT${kind.prefix}${name}`, need, (vm) => run(vm, kind)),
  );
}

/** The same, in the plain form and with values that are references. */
function perKindAndRef(
  base: number,
  name: string,
  need: number,
  run: (vm: Vm, kind: KeyKind, isRef: boolean) => void,
): Instruction[] {
  return kinds.flatMap((kind) =>
    [false, true].map((isRef) => {
      const code = `F4${hexDigits(base + kind.code * 2 + (isRef ? 1 : 0), 2)}`;
      return opcode(code, `DICT${kind.prefix}${name}${isRef ? "REF" : ""}`, need, (vm) => run(vm, kind, isRef));
    }),
  );
}

function find(vm: Vm, kind: KeyKind): CellSlice | undefined {
  const { bits, root } = popDictionary(vm);
  const key = popSoughtKey(vm, kind, bits);
  return key === undefined ? undefined : findEntry(vm, root, key, bits);
}

function get(vm: Vm, kind: KeyKind, isRef: boolean): void {
  const cellSlice = find(vm, kind);
  vm.stack.pushFound(isRef ? refValue(cellSlice) : cellSlice);
}

const appendRef =
  (cell: Cell): AppendValue =>
  (builder) =>
    checkRoom(builder, 0, 1).withRef(cell);

type ValueForm = "slice" | "ref" | "builder";

function popValue({ stack }: Vm, form: ValueForm): AppendValue {
  if (form === "ref") return appendRef(stack.popCell());
  if (form === "builder") {
    const inner = stack.popBuilder();
    return (builder) => appendBuilder(builder, inner);
  }
  const slice = stack.popSlice();
  return (builder) => appendSlice(builder, slice);
}

/** Pushes the dictionary that an edit leaves. */
export function pushRoot({ stack }: Vm, root: Cell | undefined, edit: Edit): void {
  stack.pushMaybe(edit.isChanged ? edit.root : root);
}

function change(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode): Edit {
  const { bits, root } = popDictionary(vm);
  const key = popChangedKey(vm, kind, bits);
  const value = popValue(vm, form);
  const edit = setEntry(vm, root, key ?? fail(Exception.cellUnderflow), bits, value, mode);
  pushRoot(vm, root, edit);
  return edit;
}

function set(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode): void {
  const { isChanged } = change(vm, kind, form, mode);
  if (mode !== "set") vm.stack.pushBool(isChanged);
}

/** The flag says success: for ADD that there was nothing, for the others that there was something. */
function setGet(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode): void {
  const { old } = change(vm, kind, form, mode);
  const value = form === "ref" ? refValue(old) : old;
  if (value !== undefined) vm.stack.push(value);
  vm.stack.pushBool((value !== undefined) === (mode !== "add"));
}

/** Takes an entry out and pushes the dictionary; gives the value. */
function remove(vm: Vm, kind: KeyKind): CellSlice | undefined {
  const { bits, root } = popDictionary(vm);
  const key = popChangedKey(vm, kind, bits, true) ?? fail(Exception.cellUnderflow);
  const edit = deleteEntry(vm, root, key, bits);
  pushRoot(vm, root, edit);
  return edit.old;
}

function deleteGet(vm: Vm, kind: KeyKind, isRef: boolean): void {
  const old = remove(vm, kind);
  vm.stack.pushFound(isRef ? refValue(old) : old);
}

function setGetOptRef(vm: Vm, kind: KeyKind): void {
  const { bits, root } = popDictionary(vm);
  const given = popChangedKey(vm, kind, bits);
  const cell = vm.stack.popMaybeCell();
  const key = given ?? fail(Exception.cellUnderflow);
  const edit =
    cell === undefined ? deleteEntry(vm, root, key, bits) : setEntry(vm, root, key, bits, appendRef(cell), "set");
  pushRoot(vm, root, edit);
  vm.stack.pushMaybe(refValue(edit.old));
}

function pushKey(vm: Vm, kind: KeyKind, key: Uint8Array, bits: number): void {
  if (kind === slices) vm.stack.push(cellSlice(vm.createCell(emptyBuilder().withBits(key, 0, bits))));
  else vm.stack.push(fromBig(kind === signed ? readBigInt(key, 0, bits) : readBigUint(key, 0, bits)));
}

function pushEntry(vm: Vm, kind: KeyKind, value: CellSlice | Cell | undefined, key: Uint8Array, bits: number): void {
  if (value !== undefined) {
    vm.stack.push(value);
    pushKey(vm, kind, key, bits);
  }
  vm.stack.pushBool(value !== undefined);
}

/** The direction of a search: the first bit of signed keys counts the other way. */
const direction = (isUp: boolean, kind: KeyKind): number => (isUp ? -1 : 0) ^ (kind === signed ? 1 : 0);

/** The first or last entry, which is taken out on demand. */
function outermost(isMax: boolean, takeOut?: typeof deleteEntry) {
  return (vm: Vm, kind: KeyKind, isRef: boolean): void => {
    const { bits, root } = popDictionary(vm, kind.maxBits);
    const key = new Uint8Array(128);
    const outermost = findOutermost(vm, root, key, 0, bits, direction(isMax, kind));
    if (takeOut !== undefined)
      vm.stack.pushMaybe(outermost === undefined ? root : takeOut(vm, root, { bytes: key, at: 0 }, bits).root);
    pushEntry(vm, kind, isRef ? refValue(outermost) : outermost, key, bits);
  };
}

interface NearSearch {
  readonly isNext: boolean;
  readonly allowEqual: boolean;
}

function nearest(vm: Vm, kind: KeyKind, search: NearSearch): void {
  const { bits, root } = popDictionary(vm, kind.maxBits);
  const key = new Uint8Array(128);
  pushEntry(vm, kind, findNear(vm, kind, root, key, bits, search), key, bits);
}

function findNear(
  vm: Vm,
  kind: KeyKind,
  root: Cell | undefined,
  key: Uint8Array,
  bits: number,
  { isNext, allowEqual }: NearSearch,
): CellSlice | undefined {
  const integer = kind === slices ? undefined : vm.stack.popFinite();
  // Beyond all keys: the outermost one on the side of the number, if it lies in the direction of the search.
  if (integer !== undefined && !fits(kind, integer, bits))
    return integer < 0 === isNext ? findOutermost(vm, root, key, 0, bits, direction(!isNext, kind)) : undefined;
  const from =
    integer === undefined
      ? (sliceKey(vm.stack.popSlice(), bits) ?? fail(Exception.cellUnderflow))
      : integerKey(integer, bits);
  copyBits(from.bytes, from.at, key, 0, bits);
  return findNearest(vm, root, key, 0, bits, allowEqual, direction(isNext, kind));
}

const nears: readonly Instruction[] = [0, 1, 2, 3].flatMap((form) => {
  const search = { isNext: !(form & 2), allowEqual: (form & 1) === 1 };
  return kinds.map((kind) => {
    const name = `DICT${kind.prefix}GET${search.isNext ? "NEXT" : "PREV"}${search.allowEqual ? "EQ" : ""}`;
    return opcode(`F4${hexDigits(0x70 + kind.code * 4 + form)}`, name, 3, (vm) => nearest(vm, kind, search));
  });
});

/** Runs the code found under a number; without it, the number is put back on demand. */
function execute(vm: Vm, kind: KeyKind, isCall: boolean, keeps: boolean): void {
  const { bits, root } = popDictionary(vm);
  const index = vm.stack.popFinite();
  const value = fits(kind, index, bits) ? findEntry(vm, root, integerKey(index, bits), bits) : undefined;
  if (value !== undefined) (isCall ? call : jump)(vm, codeContinuation(value));
  else if (keeps) vm.stack.push(index);
}

const executes: readonly Instruction[] = [false, true].flatMap((keeps) =>
  [false, true].flatMap((isCall) =>
    [signed, unsigned].map((kind) => {
      const code = (keeps ? 0xbc : 0xa0) + (isCall ? 2 : 0) + (kind === unsigned ? 1 : 0);
      const name = `DICT${kind.prefix}GET${isCall ? "EXEC" : "JMP"}${keeps ? "Z" : ""}`;
      return opcode(`F4${hexDigits(code)}`, name, 3, (vm) => execute(vm, kind, isCall, keeps));
    }),
  ),
);

function subdictionary(vm: Vm, kind: KeyKind, isRemoved: boolean): void {
  const { bits, root } = popDictionary(vm);
  const length = vm.stack.popSmall(Math.min(kind.maxBits, bits));
  const prefix = popSoughtKey(vm, kind, length) ?? fail(Exception.cellUnderflow);
  vm.stack.pushMaybe(cutSubdictionary(vm, root, bits, prefix, length, isRemoved));
}

const subdictionaries: readonly Instruction[] = kinds.flatMap((kind) => [
  opcode(`F4B${kind.code}`, `SUBDICT${kind.prefix}GET`, 4, (vm) => subdictionary(vm, kind, false)),
  opcode(`F4B${kind.code + 4}`, `SUBDICT${kind.prefix}RPGET`, 4, (vm) => subdictionary(vm, kind, true)),
]);

const form = (isRef: boolean): ValueForm => (isRef ? "ref" : "slice");

/** Setting in three modes, alone and with the old value, with three forms of values. */
const changes: readonly Instruction[] = (["set", "replace", "add"] as const).flatMap((mode, i) => {
  const name = mode.toUpperCase();
  return [
    ...perKindAndRef(0x10 + i * 16, name, 4, (vm, kind, isRef) => set(vm, kind, form(isRef), mode)),
    ...perKindAndRef(0x18 + i * 16, `${name}GET`, 4, (vm, kind, isRef) => setGet(vm, kind, form(isRef), mode)),
    ...perKind(0x40 + i * 8, `${name}B`, 4, (vm, kind) => set(vm, kind, "builder", mode)),
    ...perKind(0x44 + i * 8, `${name}GETB`, 4, (vm, kind) => setGet(vm, kind, "builder", mode)),
  ];
});

/** Reads of dictionaries. */
export const dictionaryInstructions: readonly Instruction[] = [
  ...perKindAndRef(0x08, "GET", 3, get),
  ...perKind(0x68, "GETOPTREF", 3, (vm, kind) => vm.stack.pushMaybe(refValue(find(vm, kind)))),
  ...nears,
  ...perKindAndRef(0x80, "MIN", 2, outermost(false)),
  ...perKindAndRef(0x88, "MAX", 2, outermost(true)),
  ...executes,
];

export const dictionaryEditInstructions: readonly Instruction[] = [
  ...changes,
  ...perKind(0x58, "DEL", 3, (vm, kind) => vm.stack.pushBool(remove(vm, kind) !== undefined)),
  ...perKindAndRef(0x60, "DELGET", 3, deleteGet),
  ...perKind(0x6c, "SETGETOPTREF", 4, setGetOptRef),
  ...perKindAndRef(0x90, "REMMIN", 2, outermost(false, deleteEntry)),
  ...perKindAndRef(0x98, "REMMAX", 2, outermost(true, deleteEntry)),
  ...subdictionaries,
];
