import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { openSlice, sliceCell, type VmCellSlice, wholeSlice } from "../../model/vm/VmCellSlice.ts";
import type { VmValue, VmValues } from "../../model/vm/VmValue.ts";
import type { AbiFields, AbiType } from "./Abi.ts";
import type { AbiRun } from "./AbiRun.ts";
import { loadScalar, makeContent, showCell, showContent, storeScalar } from "./cellScalars.ts";
import {
  type DictType,
  loadEntries,
  loadValue,
  loadWhole,
  refuseUnknown,
  storeEntries,
  storeValue,
} from "./cellValues.ts";
import { AbiError } from "./errors.ts";
import { findScalar, type Scalar } from "./scalars.ts";
import { widthOf } from "./stackWidth.ts";
import { badValue, fieldOf, readCell, readInteger, readItems, readObject } from "./values.ts";

/** The values of a stack, taken from the bottom. */
class StackReader {
  readonly #values: VmValues;
  #at = 0;

  constructor(values: VmValues) {
    this.#values = values;
  }

  next(): VmValue {
    const value = this.#values[this.#at++];
    if (value === undefined) throw new AbiError("abi/data", "too few values on the stack");
    return value;
  }

  take(count: number): StackReader {
    return new StackReader(Array.from({ length: count }, () => this.next()));
  }

