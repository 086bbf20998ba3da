import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { badForm } from "../parseAbi.ts";
import type { JsonPart } from "./jsonParts.ts";

/*
 * The ABI of the Tolk compiler (`abi_schema_version` 1) as the JSON of an ABI, which the reader of ABIs then checks. A
 * field whose type has no form here is all that remains of its cell, and the fields after it are left out.
 */

/** Whether a file is one of Tolk: it has types by number. */
export function isTolk(json: JsonObject): boolean {
  return Array.isArray(json.unique_types) && Array.isArray(json.declarations);
}

export function fromTolk(file: JsonPart): JsonValue {
  const types = new TolkTypes(file);
  const storage = file.get("storage").isMissing ? undefined : file.get("storage").get("storage_ty_idx").findNumber();
  const messages = (list: string) =>
    file
      .get(list)
      .items()
      .flatMap((each) => types.messages(each.get("body_ty_idx")));
  return {
    name: file.get("contract_name").text(),
    ...(file.get("description").findText() !== undefined && { doc: file.get("description").text() }),
    types: types.declared(),
    methods: file
      .get("get_methods")
      .items()
      .map((method) => ({
        name: method.get("name").text(),
        id: method.get("tvm_method_id").number(),
        args: method
          .get("parameters")
          .items()
          .map((each) => ({ name: each.get("name").text(), type: types.onStack(each.get("ty_idx").number()) })),
        result: types.result(method.get("return_ty_idx").number()),
      })),
    receives: [...messages("incoming_messages"), ...messages("incoming_external")],
    sends: messages("outgoing_messages"),
    emits: messages("emitted_events"),
    storage: storage === undefined ? [] : [{ fields: [{ name: "storage", type: types.inCell(storage) }] }].map(opened),
    errors: Object.fromEntries(
      file
        .get("thrown_errors")
        .items()
        .map((error) => [String(error.get("err_code").number()), error.get("name").findText() ?? "unnamed"]),
    ),
  };

  /** The fields of a struct are those of the storage itself. */
  function opened(layout: JsonObject): JsonValue {
    return storage === undefined ? layout : { fields: types.fieldsAt(storage) ?? (layout.fields as JsonValue) };
  }
}

const sameNames: ReadonlyMap<string, string> = new Map([
  ["coins", "coins"],
  ["bool", "bool"],
  ["cell", "cell"],
  ["address", "address"],
  ["addressOpt", "address?"],
  ["addressExt", "anyAddress"],
  ["addressAny", "anyAddress"],
  ["int", "int"],
  ["slice", "slice"],
  ["remaining", "slice"],
]);
const sizedNames: ReadonlyMap<string, string> = new Map([
  ["intN", "int"],
  ["uintN", "uint"],
  ["varintN", "varint"],
  ["varuintN", "varuint"],
  ["bitsN", "bits"],
]);
const deepest = 24;

class TolkTypes {
  readonly #types: readonly JsonPart[];
  readonly #declarations: ReadonlyMap<string, JsonPart>;
  readonly #instances: ReadonlyMap<number, JsonPart>;
  #depth = 0;

