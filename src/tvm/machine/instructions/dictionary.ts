import { readBigInt, readBigUint } from "../../../cell/BitReader.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import { type CellSlice, cellSlice } from "../CellSlice.ts";
import { call, jump } from "../control.ts";
import {
  type AppendValue,
  cutSubdictionary,
  deleteEntry,
  findEntry,
  findNearest,
  findOutermost,
  maxKeyBits,
  type SetMode,
  setEntry,
} from "../data/dictionary.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, plain } from "../instruction.ts";
import { fitsSigned, fitsUnsigned, fromBig } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import { appendInteger, appendSlice, canTake } from "../slices.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

/** A key: bits at a place in bytes. */
interface Key {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** How keys are given: bits of a slice, signed or unsigned integers. */
interface KeyKind {
  readonly prefix: "" | "I" | "U";
  /** Its number in opcodes. */
  readonly code: 1 | 2 | 3;
}

const slices: KeyKind = { prefix: "", code: 1 };
const signed: KeyKind = { prefix: "I", code: 2 };
const unsigned: KeyKind = { prefix: "U", code: 3 };
const kinds = [slices, signed, unsigned];

const fits = (kind: KeyKind, x: Integer, bits: number): boolean =>
  kind === signed ? fitsSigned(x, bits) : fitsUnsigned(x, bits);

/** The number must fit. */
function integerKey(x: Integer, bits: number): Key {
  return { bytes: appendInteger(emptyBuilder(), x, bits).bytes, at: 0 };
}

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
function popChangedKey({ stack }: Vm, kind: KeyKind, bits: number, mustBeFinite: boolean): Key | undefined {
  if (kind === slices) return sliceKey(stack.popSlice(), bits);
  const x = mustBeFinite ? stack.popFinite() : stack.popInt();
  if (!fits(kind, x, bits)) fail(Exception.rangeCheck);
  return integerKey(x, bits);
}

function popDictionary({ stack }: Vm, largest: number): { readonly bits: number; readonly root: Cell | undefined } {
  const bits = stack.popSmall(largest);
  return { bits, root: stack.popMaybeCell() };
}

/** A value that consists of exactly one reference. */
export function refValue(value: CellSlice | undefined): Cell | undefined {
  if (value === undefined) return undefined;
  if (value.bits !== 0 || value.refs !== 1) fail(Exception.dictionary);
  return value.cell.ref(value.ref);
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, "0");
}

/** Instructions in the plain form and with values that are references, for each kind of keys. */
function perKindAndRef(
  base: number,
  name: string,
  run: (vm: Vm, kind: KeyKind, isRef: boolean) => void,
): Instruction[] {
  return kinds.flatMap((kind) =>
    [false, true].map((isRef) =>
      plain(
        `F4${hex(base + kind.code * 2 + (isRef ? 1 : 0))}`,
        `DICT${kind.prefix}${name}${isRef ? "REF" : ""}`,
        (vm) => run(vm, kind, isRef),
      ),
    ),
  );
}

function perKind(base: number, name: string, run: (vm: Vm, kind: KeyKind) => void): Instruction[] {
  return kinds.map((kind) => plain(`F4${hex(base + kind.code)}`, `DICT${kind.prefix}${name}`, (vm) => run(vm, kind)));
}

function get(vm: Vm, kind: KeyKind, isRef: boolean): void {
  const { stack } = vm;
  stack.need(3);
  const { bits, root } = popDictionary(vm, maxKeyBits);
  const key = popSoughtKey(vm, kind, bits);
  const found = key === undefined ? undefined : findEntry(vm, root, key.bytes, key.at, bits);
  const value = isRef ? refValue(found) : found;
  if (value !== undefined) stack.push(value);
  stack.pushBool(value !== undefined);
}

