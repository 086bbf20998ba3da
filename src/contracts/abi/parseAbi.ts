import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { Abi, AbiConstructor, AbiField, AbiFields, AbiMethod, AbiStorage, AbiType } from "./Abi.ts";
import { checkTypes } from "./checkTypes.ts";
import { AbiError } from "./errors.ts";
import { findScalar, isKey } from "./scalars.ts";
import { findTag } from "./tag.ts";

const maxName = 200;
const maxDoc = 4000;
const maxItems = 1000;
/** Types, fields and other items of lists. */
const maxParts = 40_000;
/** As many are read in a few milliseconds, with a request. */
export const maxSentParts = 4_000;
const maxDepth = 24;

/** Refuses what is not an ABI, with the path of the part; the value is made anew, with the known properties only. */
export function parseAbi(json: JsonValue, limit = maxParts): Abi {
  const abi = new AbiReader(limit).abi(json);
  checkTypes(abi);
  return abi;
}

export function badForm(path: string, why: string): AbiError {
  return new AbiError("abi/form", path === "" ? why : `${path}: ${why}`, { data: { path } });
}

/** Reads an ABI and counts its parts. */
class AbiReader {
  readonly #limit: number;
  #parts = 0;
  #depth = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  abi(json: JsonValue): Abi {
    const object = objectAt(json, "");
    refuseOthers(object, abiProperties, "");
    return {
      name: nameAt(object.name, "name"),
      ...docOf(object, ""),
      ...this.#optional(object, "codes", (value, path) => this.#list(value, path, textAt)),
      ...this.#optional(object, "types", (value, path) => this.#types(value, path)),
      ...this.#optional(object, "methods", (value, path) => this.#named(value, path, (v, p) => this.#method(v, p))),
      ...this.#constructors(object, "receives"),
      ...this.#constructors(object, "sends"),
      ...this.#constructors(object, "emits"),
      ...this.#optional(object, "storage", (value, path) => this.#list(value, path, (v, p) => this.#storage(v, p))),
      ...this.#optional(object, "errors", (value, path) => this.#errors(value, path)),
    };
  }

  #optional<K extends string, T>(
    object: JsonObject,
    name: K,
    read: (value: JsonValue, path: string) => T,
    at = "",
  ): { readonly [P in K]?: T } {
    const value = ownOf(object, name);
    // The one property of the given name.
    return value === undefined ? {} : ({ [name]: read(value, join(at, name)) } as { readonly [P in K]: T });
  }

  #constructors<K extends string>(object: JsonObject, name: K): { readonly [P in K]?: readonly AbiConstructor[] } {
    return this.#optional(object, name, (value, path) => this.#list(value, path, (v, p) => this.#layout(v, p)));
  }

  #list<T>(value: JsonValue | undefined, path: string, read: (value: JsonValue, path: string) => T): readonly T[] {
    if (!Array.isArray(value)) throw badForm(path, "a list is needed");
    if (value.length > maxItems) throw badForm(path, `${value.length} items; the limit is ${maxItems}`);
    return value.map((each: JsonValue, index) => {
      this.#count(path);
      return read(each, `${path}[${index}]`);
    });
  }

  /** A list whose items have different names. */
  #named<T extends { readonly name: string }>(
    value: JsonValue | undefined,
    path: string,
    read: (value: JsonValue, path: string) => T,
  ): readonly T[] {
    const list = this.#list(value, path, read);
    const names = new Set<string>();
    for (const [index, { name }] of list.entries()) {
      if (names.has(name)) throw badForm(`${path}[${index}].name`, `${name} occurs twice`);
      names.add(name);
    }
    return list;
  }

  #types(value: JsonValue, path: string): Readonly<Record<string, AbiType>> {
    const entries = Object.entries(objectAt(value, path));
    if (entries.length > maxItems) throw badForm(path, `${entries.length} types; the limit is ${maxItems}`);
    return Object.fromEntries(
      entries.map(([name, type]) => [nameAt(name, join(path, name)), this.#type(type, join(path, name))]),
    );
  }

  #method(value: JsonValue, path: string): AbiMethod {
    const object = objectAt(value, path);
    refuseOthers(object, ["name", "id", "args", "result", "doc"], path);
    return {
      name: nameAt(object.name, join(path, "name")),
      ...this.#optional(object, "id", idAt, path),
      args: this.#fields(ownOf(object, "args") ?? [], join(path, "args")),
      result: this.#fields(ownOf(object, "result") ?? [], join(path, "result")),
      ...docOf(object, path),
    };
  }

  #layout(value: JsonValue, path: string): AbiConstructor {
    const object = objectAt(value, path);
    refuseOthers(object, ["name", "tag", "fields", "doc"], path);
    return {
      name: nameAt(object.name, join(path, "name")),
      ...this.#optional(object, "tag", tagAt, path),
      fields: this.#fields(ownOf(object, "fields") ?? [], join(path, "fields")),
      ...docOf(object, path),
    };
  }

  #storage(value: JsonValue, path: string): AbiStorage {
    const object = objectAt(value, path);
    refuseOthers(object, ["fields", "codes", "doc"], path);
    return {
      fields: this.#fields(ownOf(object, "fields"), join(path, "fields")),
      ...this.#optional(object, "codes", (each, at) => this.#list(each, at, textAt), path),
      ...docOf(object, path),
    };
  }

  #errors(value: JsonValue, path: string): Readonly<Record<string, string>> {
    const entries = Object.entries(objectAt(value, path));
    if (entries.length > maxItems) throw badForm(path, `${entries.length} codes; the limit is ${maxItems}`);
    return Object.fromEntries(
      entries.map(([code, words]) => {
        if (!/^-?[0-9]{1,10}$/.test(code)) throw badForm(join(path, code), "an exit code in decimal is needed");
        return [code, textAt(words, join(path, code))];
      }),
    );
  }

  #fields(value: JsonValue | undefined, path: string): AbiFields {
    return this.#named(value, path, (each, at): AbiField => {
      const object = objectAt(each, at);
      refuseOthers(object, ["name", "type", "doc"], at);
      const name = nameAt(object.name, join(at, "name"));
      if (name === "@type") throw badForm(join(at, "name"), "@type is the name of a constructor");
      return { name, type: this.#type(ownOf(object, "type"), join(at, "type")), ...docOf(object, at) };
    });
  }

  #type(value: JsonValue | undefined, path: string): AbiType {
    this.#count(path);
    if (typeof value === "string") return scalarAt(value, path);
    if (++this.#depth > maxDepth) throw badForm(path, `types are nested deeper than ${maxDepth}`);
    const [entry, ...more] = Object.entries(objectAt(value, path));
    if (entry === undefined || more.length > 0) throw badForm(path, "a type has exactly one property");
    const type = this.#parted(entry[0], entry[1], join(path, entry[0]), path);
    this.#depth--;
    return type;
  }

  #count(path: string): void {
    if (++this.#parts > this.#limit) throw badForm(path, `an ABI of more than ${this.#limit} types and fields`);
  }

  #parted(kind: string, value: JsonValue, path: string, around: string): AbiType {
    if (kind === "maybe") return { maybe: this.#type(value, path) };
    if (kind === "ref") return { ref: this.#type(value, path) };
    if (kind === "either") return { either: this.#type(value, path) };
    if (kind === "many") return { many: this.#type(value, path) };
    if (kind === "array") return { array: this.#type(value, path) };
    if (kind === "list") return { list: this.#type(value, path) };
    if (kind === "struct") return { struct: this.#fields(value, path) };
    if (kind === "tuple") return { tuple: this.#fields(value, path) };
    if (kind === "union") return { union: this.#named(value, path, (each, at) => this.#layout(each, at)) };
    if (kind === "named") return { named: nameAt(value, path) };
    if (kind === "hashmap") return { hashmap: this.#dict(value, path) };
    if (kind === "dict") return { dict: this.#dict(value, path) };
    throw badForm(around, `${kind.slice(0, maxName)} is not a kind of type`);
  }

  #dict(value: JsonValue, path: string): Extract<AbiType, { readonly dict: unknown }>["dict"] {
    const object = objectAt(value, path);
    refuseOthers(object, ["key", "value"], path);
    const key = scalarAt(ownOf(object, "key"), join(path, "key"));
    const scalar = findScalar(key);
    if (scalar === undefined || !isKey(scalar))
      throw badForm(join(path, "key"), "keys are uintN, intN, bitsN or address");
    return { key, value: this.#type(ownOf(object, "value"), join(path, "value")) };
  }
}

const abiProperties = ["name", "doc", "codes", "types", "methods", "receives", "sends", "emits", "storage", "errors"];

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function ownOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badForm(path, "an object is needed");
  return value as JsonObject;
}

/** A misspelt property would be lost. */
function refuseOthers(object: JsonObject, names: readonly string[], path: string): void {
  const other = Object.keys(object).find((name) => !names.includes(name));
  if (other !== undefined) throw badForm(join(path, other.slice(0, maxName)), `unknown; known are ${names.join(", ")}`);
}

function textAt(value: JsonValue | undefined, path: string): string {
  if (typeof value !== "string") throw badForm(path, "text is needed");
  if (value.length > maxDoc) throw badForm(path, `${value.length} characters; the limit is ${maxDoc}`);
  return value;
}

/** Names become properties of values. */
function nameAt(value: JsonValue | undefined, path: string): string {
  const name = textAt(value, path);
  const isControl = (character: string): boolean => character < " " || character === "\u007f";
  if (name === "" || name.length > maxName || name === "__proto__" || Array.from(name).some(isControl))
    throw badForm(path, `a name has 1 to ${maxName} printable characters and is not __proto__`);
  return name;
}

function docOf(object: JsonObject, path: string): { readonly doc?: string } {
  const doc = ownOf(object, "doc");
  return doc === undefined ? {} : { doc: textAt(doc, join(path, "doc")) };
}

function idAt(value: JsonValue, path: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || Math.abs(value) > 0x7fff_ffff)
    throw badForm(path, "a number of 32 bits is needed");
  return value;
}

function tagAt(value: JsonValue, path: string): string {
  if (typeof value !== "string" || findTag(value) === undefined)
    throw badForm(path, "a tag is needed: #0f8a7ea5 in hex or $01 in bits");
  return value;
}

function scalarAt(value: JsonValue | undefined, path: string) {
  if (typeof value !== "string" || findScalar(value) === undefined)
    throw badForm(path, `${typeof value === "string" ? value.slice(0, maxName) : typeof value} is not a type`);
  // What `findScalar` knows is a scalar.
  return value as Extract<AbiType, string>;
}
