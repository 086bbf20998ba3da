import { type Builder, beginCell } from "../../cell/Builder.ts";
import { buildInSteps } from "../../cell/buildInSteps.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import type { KeyCodec } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { Leaf } from "../../cell/tree.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { AbiConstructor, AbiFields, AbiType } from "./Abi.ts";
import type { AbiRun } from "./AbiRun.ts";
import { loadScalar, loadShort, storeScalar, storeShort } from "./cellScalars.ts";
import { AbiError } from "./errors.ts";
import { findScalar, isKey, type KeyScalar } from "./scalars.ts";
import { parseTag } from "./tag.ts";
import { badValue, encoding, encodingInSteps, fieldOf, readItems, readObject } from "./values.ts";

/** Entries of one dictionary. */
const maxEntries = 10_000;
const tooManyEntries = `more than ${maxEntries} entries`;

/** Reads a value of this type. */
export function* loadValue(type: AbiType, slice: Slice, run: AbiRun): Steps<JsonValue> {
  run.enter();
  if (run.budget.isDue()) yield;
  const value = yield* typeof type === "string" ? loadScalar(scalarOf(type), slice, run) : loadParts(type, slice, run);
  run.leave();
  return value;
}

function* loadParts(type: Exclude<AbiType, string>, slice: Slice, run: AbiRun): Steps<JsonValue> {
  if ("maybe" in type) return slice.loadBit() ? yield* loadValue(type.maybe, slice, run) : null;
  if ("ref" in type) return yield* loadWhole(type.ref, slice.loadRef(), run);
  if ("either" in type) return yield* loadEither(type.either, slice, run);
  if ("dict" in type) return yield* loadEntries(type.dict, slice.loadMaybeRef(), run);
  if ("hashmap" in type) return yield* loadEntries(type.hashmap, slice.loadRef(), run);
  if ("struct" in type) return yield* loadFields(type.struct, slice, run);
  if ("union" in type) return yield* loadUnion(type.union, slice, run);
  if ("many" in type) return yield* loadMany(type.many, slice, run);
  if ("named" in type) return yield* loadValue(run.named(type.named), slice, run);
  throw new AbiError("abi/data", "a type of the stack in a cell");
}

function loadEither(type: AbiType, slice: Slice, run: AbiRun): Steps<JsonValue> {
  return slice.loadBit() ? loadWhole(type, slice.loadRef(), run) : loadValue(type, slice, run);
}

/** A value that fills a cell. */
export function* loadWhole(type: AbiType, cell: Cell, run: AbiRun): Steps<JsonValue> {
  const slice = sliceOf(cell);
  const value = yield* loadValue(type, slice, run);
  slice.end();
  return value;
}

export function* loadFields(fields: AbiFields, slice: Slice, run: AbiRun): Steps<JsonObject> {
  const values: Record<string, JsonValue> = {};
  for (const { name, type } of fields) {
    run.spend(name.length + 4);
    values[name] = yield* loadValue(type, slice, run);
  }
  return values;
}

/** A value without a bit would never end the cell; the limits of the run do. */
function* loadMany(type: AbiType, slice: Slice, run: AbiRun): Steps<JsonValue> {
  const values: JsonValue[] = [];
  while (!slice.isEmpty) values.push(yield* loadValue(type, slice, run));
  return values;
}

function* loadUnion(constructors: readonly AbiConstructor[], slice: Slice, run: AbiRun): Steps<JsonObject> {
  const chosen = constructors.find(({ tag }) => skipTag(tag, slice, run));
  if (chosen === undefined) throw new AbiError("abi/data", "none of the constructors has this tag");
  return { "@type": chosen.name, ...(yield* loadFields(chosen.fields, slice, run)) };
}

/** Whether the slice begins with this tag, which is then skipped; every slice begins with no tag. */
export function skipTag(text: string | undefined, slice: Slice, run: AbiRun): boolean {
  if (text === undefined) return true;
  run.budget.visit();
  const { tag, bits } = parseTag(text);
  if (slice.remainingBits < bits || slice.clone().loadBigUint(bits) !== tag) return false;
  slice.skip(bits);
  return true;
}

export type DictType = Extract<AbiType, { readonly dict: unknown }>["dict"];

/** The entries of a dictionary with this root, in the order of their keys. */
export function* loadEntries({ key, value }: DictType, root: Cell | undefined, run: AbiRun): Steps<JsonValue> {
  const scalar = keyScalar(key);
  const entries: JsonObject[] = [];
  for (const [bits, leaf] of leavesOf(root, scalar.bits)) {
    if (entries.length === maxEntries) throw new AbiError("abi/too-large", tooManyEntries);
    run.spend(24);
    run.budget.work(entryVisits);
    const shown = yield* loadValue(value, leaf, run);
    leaf.end();
    const keyCell = beginCell().storeBits(bits, scalar.bits).cell();
    entries.push({ key: loadShort(scalar.type, sliceOf(keyCell), run), value: shown });
  }
  return entries;
}

/** What finding an entry costs, beside its key and value. */
const entryVisits = 8;
const leavesAtOnce = 64;
const wholeLeaf: Codec<Slice> = {
  load: (leaf) => leaf.loadPart(leaf.remainingBits, leaf.remainingRefs),
  store: (builder, leaf) => void builder.storeSlice(leaf),
};

function rawKey(bits: number): KeyCodec<Uint8Array> {
  return { bits, encode: (key) => key, decode: (key) => key.slice() };
}

