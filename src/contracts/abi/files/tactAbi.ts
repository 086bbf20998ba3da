import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { badForm } from "../parseAbi.ts";
import type { JsonPart } from "./jsonParts.ts";
import { splitCells } from "./tactCells.ts";

/*
 * The `.abi` file of the Tact compiler as the JSON of an ABI, which the reader of ABIs then checks. Types of cells
 * follow the wrappers that Tact generates; values of get-methods are those of the stack.
 */

const keyBits = 257;

/** Whether a file is one of Tact: it has receivers and getters. */
export function isTact(json: JsonObject): boolean {
  return Array.isArray(json.receivers) && Array.isArray(json.getters);
}

export function fromTact(file: JsonPart): JsonValue {
  const name = file.get("name").text();
  const structs = new Map(
    file
      .get("types")
      .items()
      .map((each) => [each.get("name").text(), each]),
  );
  const tact = new TactTypes(structs);
  const data = structs.get(`${name}$Data`);
  return {
    name,
    types: Object.fromEntries([...structs].map(([each, struct]) => [each, { struct: tact.layout(struct) }])),
    methods: file
      .get("getters")
      .items()
      .map((getter) => tact.method(getter)),
    receives: file
      .get("receivers")
      .items()
      .flatMap((receiver) => tact.receiver(receiver.get("message"))),
    ...(data && {
      storage: [
        // Contracts with `init` begin with a bit that says whether it has run.
        { fields: [{ name: "initialized", type: "bool" }, ...tact.layout(data, 1)] },
        { fields: tact.layout(data) },
      ],
    }),
    errors: Object.fromEntries(
      Object.keys(file.get("errors").isMissing ? {} : file.get("errors").object()).map((code) => [
        code,
        file.get("errors").get(code).get("message").text(),
      ]),
    ),
  };
}

type Field = { readonly name: string; readonly type: JsonValue };

class TactTypes {
  readonly #structs: ReadonlyMap<string, JsonPart>;

  constructor(structs: ReadonlyMap<string, JsonPart>) {
    this.#structs = structs;
  }

  /** The fields of a struct as they are in cells; what does not fit into one cell continues in a reference. */
  layout(struct: JsonPart, usedBits = 0): readonly JsonValue[] {
    const header = struct.get("header").isMissing ? 0 : 32;
    const fields = this.#fieldsOf(struct, (type) => this.#inCell(type));
    return splitCells(fields, header + usedBits, (name) => this.#layoutOf(name));
  }

  /** The fields of a struct of this name, before they are divided. */
  #layoutOf(name: string): readonly Field[] {
    const struct = this.#structs.get(name);
    return struct === undefined ? [] : this.#fieldsOf(struct, (type) => this.#inCell(type));
  }

  #fieldsOf(struct: JsonPart, typeOf: (type: JsonPart) => JsonValue): readonly Field[] {
    return struct
      .get("fields")
      .items()
      .map((field) => ({ name: field.get("name").text(), type: typeOf(field.get("type")) }));
  }

  method(getter: JsonPart): JsonValue {
    const id = getter.get("methodId").findNumber();
    const returned = getter.get("returnType");
    return {
      name: getter.get("name").text(),
      ...(id !== undefined && { id }),
      args: getter
        .get("arguments")
        .items()
        .map((each) => ({ name: each.get("name").text(), type: this.#onStack(each.get("type")) })),
      result: returned.isMissing ? [] : this.#result(returned),
    };
  }

  /** The fields of a struct are values of their own. */
  #result(type: JsonPart): readonly JsonValue[] {
    const struct = this.#structs.get(type.get("type").findText() ?? "");
    if (struct === undefined || type.get("optional").value === true)
      return [{ name: "value", type: this.#onStack(type) }];
    return this.#fieldsOf(struct, (each) => this.#onStack(each));
  }

  receiver(message: JsonPart): readonly JsonValue[] {
    const kind = message.get("kind").text();
    if (kind === "empty") return [{ name: "empty", fields: [] }];
    const text = [{ name: "text", type: "text" }];
    if (kind === "text") return [{ name: message.get("text").findText() ?? "comment", tag: "#00000000", fields: text }];
    if (kind !== "typed") return [];
    const name = message.get("type").text();
    const struct = this.#structs.get(name);
    if (struct === undefined) throw badForm(message.path, `there is no type ${name}`);
    return [{ name, ...tagOf(struct.get("header")), fields: this.layout(struct) }];
  }

  #inCell(type: JsonPart): JsonValue {
    if (type.get("kind").text() === "dict") return { dict: this.#dict(type) };
    const name = type.get("type").text();
    const format = type.get("format");
    const isOptional = type.get("optional").value === true;
    // An optional address is one or none, without a bit.
    if (name === "address") return isOptional ? "address?" : "address";
    const known = this.#structs.has(name) ? this.#structType(name, format) : simpleType(name, format);
    return isOptional ? { maybe: known } : known;
  }

  #structType(name: string, format: JsonPart): JsonValue {
    return format.findText() === "ref" ? { ref: { named: name } } : { named: name };
  }

  #dict(type: JsonPart): JsonValue {
    const value = type.get("value").text();
    const key = type.get("key").text();
    const isStruct = this.#structs.has(value);
    return {
      key: key === "address" ? key : `${key}${type.get("keyFormat").findNumber() ?? (key === "int" ? keyBits : 256)}`,
      value: isStruct ? { ref: { named: value } } : simpleType(value, type.get("valueFormat")),
    };
  }

  #onStack(type: JsonPart): JsonValue {
    if (type.get("kind").text() === "dict") return { dict: this.#dict(type) };
    const name = type.get("type").text();
    const struct = this.#structs.get(name);
    const known = struct === undefined ? stackType(name) : { tuple: this.#nested(struct, name) };
    return type.get("optional").value === true ? { maybe: known } : known;
  }

  readonly #open: string[] = [];

  /** The fields of a struct inside another value. */
  #nested(struct: JsonPart, name: string): readonly Field[] {
    if (this.#open.includes(name))
      throw badForm(struct.path, `a type that contains itself: ${[...this.#open, name].join(" → ")}`);
    this.#open.push(name);
    const fields = this.#fieldsOf(struct, (each) => this.#onStack(each));
    this.#open.pop();
    return fields;
  }
}

function tagOf(header: JsonPart): { readonly tag?: string } {
  return header.isMissing ? {} : { tag: `#${header.number().toString(16).padStart(8, "0")}` };
}

/** The type of a value in a cell. */
function simpleType(name: string, format: JsonPart): JsonValue {
  const text = format.findText();
  if (name === "int" || name === "uint") return text ?? `${name}${format.findNumber() ?? (name === "int" ? 257 : 256)}`;
  if (name === "bool" || name === "address") return name;
  if (text === "remainder") return name === "string" ? "text" : "slice";
  if (name === "cell") return "cell";
  if (name === "slice" || name === "builder") return { ref: "slice" };
  if (name === "string") return { ref: "text" };
  if (name === "fixed-bytes") return `bits${(format.findNumber() ?? 32) * 8}`;
  throw badForm(format.path, `${name.slice(0, 100)} is not a type of Tact`);
}

function stackType(name: string): JsonValue {
  if (name === "int" || name === "uint") return "int";
  if (name === "string") return "text";
  if (name === "builder" || name === "fixed-bytes") return "any";
  return name;
}
