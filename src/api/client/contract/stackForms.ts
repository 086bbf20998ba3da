import { writeBoc } from "../../../cell/boc.ts";
import { readCell, readInteger } from "../../../contracts/abi/values.ts";
import { toBase64 } from "../../../lib/bytes.ts";
import type { JsonInput, JsonValue } from "../../../lib/json.ts";
import { sliceCell, wholeSlice } from "../../../model/vm/VmCellSlice.ts";
import type { VmValue, VmValues } from "../../../model/vm/VmValue.ts";
import { ApiError } from "../../declare/errors.ts";

/** How an API version writes the values of a stack: v2 as pairs, v3 as entries, which are numbers, cells and slices. */
export type StackForm = "pairs" | "entries";

/** The arguments of a get-method. */
export function formatStack(form: StackForm, values: VmValues): JsonInput[] {
  return values.map((value) => {
    if (value.kind === "int") return form === "pairs" ? ["num", hexOf(value.value)] : entry("num", hexOf(value.value));
    if (value.kind === "cell" || value.kind === "slice") {
      const bytes = bagOf(value);
      if (form === "entries") return entry(value.kind, bytes);
      return [value.kind === "cell" ? "tvm.Cell" : "tvm.Slice", bytes];
    }
    if (form === "entries") throw unsupported(value, "v3 takes numbers, cells and slices; the client of v2 takes it");
    if (value.kind === "tuple") return ["tuple", elements("tuple", value.items)];
    if (value.kind === "null") return ["list", elements("list", [])];
    throw unsupported(value, "no server takes it");
  });
}

function entry(type: string, value: string): JsonInput {
  return { type, value };
}

function unsupported({ kind }: VmValue, why: string): ApiError {
  return new ApiError("api/stack-entry", `a ${kind} as an argument of a get-method: ${why}`);
}

function elements(type: "tuple" | "list", items: VmValues): JsonInput {
  return { "@type": `tvm.${type}`, elements: items.map(formatTyped) };
}

/** Values within tuples. */
function formatTyped(value: VmValue): JsonInput {
  switch (value.kind) {
    case "int":
      return typed("Number", { "@type": "tvm.numberDecimal", number: value.value.toString() });
    case "cell":
    case "slice":
      return typed(value.kind === "cell" ? "Cell" : "Slice", { "@type": `tvm.${value.kind}`, bytes: bagOf(value) });
    case "tuple":
      return typed("Tuple", elements("tuple", value.items));
    case "null":
      return typed("List", elements("list", []));
    default:
      throw unsupported(value, "no server takes it");
  }
}

function typed(type: string, value: JsonInput): JsonInput {
  return { "@type": `tvm.stackEntry${type}`, [type.toLowerCase()]: value };
}

function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function bagOf(value: Extract<VmValue, { readonly kind: "cell" | "slice" }>): string {
  return toBase64(writeBoc(value.kind === "cell" ? value.cell : sliceCell(value.slice)));
}

/** The results of a get-method, in any of the forms in which servers answer. */
export function readAnswered(stack: unknown): VmValue[] {
  if (!Array.isArray(stack)) throw unreadable("no list");
  return stack.map(readEntry);
}

function unreadable(what: string): ApiError {
  return new ApiError("api/unreachable", `an answer with a stack that cannot be read: ${what}`, { data: {} });
}

/** A pair, an entry with `type` and `value`, or a typed entry, in which the value stands below the name of its type. */
function readEntry(entry: unknown): VmValue {
  const [type, value] = Array.isArray(entry) ? entry : partsOf(Object(entry));
  switch (type) {
    case "num":
    case "number":
      return readNumber(Object(value).number ?? value);
    case "cell":
      return { kind: "cell", cell: readCell(jsonOf(value), "cell") };
    case "slice":
      return { kind: "slice", slice: wholeSlice(readCell(jsonOf(value), "slice")) };
    case "tuple":
      return { kind: "tuple", items: elementsOf(value).map(readEntry) };
    case "list":
      return elementsOf(value)
        .map(readEntry)
        .reduceRight((rest, item): VmValue => ({ kind: "tuple", items: [item, rest] }), none);
    case "null":
      return none;
    default:
      throw unreadable(`an entry ${String(type).slice(0, 100)}`);
  }
}

const none: VmValue = { kind: "null" };

function partsOf(entry: Readonly<Record<string, unknown>>): readonly [unknown, unknown] {
  const type = entry["@type"];
  if (typeof type !== "string") return [entry.type, entry.value];
  const name = type.replace("tvm.stackEntry", "").toLowerCase();
  return [name, entry[name]];
}

function readNumber(number: JsonValue): VmValue {
  return number === "NaN" ? { kind: "nan" } : { kind: "int", value: readInteger(number, "number") };
}

/** The bag of a cell. */
function jsonOf(value: unknown): JsonValue {
  return Object(value).bytes ?? value;
}

function elementsOf(value: unknown): readonly unknown[] {
  const items = Array.isArray(value) ? value : Object(value).elements;
  if (!Array.isArray(items)) throw unreadable("a tuple without elements");
  return items;
}