function getOptRef(vm: Vm, kind: KeyKind): void {
  vm.stack.need(3);
  const { bits, root } = popDictionary(vm, maxKeyBits);
  const key = popSoughtKey(vm, kind, bits);
  vm.stack.pushMaybe(key === undefined ? undefined : refValue(findEntry(vm, root, key.bytes, key.at, bits)));
}

const appendRef =
  (cell: Cell): AppendValue =>
  (builder) => {
    if (!canTake(builder, 0, 1)) fail(Exception.cellOverflow);
    return builder.withRef(cell);
  };

const appendBuilder =
  (value: CellBuilder): AppendValue =>
  (builder) => {
    if (!canTake(builder, value.bits, value.refs.length)) fail(Exception.cellOverflow);
    return builder.withBits(value.bytes, 0, value.bits).withRefs(value.refs);
  };

type ValueForm = "slice" | "ref" | "builder";

function popValue({ stack }: Vm, form: ValueForm): AppendValue {
  if (form === "ref") return appendRef(stack.popCell());
  if (form === "builder") return appendBuilder(stack.popBuilder());
  const slice = stack.popSlice();
  return (builder) => appendSlice(builder, slice);
}

/** Sets an entry; gives the dictionary and the value that was there. */
function change(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode) {
  vm.stack.need(4);
  const { bits, root } = popDictionary(vm, maxKeyBits);
  const key = popChangedKey(vm, kind, bits, false);
  const value = popValue(vm, form);
  if (key === undefined) fail(Exception.cellUnderflow);
  const { isChanged, root: changed, old } = setEntry(vm, root, key.bytes, key.at, bits, value, mode);
  return { root: isChanged ? changed : root, isChanged, old };
}

function set(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode): void {
  const { root, isChanged } = change(vm, kind, form, mode);
  vm.stack.pushMaybe(root);
  if (mode !== "set") vm.stack.pushBool(isChanged);
}

/** The flag says success: for ADD that there was nothing, for the others that there was something. */
function setGet(vm: Vm, kind: KeyKind, form: ValueForm, mode: SetMode): void {
  const { root, old } = change(vm, kind, form, mode);
  const value = form === "ref" ? refValue(old) : old;
  vm.stack.pushMaybe(root);
  if (value !== undefined) vm.stack.push(value);
  vm.stack.pushBool((value !== undefined) === (mode !== "add"));
}

/** Takes an entry out; gives the dictionary and the value. */
function remove(vm: Vm, kind: KeyKind) {
  vm.stack.need(3);
  const { bits, root } = popDictionary(vm, maxKeyBits);
  const key = popChangedKey(vm, kind, bits, true) ?? fail(Exception.cellUnderflow);
  const { isChanged, root: changed, old } = deleteEntry(vm, root, key.bytes, key.at, bits);
  return { root: isChanged ? changed : root, old };
}

function deleteOnly(vm: Vm, kind: KeyKind): void {
  const { root, old } = remove(vm, kind);
  vm.stack.pushMaybe(root);
  vm.stack.pushBool(old !== undefined);
}

function deleteGet(vm: Vm, kind: KeyKind, isRef: boolean): void {
  const { root, old } = remove(vm, kind);
  const value = isRef ? refValue(old) : old;
  vm.stack.pushMaybe(root);
  if (value !== undefined) vm.stack.push(value);
  vm.stack.pushBool(value !== undefined);
}

function setGetOptRef(vm: Vm, kind: KeyKind): void {
  const { stack } = vm;
  stack.need(4);
  const { bits, root } = popDictionary(vm, maxKeyBits);
  const key = popChangedKey(vm, kind, bits, false);
  const cell = stack.popMaybeCell();
  if (key === undefined) fail(Exception.cellUnderflow);
  const edit =
    cell === undefined
      ? deleteEntry(vm, root, key.bytes, key.at, bits)
      : setEntry(vm, root, key.bytes, key.at, bits, appendRef(cell), "set");
  const old = refValue(edit.old);
  stack.pushMaybe(edit.isChanged ? edit.root : root);
  stack.pushMaybe(old);
}