/** The leaves of a dictionary, a few at once: there may be more of them than of cells. */
function* leavesOf(root: Cell | undefined, bits: number): Generator<readonly [Uint8Array, Slice], void, undefined> {
  const leaves = new Dictionary(root, rawKey(bits), wholeLeaf);
  for (let last: Uint8Array | undefined; ; ) {
    // The walk begins with the last leaf again.
    const range = last === undefined ? { limit: leavesAtOnce } : { from: last, limit: leavesAtOnce + 1 };
    const some = leaves.entries(range).slice(last === undefined ? 0 : 1);
    yield* some;
    if (some.length < leavesAtOnce) return;
    last = some.at(-1)?.[0];
  }
}

/** The root of a dictionary of these entries; `undefined` for none. */
export function* storeEntries(type: DictType, value: JsonValue, run: AbiRun, path: string): Steps<Cell | undefined> {
  const items = readItems(value, path);
  if (items.length > maxEntries) throw badValue(path, tooManyEntries);
  const scalar = keyScalar(type.key);
  const leaves: Leaf[] = [];
  for (const [index, each] of items.entries()) {
    const at = `${path}[${index}]`;
    const entry = readObject(each, at);
    const key = beginCell();
    run.spend(8);
    storeShort(scalar.type, key, fieldOf(entry, "key"), `${path}.key`);
    const leaf = beginCell();
    yield* storeValue(type.value, leaf, fieldOf(entry, "value"), run, `${at}.value`);
    run.budget.work(entryVisits);
    leaves.push({
      key: sliceOf(key.cell()).loadBits(scalar.bits),
      store: (builder) => void builder.storeBuilder(leaf),
    });
  }
  return leaves.length === 0 ? undefined : yield* encodingInSteps(path, buildInSteps(leaves, scalar.bits));
}

/** Keys are converted like values in cells. */
function keyScalar(name: string): { readonly type: KeyScalar; readonly bits: number } {
  const type = scalarOf(name);
  if (!isKey(type)) throw new AbiError("abi/unknown", `${name} is not a type of keys`);
  return { type, bits: type.kind === "address" ? 267 : type.bits };
}

/** Writes a value of this type. */
export function* storeValue(type: AbiType, builder: Builder, value: JsonValue, run: AbiRun, path: string): Steps<void> {
  run.enter();
  if (run.budget.isDue()) yield;
  if (typeof type === "string") yield* storeScalar(scalarOf(type), builder, value, run, path);
  else yield* storeParts(type, builder, value, run, path);
  run.leave();
}

function* storeParts(
  type: Exclude<AbiType, string>,
  builder: Builder,
  value: JsonValue,
  run: AbiRun,
  path: string,
): Steps<void> {
  if ("maybe" in type) {
    encoding(path, () => builder.storeBit(value !== null));
    if (value !== null) yield* storeValue(type.maybe, builder, value, run, path);
  } else if ("ref" in type) {
    yield* storeRef(type.ref, builder, value, run, path);
  } else if ("either" in type) {
    encoding(path, () => builder.storeBit(true));
    yield* storeRef(type.either, builder, value, run, path);
  } else if ("dict" in type) {
    const root = yield* storeEntries(type.dict, value, run, path);
    encoding(path, () => builder.storeMaybeRef(root));
  } else if ("hashmap" in type) {
    const root = yield* storeEntries(type.hashmap, value, run, path);
    if (root === undefined) throw badValue(path, "at least one entry is needed");
    encoding(path, () => builder.storeRef(root));
  } else if ("struct" in type) {
    yield* storeFields(type.struct, builder, readObject(value, path), run, path);
  } else if ("union" in type) {
    yield* storeUnion(type.union, builder, readObject(value, path), run, path);
  } else if ("many" in type) {
    for (const [index, each] of readItems(value, path).entries())
      yield* storeValue(type.many, builder, each, run, `${path}[${index}]`);
  } else if ("named" in type) {
    yield* storeValue(run.named(type.named), builder, value, run, path);
  } else {
    throw badValue(path, "a type of the stack in a cell");
  }
}

function* storeRef(type: AbiType, builder: Builder, value: JsonValue, run: AbiRun, path: string): Steps<void> {
  const inner = beginCell();
  yield* storeValue(type, inner, value, run, path);
  encoding(path, () => builder.storeRef(inner.cell()));
}

export function* storeFields(
  fields: AbiFields,
  builder: Builder,
  values: JsonObject,
  run: AbiRun,
  path: string,
): Steps<void> {
  refuseUnknown(fields, values, path);
  for (const { name, type } of fields) yield* storeValue(type, builder, fieldOf(values, name), run, `${path}.${name}`);
}

/** A value under a misspelt name would be lost. */
export function refuseUnknown(fields: AbiFields, values: JsonObject, path: string): void {
  const names = new Set(["@type", ...fields.map(({ name }) => name)]);
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown !== undefined) throw badValue(`${path}.${unknown}`, "there is no such field");
}

function* storeUnion(
  constructors: readonly AbiConstructor[],
  builder: Builder,
  value: JsonObject,
  run: AbiRun,
  path: string,
): Steps<void> {
  const chosen = findNamed(constructors, fieldOf(value, "@type"), run);
  if (chosen === undefined) throw badValue(path, `@type is needed: ${constructors.map(({ name }) => name).join(", ")}`);
  storeTag(chosen.tag, builder, path);
  yield* storeFields(chosen.fields, builder, value, run, path);
}

function findNamed(list: readonly AbiConstructor[], name: JsonValue, run: AbiRun): AbiConstructor | undefined {
  return list.find((each) => {
    run.budget.visit();
    return each.name === name;
  });
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
