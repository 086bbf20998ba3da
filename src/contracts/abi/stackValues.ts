import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
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
import { badValue, fieldOf, readCellInSteps, readInteger, readItems, readObject } from "./values.ts";

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
export function* readStack(fields: AbiFields, stack: VmValues, run: AbiRun): Steps<JsonObject> {
  const reader = new StackReader(stack);
  const values = yield* readFields(fields, reader, run);
  reader.end();
  return values;
}

function* readFields(fields: AbiFields, stack: StackReader, run: AbiRun): Steps<JsonObject> {
  const values: Record<string, JsonValue> = {};
  for (const { name, type } of fields) {
    run.spend(name.length + 4);
    values[name] = yield* readValue(type, stack, run);
  }
  return values;
}

function* readValue(type: AbiType, stack: StackReader, run: AbiRun): Steps<JsonValue> {
  run.enter();
  if (run.budget.isDue()) yield;
  const value = yield* typeof type === "string"
    ? readScalar(scalarNamed(type), stack.next(), run)
    : readParts(type, stack, run);
  run.leave();
  return value;
}

function* readParts(type: Exclude<AbiType, string>, stack: StackReader, run: AbiRun): Steps<JsonValue> {
  if ("named" in type) return yield* readValue(run.named(type.named), stack, run);
  if ("struct" in type) return yield* readFields(type.struct, stack, run);
  if ("maybe" in type) return yield* readMaybe(type.maybe, stack, run);
  const value = stack.next();
  if ("ref" in type) return yield* loadWhole(type.ref, cellOf(value), run);
  const dict = dictOf(type);
  if (dict !== undefined) return yield* loadEntries(dict, value.kind === "null" ? undefined : cellOf(value), run);
  if ("tuple" in type) return yield* readStack(type.tuple, itemsOf(value), run);
  if ("array" in type) return yield* readItemList(type.array, itemsOf(value), run);
  if ("list" in type) return yield* readItemList(type.list, listOf(value), run);
  return yield* readSlice(value, (slice) => loadValue(type, slice, run));
}

/** Null or the value; one that has several places is followed by a number, which is zero for none. */
function* readMaybe(type: AbiType, stack: StackReader, run: AbiRun): Steps<JsonValue> {
  const width = run.width(type);
  const places = stack.take(width === 1 ? 1 : width + 1);
  const values = width === 1 ? [places.next()] : Array.from({ length: width }, () => places.next());
  const isNone = width === 1 ? values[0]?.kind === "null" : integerOf(places.next()) === 0n;
  return isNone ? null : yield* readValue(type, new StackReader(values), run);
}

function* readItemList(type: AbiType, values: Iterable<VmValue>, run: AbiRun): Steps<JsonValue> {
  const items: JsonValue[] = [];
  for (const value of values) items.push(yield* readValue(type, new StackReader([value]), run));
  return items;
}

function* listOf(value: VmValue): Generator<VmValue, void, undefined> {
  for (let at = value; at.kind !== "null"; ) {
    const [item, rest, ...more] = itemsOf(at);
    if (item === undefined || rest === undefined || more.length > 0) throw new AbiError("abi/data", "no list of pairs");
    yield item;
    at = rest;
  }
}

function* readScalar(scalar: Scalar, value: VmValue, run: AbiRun): Steps<JsonValue> {
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
      return value.kind === "null" ? null : yield* showCell(cellOf(value), run);
    case "cell":
      return yield* showCell(cellOf(value), run);
    case "content":
      return yield* showContent(cellOf(value), run);
    case "any":
      return yield* showAny(value, run);
    case "address?":
      if (value.kind === "null") return null;
  }
  return yield* readSlice(value, (slice) => loadScalar(scalar, slice, run));
}

/** A value that fills a slice. */
function* readSlice(value: VmValue, load: (slice: Slice) => Steps<JsonValue>): Steps<JsonValue> {
  const slice = openSlice(sliceIn(value));
  const shown = yield* load(slice);
  slice.end();
  return shown;
}

/** A value of unknown type: its kind and, where it has one, its text. */
function* showAny(value: VmValue, run: AbiRun): Steps<JsonValue> {
  run.enter();
  run.spend(16);
  if (run.budget.isDue()) yield;
  const shown = yield* anyShown(value, run);
  run.leave();
  return shown;
}