const largestBits = (kind: KeyKind): number => (kind === slices ? maxKeyBits : kind === unsigned ? 256 : 257);

/** Pushes a key that was found, in the form keys are given in. */
function pushKey(vm: Vm, kind: KeyKind, key: Uint8Array, bits: number): void {
  if (kind === slices) vm.stack.push(cellSlice(vm.createCell(emptyBuilder().withBits(key, 0, bits))));
  else vm.stack.push(fromBig(kind === signed ? readBigInt(key, 0, bits) : readBigUint(key, 0, bits)));
}

/** The direction of a search: the first bit of signed keys counts the other way. */
const direction = (isUp: boolean, kind: KeyKind): number => (isUp ? -1 : 0) ^ (kind === signed ? 1 : 0);

/** The first or last entry, which is taken out on demand. */
function outermost(isMax: boolean, removes: boolean) {
  return (vm: Vm, kind: KeyKind, isRef: boolean): void => {
    const { stack } = vm;
    stack.need(2);
    const { bits, root } = popDictionary(vm, largestBits(kind));
    const key = new Uint8Array(128);
    const found = findOutermost(vm, root, key, 0, bits, direction(isMax, kind));
    const rest = removes && found !== undefined ? deleteEntry(vm, root, key, 0, bits).root : undefined;
    const value = isRef ? refValue(found) : found;
    if (removes) stack.pushMaybe(found === undefined ? root : rest);
    if (value !== undefined) {
      stack.push(value);
      pushKey(vm, kind, key, bits);
    }
    stack.pushBool(value !== undefined);
  };
}

/** The entry next to a key, which need not be there itself. */
function nearest(vm: Vm, kind: KeyKind, isNext: boolean, allowEqual: boolean): void {
  const { stack } = vm;
  stack.need(3);
  const { bits, root } = popDictionary(vm, largestBits(kind));
  const key = new Uint8Array(128);
  const found = findNear(vm, kind, { bits, root, key, isNext, allowEqual });
  if (found !== undefined) {
    stack.push(found);
    pushKey(vm, kind, key, bits);
  }
  stack.pushBool(found !== undefined);
}

interface NearSearch {
  readonly bits: number;
  readonly root: Cell | undefined;
  readonly key: Uint8Array;
  readonly isNext: boolean;
  readonly allowEqual: boolean;
}

function findNear(vm: Vm, kind: KeyKind, { bits, root, key, isNext, allowEqual }: NearSearch): CellSlice | undefined {
  const mode = direction(isNext, kind);
  if (kind === slices) {
    const slice = vm.stack.popSlice();
    if (slice.bits < bits) fail(Exception.cellUnderflow);
    appendSliceBits(key, slice, bits);
    return findNearest(vm, root, key, 0, bits, allowEqual, mode);
  }
  const x = vm.stack.popFinite();
  if (fits(kind, x, bits)) {
    key.set(integerKey(x, bits).bytes.subarray(0, (bits + 7) >>> 3));
    return findNearest(vm, root, key, 0, bits, allowEqual, mode);
  }
  // Beyond all keys: the outermost one on the side of the number, if it lies in the direction of the search.
  const isBelow = x < 0;
  if (isBelow !== isNext) return undefined;
  return findOutermost(vm, root, key, 0, bits, direction(!isNext, kind));
}

function appendSliceBits(key: Uint8Array, slice: CellSlice, bits: number): void {
  const copy = emptyBuilder().withBits(slice.cell.bytes, slice.at, bits).data();
  key.set(copy);
}

const nears: readonly Instruction[] = kinds.flatMap((kind) =>
  [0, 1, 2, 3].map((form) => {
    const name = `DICT${kind.prefix}GET${form & 2 ? "PREV" : "NEXT"}${form & 1 ? "EQ" : ""}`;
    return plain(`F4${hex(0x70 + kind.code * 4 + form)}`, name, (vm) =>
      nearest(vm, kind, !(form & 2), (form & 1) === 1),
    );
  }),
);