  constructor(file: JsonPart) {
    this.#types = file.get("unique_types").items();
    this.#declarations = new Map(
      file
        .get("declarations")
        .items()
        .map((each) => [each.get("name").text(), each]),
    );
    const instances = [...file.get("struct_instantiations").items(), ...file.get("alias_instantiations").items()];
    this.#instances = new Map(instances.map((each) => [each.get("ty_idx").number(), each]));
  }

  /** Structs without type parameters by name, as they are in cells. */
  declared(): JsonValue {
    const structs = [...this.#declarations].filter(
      ([, each]) => each.get("kind").text() === "struct" && each.get("type_params").items().length === 0,
    );
    return Object.fromEntries(structs.map(([name, struct]) => [name, this.#struct(struct)]));
  }

  /** The messages of a type: the variants of a union, or the struct. */
  messages(index: JsonPart): readonly JsonValue[] {
    const at = this.#aliased(index.number());
    const type = this.#at(at);
    if (type.get("kind").text() === "union") {
      return type
        .get("variants")
        .items()
        .flatMap((each) => this.messages(each.get("variant_ty_idx")));
    }
    const struct = this.#findStruct(type);
    if (struct === undefined) return [];
    return [{ name: struct.get("name").text(), ...tagOf(struct), fields: this.fieldsAt(at) ?? [] }];
  }

  /** The fields of a struct; `undefined` for another type. */
  fieldsAt(index: number): readonly JsonValue[] | undefined {
    const at = this.#aliased(index);
    const struct = this.#findStruct(this.#at(at));
    return struct && this.#fields(struct, this.#instances.get(at));
  }

  result(index: number): readonly JsonValue[] {
    const at = this.#aliased(index);
    const type = this.#at(at);
    if (["void", "nullLiteral"].includes(type.get("kind").text())) return [];
    const struct = this.#findStruct(type);
    return struct === undefined ? [{ name: "value", type: this.onStack(at) }] : this.#stackFields(struct, at);
  }

  inCell(index: number): JsonValue {
    return this.#deeper(index, () => this.#findInCell(this.#at(index), index)) ?? "slice";
  }

  #findInCell(type: JsonPart, index: number): JsonValue | undefined {
    const kind = type.get("kind").text();
    const scalar = scalarOf(kind, type);
    if (scalar !== undefined) return kind === "int" ? undefined : scalar;
    const inner = () => this.inCell(type.get("inner_ty_idx").number());
    if (kind === "string") return { ref: "text" };
    if (kind === "nullable") return { maybe: inner() };
    if (kind === "cellOf") return { ref: inner() };
    if (kind === "void") return { struct: [] };
    if (kind === "AliasRef" || kind === "EnumRef") return this.inCell(this.#aliased(index));
    if (kind === "tensor") return { struct: this.#numbered(type, (at) => this.inCell(at)) };
    if (kind === "mapKV") return this.#map(type);
    if (kind === "union") return this.#union(type);
    const struct = this.#findStruct(type);
    if (struct === undefined || !struct.get("custom_pack_unpack").isMissing) return undefined;
    const instance = this.#instances.get(index);
    return instance === undefined ? { named: struct.get("name").text() } : this.#struct(struct, instance);
  }

  #map(type: JsonPart): JsonValue | undefined {
    const key = this.inCell(type.get("key_ty_idx").number());
    const isKey = typeof key === "string" && /^(?:u?int[0-9]+|bits[0-9]+|address)$/.test(key);
    return isKey ? { dict: { key, value: this.inCell(type.get("value_ty_idx").number()) } } : undefined;
  }

  #union(type: JsonPart): JsonValue | undefined {
    const variants = type.get("variants").items();
    const made = variants.map((variant) => {
      const at = this.#aliased(variant.get("variant_ty_idx").number());
      const struct = this.#findStruct(this.#at(at));
      const prefix = struct?.get("prefix").isMissing === false ? tagOf(struct) : prefixTag(variant);
      const fields = this.fieldsAt(at) ?? [{ name: "value", type: this.inCell(at) }];
      return { name: struct?.get("name").text() ?? `variant${at}`, ...prefix, fields };
    });
    return made.every(({ tag }) => tag !== undefined) ? { union: made } : undefined;
  }

  #struct(struct: JsonPart, instance?: JsonPart): JsonValue {
    const fields = this.#fields(struct, instance);
    const tag = tagOf(struct);
    return tag.tag === undefined
      ? { struct: fields }
      : { union: [{ name: struct.get("name").text(), ...tag, fields }] };
  }

  #fields(struct: JsonPart, instance: JsonPart | undefined): readonly JsonValue[] {
    const fields: JsonValue[] = [];
    for (const { name, index } of this.#members(struct, instance)) {
      const type = this.#deeper(index, () => this.#findInCell(this.#at(index), index));
      fields.push({ name, type: type ?? "slice" });
      if (type === undefined) break;
    }
    return fields;
  }

  /** The fields of a struct, those of an instance with its own types. */
  #members(
    struct: JsonPart,
    instance: JsonPart | undefined,
  ): readonly { readonly name: string; readonly index: number }[] {
    const own = instance?.get("monomorphic_fields_ty_idx").items();
    return struct
      .get("fields")
      .items()
      .map((field, at) => ({
        name: field.get("name").text(),
        index: (own?.[at] ?? field.get("ty_idx")).number(),
      }));
  }

  onStack(index: number): JsonValue {
    return this.#deeper(index, () => this.#findOnStack(this.#at(index), index)) ?? "any";
  }

  #findOnStack(type: JsonPart, index: number): JsonValue | undefined {
    const kind = type.get("kind").text();
    const scalar = scalarOf(kind, type);
    if (scalar !== undefined) return scalar;
    const inner = () => this.onStack(type.get("inner_ty_idx").number());
    if (kind === "string") return { ref: "text" };
    if (kind === "nullable") return { maybe: inner() };
    if (kind === "arrayOf") return { array: inner() };
    if (kind === "lispListOf") return { list: inner() };
    if (kind === "cellOf") return { ref: this.inCell(type.get("inner_ty_idx").number()) };
    if (kind === "AliasRef" || kind === "EnumRef") return this.onStack(this.#aliased(index));
    if (kind === "tensor") return { struct: this.#numbered(type, (at) => this.onStack(at)) };
    if (kind === "shapedTuple") return { tuple: this.#numbered(type, (at) => this.onStack(at)) };
    if (kind === "mapKV") return this.#map(type);
    const struct = this.#findStruct(type);
    return struct && { struct: this.#stackFields(struct, index) };
  }

  #stackFields(struct: JsonPart, at: number): readonly JsonValue[] {
    const members = this.#members(struct, this.#instances.get(at));
    return members.map(({ name, index }) => ({ name, type: this.onStack(index) }));
  }

  #numbered(type: JsonPart, typeOf: (index: number) => JsonValue): readonly JsonValue[] {
    const items = type.get("items_ty_idx").items();
    return items.map((each, at) => ({ name: String(at), type: typeOf(each.number()) }));
  }

  /** The type behind aliases and enumerations. */
  #aliased(index: number): number {
    const type = this.#at(index);
    const kind = type.get("kind").text();
    if (kind !== "AliasRef" && kind !== "EnumRef") return index;
    const declared = this.#declarations.get(type.get(kind === "AliasRef" ? "alias_name" : "enum_name").text());
    const target = this.#instances.get(index)?.get("monomorphic_target_ty_idx") ?? declared?.get(targetName(kind));
    if (target === undefined) throw badForm(type.path, "a name that is not declared");
    return this.#deeper(index, () => this.#aliased(target.number())) ?? index;
  }

  #findStruct(type: JsonPart): JsonPart | undefined {
    if (type.get("kind").text() !== "StructRef") return undefined;
    const name = type.get("struct_name").text();
    const struct = this.#declarations.get(name);
    if (struct === undefined) throw badForm(type.path, `there is no struct ${name}`);
    return struct;
  }

  #at(index: number): JsonPart {
    const type = this.#types[index];
    if (type === undefined) throw badForm("unique_types", `there is no type ${index}`);
    return type;
  }

  /** Types that are not named by a struct could contain themselves. */
  #deeper<T>(index: number, run: () => T): T {
    if (++this.#depth > deepest) throw badForm(this.#at(index).path, "a type that contains itself, or is too deep");
    const made = run();
    this.#depth--;
    return made;
  }
}

function targetName(kind: string): string {
  return kind === "AliasRef" ? "target_ty_idx" : "encoded_as_ty_idx";
}

function scalarOf(kind: string, type: JsonPart): string | undefined {
  const sized = sizedNames.get(kind);
  return sized === undefined ? sameNames.get(kind) : `${sized}${type.get("n").number()}`;
}

function tagOf(struct: JsonPart): { readonly tag?: string } {
  return struct.get("prefix").isMissing ? {} : prefixTag(struct.get("prefix"));
}

/** A prefix in the notation of TL-B. */
function prefixTag(prefix: JsonPart): { readonly tag?: string } {
  const number = prefix.get("prefix_num").findNumber();
  const length = prefix.get("prefix_len").findNumber();
  if (number === undefined || length === undefined || length < 1 || length > 64) return {};
  const isHex = length % 4 === 0;
  return { tag: `${isHex ? "#" : "$"}${number.toString(isHex ? 16 : 2).padStart(isHex ? length / 4 : length, "0")}` };
}
