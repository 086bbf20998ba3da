import { type Builder, beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { Dictionary, makeDictionary } from "../../cell/dictionary.ts";
import type { KeyCodec } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { AbiConstructor, AbiFields, AbiType } from "./Abi.ts";
import type { AbiRun } from "./AbiRun.ts";
import { loadScalar, storeScalar } from "./cellScalars.ts";
import { AbiError } from "./errors.ts";
import { findScalar } from "./scalars.ts";
import { parseTag } from "./tag.ts";
import { badValue, encoding, fieldOf, readItems, readObject } from "./values.ts";

/** Entries of one dictionary. */
const maxEntries = 10_000;

/** Reads a value of this type. */
export function loadValue(type: AbiType, slice: Slice, run: AbiRun): JsonValue {
  run.enter();
  const value = typeof type === "string" ? loadScalar(scalarOf(type), slice, run) : loadParts(type, slice, run);
  run.leave();
  return value;
}

function loadParts(type: Exclude<AbiType, string>, slice: Slice, run: AbiRun): JsonValue {
  if ("maybe" in type) return slice.loadBit() ? loadValue(type.maybe, slice, run) : null;
  if ("ref" in type) return loadWhole(type.ref, slice.loadRef(), run);
  if ("either" in type)
    return slice.loadBit() ? loadWhole(type.either, slice.loadRef(), run) : loadValue(type.either, slice, run);
  if ("dict" in type) return loadEntries(type.dict, slice.loadMaybeRef(), run);
  if ("hashmap" in type) return loadEntries(type.hashmap, slice.loadRef(), run);
  if ("struct" in type) return loadFields(type.struct, slice, run);
  if ("union" in type) return loadUnion(type.union, slice, run);
  if ("many" in type) return loadMany(type.many, slice, run);
  if ("named" in type) return loadValue(run.named(type.named), slice, run);
  throw new AbiError("abi/data", "a type of the stack in a cell");
}

/** A value that fills a cell. */
export function loadWhole(type: AbiType, cell: Cell, run: AbiRun): JsonValue {
  const slice = sliceOf(cell);
  const value = loadValue(type, slice, run);
  slice.end();
  return value;
}

export function loadFields(fields: AbiFields, slice: Slice, run: AbiRun): JsonObject {
  const values: Record<string, JsonValue> = {};
  for (const { name, type } of fields) {
    run.spend(name.length + 4);
    values[name] = loadValue(type, slice, run);
  }
  return values;
}

/** A value without a bit would never end the cell; the limits of the run do. */
function loadMany(type: AbiType, slice: Slice, run: AbiRun): JsonValue {
  const values: JsonValue[] = [];
  while (!slice.isEmpty) values.push(loadValue(type, slice, run));
  return values;
}

function loadUnion(constructors: readonly AbiConstructor[], slice: Slice, run: AbiRun): JsonObject {
  const chosen = constructors.find(({ tag }) => skipTag(tag, slice));
  if (chosen === undefined) throw new AbiError("abi/data", "none of the constructors has this tag");
  return { "@type": chosen.name, ...loadFields(chosen.fields, slice, run) };
}

/** Whether the slice begins with this tag, which is then skipped; every slice begins with no tag. */
export function skipTag(text: string | undefined, slice: Slice): boolean {
  if (text === undefined) return true;
  const { tag, bits } = parseTag(text);
  if (slice.remainingBits < bits || slice.clone().loadBigUint(bits) !== tag) return false;
  slice.skip(bits);
  return true;
}

export type DictType = Extract<AbiType, { readonly dict: unknown }>["dict"];

/** The entries of a dictionary with this root, in the order of their keys. */
export function loadEntries({ key, value }: DictType, root: Cell | undefined, run: AbiRun): JsonValue {
  const codec = {
    load: (leaf: Slice) => {
      run.spend(24);
      return loadValue(value, leaf, run);
    },
    store: () => undefined,
  };
  const entries = new Dictionary(root, keyCodec(key, run), codec, maxEntries).entries();
  return entries.map(([key, value]) => ({ key, value }));
}

/** The root of a dictionary of these entries; `undefined` for none. */
export function storeEntries(type: DictType, value: JsonValue, run: AbiRun, path: string): Cell | undefined {
  const items = readItems(value, path).map((each, index): [JsonValue, readonly [JsonValue, string]] => {
    const entry = readObject(each, `${path}[${index}]`);
    return [fieldOf(entry, "key"), [fieldOf(entry, "value"), `${path}[${index}].value`]];
  });
  if (items.length > maxEntries) throw badValue(path, `more than ${maxEntries} entries`);
  const codec = {
    load: () => ["", ""] as const,
    store: (builder: Builder, [each, at]: readonly [JsonValue, string]) =>
      storeValue(type.value, builder, each, run, at),
  };
  return encoding(path, () => makeDictionary(keyCodec(type.key, run, `${path}.key`), codec, items).root);
}

/** Keys are converted like values in cells. */
function keyCodec(type: string, run: AbiRun, path = "key"): KeyCodec<JsonValue> {
  const scalar = scalarOf(type);
  const bits = scalar.kind === "address" ? 267 : "bits" in scalar ? scalar.bits : 0;
  return {
    bits,
    encode: (key) => {
      const builder = beginCell();
      storeScalar(scalar, builder, key, run, path);
      return sliceOf(builder.cell()).loadBits(bits);
    },
    decode: (key) => loadScalar(scalar, sliceOf(beginCell().storeBits(key, bits).cell()), run),
  };
}

/** Writes a value of this type. */
export function storeValue(type: AbiType, builder: Builder, value: JsonValue, run: AbiRun, path: string): void {
  run.enter();
  if (typeof type === "string") storeScalar(scalarOf(type), builder, value, run, path);
  else storeParts(type, builder, value, run, path);
  run.leave();
}

function storeParts(
  type: Exclude<AbiType, string>,
  builder: Builder,
  value: JsonValue,
  run: AbiRun,
  path: string,
): void {
  if ("maybe" in type) {
    encoding(path, () => builder.storeBit(value !== null));
    if (value !== null) storeValue(type.maybe, builder, value, run, path);
  } else if ("ref" in type) {
    storeRef(type.ref, builder, value, run, path);
  } else if ("either" in type) {
    encoding(path, () => builder.storeBit(true));
    storeRef(type.either, builder, value, run, path);
  } else if ("dict" in type) {
    const root = storeEntries(type.dict, value, run, path);
    encoding(path, () => builder.storeMaybeRef(root));
  } else if ("hashmap" in type) {
    const root = storeEntries(type.hashmap, value, run, path);
    if (root === undefined) throw badValue(path, "at least one entry is needed");
    encoding(path, () => builder.storeRef(root));
  } else if ("struct" in type) {
    storeFields(type.struct, builder, readObject(value, path), run, path);
  } else if ("union" in type) {
    storeUnion(type.union, builder, readObject(value, path), run, path);
  } else if ("many" in type) {
    for (const [index, each] of readItems(value, path).entries())
      storeValue(type.many, builder, each, run, `${path}[${index}]`);
  } else if ("named" in type) {
    storeValue(run.named(type.named), builder, value, run, path);
  } else {
    throw badValue(path, "a type of the stack in a cell");
  }
}

function storeRef(type: AbiType, builder: Builder, value: JsonValue, run: AbiRun, path: string): void {
  const inner = beginCell();
  storeValue(type, inner, value, run, path);
  encoding(path, () => builder.storeRef(inner.cell()));
}

export function storeFields(fields: AbiFields, builder: Builder, values: JsonObject, run: AbiRun, path: string): void {
  refuseUnknown(fields, values, path);
  for (const { name, type } of fields) storeValue(type, builder, fieldOf(values, name), run, `${path}.${name}`);
}

/** A value under a misspelt name would be lost. */
export function refuseUnknown(fields: AbiFields, values: JsonObject, path: string): void {
  const names = new Set(["@type", ...fields.map(({ name }) => name)]);
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown !== undefined) throw badValue(`${path}.${unknown}`, "there is no such field");
}

function storeUnion(
  constructors: readonly AbiConstructor[],
  builder: Builder,
  value: JsonObject,
  run: AbiRun,
  path: string,
): void {
  const chosen = constructors.find(({ name }) => name === fieldOf(value, "@type"));
  if (chosen === undefined) throw badValue(path, `@type is needed: ${constructors.map(({ name }) => name).join(", ")}`);
  storeTag(chosen.tag, builder, path);
  storeFields(chosen.fields, builder, value, run, path);
}

export function storeTag(text: string | undefined, builder: Builder, path: string): void {
  if (text === undefined) return;
  const { tag, bits } = parseTag(text);
  encoding(path, () => builder.storeBigUint(tag, bits));
}

function scalarOf(name: string): NonNullable<ReturnType<typeof findScalar>> {
  const scalar = findScalar(name);
  if (scalar === undefined) throw new AbiError("abi/unknown", `there is no type ${name}`);
  return scalar;
}