  end(): void {
    if (this.#at < this.#values.length) throw new AbiError("abi/data", "more values on the stack than expected");
  }
}

/** Reads all values of a stack by these fields. */
export function readStack(fields: AbiFields, stack: VmValues, run: AbiRun): JsonObject {
  const reader = new StackReader(stack);
  const values = readFields(fields, reader, run);
  reader.end();
  return values;
}

function readFields(fields: AbiFields, stack: StackReader, run: AbiRun): JsonObject {
  const values: Record<string, JsonValue> = {};
  for (const { name, type } of fields) {
    run.spend(name.length + 4);
    values[name] = readValue(type, stack, run);
  }
  return values;
}

function readValue(type: AbiType, stack: StackReader, run: AbiRun): JsonValue {
  run.enter();
  const value =
    typeof type === "string" ? readScalar(scalarNamed(type), stack.next(), run) : readParts(type, stack, run);
  run.leave();
  return value;
}

function readParts(type: Exclude<AbiType, string>, stack: StackReader, run: AbiRun): JsonValue {
  if ("named" in type) return readValue(run.named(type.named), stack, run);
  if ("struct" in type) return readFields(type.struct, stack, run);
  if ("maybe" in type) return readMaybe(type.maybe, stack, run);
  const value = stack.next();
  if ("ref" in type) return loadWhole(type.ref, cellOf(value), run);
  const dict = dictOf(type);
  if (dict !== undefined) return loadEntries(dict, value.kind === "null" ? undefined : cellOf(value), run);
  if ("tuple" in type) return readStack(type.tuple, itemsOf(value), run);
  if ("array" in type) return readItemList(type.array, itemsOf(value), run);
  if ("list" in type) return readItemList(type.list, listOf(value), run);
  return readSlice(value, (slice) => loadValue(type, slice, run));
}

/** Null or the value; one that has several places is followed by a number, which is zero for none. */
function readMaybe(type: AbiType, stack: StackReader, run: AbiRun): JsonValue {
  const width = widthOf(type, run);
  const places = stack.take(width === 1 ? 1 : width + 1);
  const values = width === 1 ? [places.next()] : Array.from({ length: width }, () => places.next());
  const isNone = width === 1 ? values[0]?.kind === "null" : integerOf(places.next()) === 0n;
  return isNone ? null : readValue(type, new StackReader(values), run);
}

function readItemList(type: AbiType, values: Iterable<VmValue>, run: AbiRun): JsonValue {
  return Array.from(values, (value) => readValue(type, new StackReader([value]), run));
}

function* listOf(value: VmValue): Generator<VmValue, void, undefined> {
  for (let at = value; at.kind !== "null"; ) {
    const [item, rest, ...more] = itemsOf(at);
    if (item === undefined || rest === undefined || more.length > 0) throw new AbiError("abi/data", "no list of pairs");
    yield item;
    at = rest;
  }
}

function readScalar(scalar: Scalar, value: VmValue, run: AbiRun): JsonValue {
  switch (scalar.kind) {
    case "uint":
    case "int":
      return run.integer(inRange(integerOf(value), scalar), scalar.bits);
    case "varuint":
    case "varint":
      return run.integer(integerOf(value), 256);
    case "bool":
      return integerOf(value) !== 0n;
    case "cell?":
      return value.kind === "null" ? null : showCell(cellOf(value), run);
    case "cell":
      return showCell(cellOf(value), run);
    case "content":
      return showContent(cellOf(value), run);
    case "any":
      return showAny(value, run);
    case "address?":
      if (value.kind === "null") return null;
  }
  return readSlice(value, (slice) => loadScalar(scalar, slice, run));
}

/** A value that fills a slice. */
function readSlice(value: VmValue, load: (slice: Slice) => JsonValue): JsonValue {
  const slice = openSlice(sliceIn(value));
  const shown = load(slice);
  slice.end();
  return shown;
}

/** A value of unknown type: its kind and, where it has one, its text. */
function showAny(value: VmValue, run: AbiRun): JsonValue {
  run.enter();
  run.spend(16);
  const shown = anyShown(value, run);
  run.leave();
  return shown;
}

function anyShown(value: VmValue, run: AbiRun): JsonValue {
  if (value.kind === "int") return value.value.toString();
  if (value.kind === "null") return null;
  if (value.kind === "tuple") return value.items.map((each) => showAny(each, run));
  if (value.kind === "cell" || value.kind === "builder") return { [value.kind]: showCell(value.cell, run) };
  if (value.kind === "slice") return { slice: showCell(sliceCell(value.slice), run) };
  return { [value.kind]: null };
}

/** A number beyond its type would not be the one that was asked for. */
function inRange(value: bigint, { kind, bits }: Extract<Scalar, { readonly bits: number }>): bigint {
  const fits = kind === "uint" ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (fits !== value) throw new AbiError("abi/data", `${value} does not fit ${kind}${bits}`);
  return value;
}

function integerOf(value: VmValue): bigint {
  if (value.kind !== "int") throw new AbiError("abi/data", `a ${value.kind} where a number belongs`);
  return value.value;
}

function cellOf(value: VmValue): Cell {
  if (value.kind === "slice") return sliceCell(value.slice);
  if (value.kind !== "cell") throw new AbiError("abi/data", `a ${value.kind} where a cell belongs`);
  return value.cell;
}

/** Some contracts answer with a cell where a slice belongs. */
function sliceIn(value: VmValue): VmCellSlice {
  if (value.kind === "cell") return wholeSlice(value.cell);
  if (value.kind !== "slice") throw new AbiError("abi/data", `a ${value.kind} where a slice belongs`);
  return value.slice;
}

function dictOf(type: Exclude<AbiType, string>): DictType | undefined {
  if ("dict" in type) return type.dict;
  return "hashmap" in type ? type.hashmap : undefined;
}

function itemsOf(value: VmValue): VmValues {
  if (value.kind !== "tuple") throw new AbiError("abi/data", `a ${value.kind} where a tuple belongs`);
  return value.items;
}

function scalarNamed(name: string): Scalar {
  const scalar = findScalar(name);
  if (scalar === undefined) throw new AbiError("abi/unknown", `there is no type ${name}`);
  return scalar;
}

/** The values of a stack for these fields. */
export function makeStack(fields: AbiFields, values: JsonObject, run: AbiRun, path: string): VmValue[] {
  refuseUnknown(fields, values, path);
  return fields.flatMap(({ name, type }) => makeValues(type, fieldOf(values, name), run, `${path}.${name}`));
}

function makeValues(type: AbiType, value: JsonValue, run: AbiRun, path: string): VmValue[] {
  run.enter();
  const made = typeof type === "string" ? [makeScalar(type, value, run, path)] : makeParts(type, value, run, path);
  run.leave();
  return made;
}

const none: VmValue = { kind: "null" };

function makeParts(type: Exclude<AbiType, string>, value: JsonValue, run: AbiRun, path: string): VmValue[] {
  if ("named" in type) return makeValues(run.named(type.named), value, run, path);
  if ("struct" in type) return makeStack(type.struct, readObject(value, path), run, path);
  if ("maybe" in type) return makeMaybe(type.maybe, value, run, path);
  if ("tuple" in type) return [{ kind: "tuple", items: makeStack(type.tuple, readObject(value, path), run, path) }];
  if ("ref" in type) {
    const builder = beginCell();
    storeValue(type.ref, builder, value, run, path);
    return [{ kind: "cell", cell: builder.cell() }];
  }
  const dict = dictOf(type);
  if (dict !== undefined) {
    const cell = storeEntries(dict, value, run, path);
    return [cell === undefined ? none : { kind: "cell", cell }];
  }
  if ("array" in type) return [{ kind: "tuple", items: makeItems(type.array, value, run, path) }];
  if ("list" in type) {
    const items = makeItems(type.list, value, run, path);
    return [items.reduceRight((rest, item): VmValue => ({ kind: "tuple", items: [item, rest] }), none)];
  }
  const builder = beginCell();
  storeValue(type, builder, value, run, path);
  return [{ kind: "slice", slice: wholeSlice(builder.cell()) }];
}

function makeMaybe(type: AbiType, value: JsonValue, run: AbiRun, path: string): VmValue[] {
  const width = widthOf(type, run);
  if (width === 1) return value === null ? [none] : makeValues(type, value, run, path);
  if (value === null) return [...Array.from({ length: width }, () => none), { kind: "int", value: 0n }];
  throw badValue(path, "the number of a type with several places is unknown; null is possible");
}

function makeItems(type: AbiType, value: JsonValue, run: AbiRun, path: string): VmValue[] {
  const items = readItems(value, path);
  return items.flatMap((each, index) => makeValues(type, each, run, `${path}[${index}]`));
}

function makeScalar(type: string, value: JsonValue, run: AbiRun, path: string): VmValue {
  const scalar = scalarNamed(type);
  switch (scalar.kind) {
    case "uint":
    case "int":
    case "varuint":
    case "varint":
    case "bits":
    case "bool":
      return makeNumeric(scalar, value, run, path);
    case "cell?":
      return value === null ? none : { kind: "cell", cell: readCell(value, path) };
    case "cell":
      return { kind: "cell", cell: readCell(value, path) };
    case "content":
      return { kind: "cell", cell: makeContent(value, path) };
    case "any":
      throw badValue(path, "a value of unknown type");
    case "address?":
      if (value === null) return none;
  }
  return makeSlice(scalar, value, run, path);
}

/** Numbers are checked as in cells. */
function makeNumeric(scalar: Scalar, value: JsonValue, run: AbiRun, path: string): VmValue {
  const made = makeSlice(scalar, value, run, path);
  if (scalar.kind === "bits") return made;
  if (scalar.kind === "bool") return { kind: "int", value: value === true ? -1n : 0n };
  return { kind: "int", value: readInteger(value, path) };
}

function makeSlice(scalar: Scalar, value: JsonValue, run: AbiRun, path: string): VmValue {
  const builder = beginCell();
  storeScalar(scalar, builder, value, run, path);
  return { kind: "slice", slice: wholeSlice(builder.cell()) };
}