function* anyShown(value: VmValue, run: AbiRun): Steps<JsonValue> {
  if (value.kind === "int") return value.value.toString();
  if (value.kind === "null") return null;
  if (value.kind === "tuple") {
    const items: JsonValue[] = [];
    for (const each of value.items) items.push(yield* showAny(each, run));
    return items;
  }
  if (value.kind === "cell" || value.kind === "builder") return { [value.kind]: yield* showCell(value.cell, run) };
  if (value.kind === "slice") return { slice: yield* showCell(sliceCell(value.slice), run) };
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
export function* makeStack(fields: AbiFields, values: JsonObject, run: AbiRun, path: string): Steps<VmValue[]> {
  refuseUnknown(fields, values, path);
  const stack: VmValue[] = [];
  for (const { name, type } of fields)
    stack.push(...(yield* makeValues(type, fieldOf(values, name), run, `${path}.${name}`)));
  return stack;
}

function* makeValues(type: AbiType, value: JsonValue, run: AbiRun, path: string): Steps<VmValue[]> {
  run.enter();
  if (run.budget.isDue()) yield;
  const made =
    typeof type === "string" ? [yield* makeScalar(type, value, run, path)] : yield* makeParts(type, value, run, path);
  run.leave();
  return made;
}

const none: VmValue = { kind: "null" };

function* makeParts(type: Exclude<AbiType, string>, value: JsonValue, run: AbiRun, path: string): Steps<VmValue[]> {
  if ("named" in type) return yield* makeValues(run.named(type.named), value, run, path);
  if ("struct" in type) return yield* makeStack(type.struct, readObject(value, path), run, path);
  if ("maybe" in type) return yield* makeMaybe(type.maybe, value, run, path);
  if ("tuple" in type)
    return [{ kind: "tuple", items: yield* makeStack(type.tuple, readObject(value, path), run, path) }];
  if ("ref" in type) {
    const builder = beginCell();
    yield* storeValue(type.ref, builder, value, run, path);
    return [{ kind: "cell", cell: builder.cell() }];
  }
  const dict = dictOf(type);
  if (dict !== undefined) {
    const cell = yield* storeEntries(dict, value, run, path);
    return [cell === undefined ? none : { kind: "cell", cell }];
  }
  if ("array" in type) return [{ kind: "tuple", items: yield* makeItems(type.array, value, run, path) }];
  if ("list" in type) {
    const items = yield* makeItems(type.list, value, run, path);
    return [items.reduceRight((rest, item): VmValue => ({ kind: "tuple", items: [item, rest] }), none)];
  }
  const builder = beginCell();
  yield* storeValue(type, builder, value, run, path);
  return [{ kind: "slice", slice: wholeSlice(builder.cell()) }];
}

function* makeMaybe(type: AbiType, value: JsonValue, run: AbiRun, path: string): Steps<VmValue[]> {
  const width = run.width(type);
  if (width === 1) return value === null ? [none] : yield* makeValues(type, value, run, path);
  if (value === null) return [...Array.from({ length: width }, () => none), { kind: "int", value: 0n }];
  throw badValue(path, "the number of a type with several places is unknown; null is possible");
}

function* makeItems(type: AbiType, value: JsonValue, run: AbiRun, path: string): Steps<VmValue[]> {
  const items: VmValue[] = [];
  for (const [index, each] of readItems(value, path).entries())
    items.push(...(yield* makeValues(type, each, run, `${path}[${index}]`)));
  return items;
}

function* makeScalar(type: string, value: JsonValue, run: AbiRun, path: string): Steps<VmValue> {
  const scalar = scalarNamed(type);
  switch (scalar.kind) {
    case "uint":
    case "int":
    case "varuint":
    case "varint":
    case "bits":
    case "bool":
      return yield* makeNumeric(scalar, value, run, path);
    case "cell?":
      return value === null ? none : { kind: "cell", cell: yield* readCellInSteps(value, path) };
    case "cell":
      return { kind: "cell", cell: yield* readCellInSteps(value, path) };
    case "content":
      return { kind: "cell", cell: makeContent(value, path) };
    case "any":
      throw badValue(path, "a value of unknown type");
    case "address?":
      if (value === null) return none;
  }
  return yield* makeSlice(scalar, value, run, path);
}

/** Numbers are checked as in cells. */
function* makeNumeric(scalar: Scalar, value: JsonValue, run: AbiRun, path: string): Steps<VmValue> {
  const made = yield* makeSlice(scalar, value, run, path);
  if (scalar.kind === "bits") return made;
  if (scalar.kind === "bool") return { kind: "int", value: value === true ? -1n : 0n };
  return { kind: "int", value: readInteger(value, path) };
}

function* makeSlice(scalar: Scalar, value: JsonValue, run: AbiRun, path: string): Steps<VmValue> {
  const builder = beginCell();
  yield* storeScalar(scalar, builder, value, run, path);
  return { kind: "slice", slice: wholeSlice(builder.cell()) };
}