/** Runs the code found under a number; without it, the number is put back on demand. */
function execute(kind: KeyKind, isCall: boolean, keeps: boolean) {
  return (vm: Vm): void => {
    const { stack } = vm;
    stack.need(3);
    const { bits, root } = popDictionary(vm, maxKeyBits);
    const index = stack.popFinite();
    const key = fits(kind, index, bits) ? integerKey(index, bits) : undefined;
    const value = key === undefined ? undefined : findEntry(vm, root, key.bytes, key.at, bits);
    if (value !== undefined) (isCall ? call : jump)(vm, codeContinuation(value));
    else if (keeps) stack.push(index);
  };
}

const executes: readonly Instruction[] = [false, true].flatMap((keeps) =>
  [false, true].flatMap((isCall) =>
    [signed, unsigned].map((kind) => {
      const code = (keeps ? 0xbc : 0xa0) + (isCall ? 2 : 0) + (kind === unsigned ? 1 : 0);
      const name = `DICT${kind.prefix}GET${isCall ? "EXEC" : "JMP"}${keeps ? "Z" : ""}`;
      return plain(`F4${hex(code)}`, name, execute(kind, isCall, keeps));
    }),
  ),
);

function subdictionary(isRemoved: boolean) {
  return (vm: Vm, kind: KeyKind): void => {
    const { stack } = vm;
    stack.need(4);
    const { bits, root } = popDictionary(vm, maxKeyBits);
    const length = stack.popSmall(Math.min(largestBits(kind), bits));
    const prefix = popSoughtKey(vm, kind, length) ?? fail(Exception.cellUnderflow);
    stack.pushMaybe(cutSubdictionary(vm, root, bits, prefix.bytes, prefix.at, length, isRemoved));
  };
}

const subdictionaries: readonly Instruction[] = kinds.flatMap((kind) => [
  plain(`F4${hex(0xb0 + kind.code)}`, `SUBDICT${kind.prefix}GET`, (vm) => subdictionary(false)(vm, kind)),
  plain(`F4${hex(0xb4 + kind.code)}`, `SUBDICT${kind.prefix}RPGET`, (vm) => subdictionary(true)(vm, kind)),
]);

const form = (isRef: boolean): ValueForm => (isRef ? "ref" : "slice");

/** Setting in three modes, alone and with the old value, with three forms of values. */
const changes: readonly Instruction[] = (["set", "replace", "add"] as const).flatMap((mode, i) => {
  const name = mode.toUpperCase();
  return [
    ...perKindAndRef(0x10 + i * 16, name, (vm, kind, isRef) => set(vm, kind, form(isRef), mode)),
    ...perKindAndRef(0x18 + i * 16, `${name}GET`, (vm, kind, isRef) => setGet(vm, kind, form(isRef), mode)),
    ...perKind(0x40 + i * 8, `${name}B`, (vm, kind) => set(vm, kind, "builder", mode)),
    ...perKind(0x44 + i * 8, `${name}GETB`, (vm, kind) => setGet(vm, kind, "builder", mode)),
  ];
});

export const dictionaryInstructions: readonly Instruction[] = [
  ...perKindAndRef(0x08, "GET", get),
  ...changes,
  ...perKind(0x58, "DEL", deleteOnly),
  ...perKindAndRef(0x60, "DELGET", deleteGet),
  ...perKind(0x68, "GETOPTREF", getOptRef),
  ...perKind(0x6c, "SETGETOPTREF", setGetOptRef),
  ...nears,
  ...perKindAndRef(0x80, "MIN", outermost(false, false)),
  ...perKindAndRef(0x88, "MAX", outermost(true, false)),
  ...perKindAndRef(0x90, "REMMIN", outermost(false, true)),
  ...perKindAndRef(0x98, "REMMAX", outermost(true, true)),
  ...executes,
  ...subdictionaries,
];
