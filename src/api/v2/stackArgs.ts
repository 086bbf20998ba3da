import { Type } from "typebox";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { fromBase64, fromBase64Url } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import type { Method } from "../../model/vm/methodId.ts";
import { wholeSlice } from "../../model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../model/vm/VmStack.ts";
import type { WireArg } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import { refuse } from "./args.ts";
import { maxEntries, tooManyEntries } from "./shapes/StackWriter.ts";

/** The method of a run: an integer, text that reads as one, or a name. */
export const methodArg: Arg<Method> = {
  schema: Type.Union([Type.String(), Type.Integer()]),
  required: true,
  allowed: "the name or the number of a get-method",
  decode: (value, name) => {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint")
      throw refuse(`failed to parse ${name}`);
    const id = typeof value === "string" ? findNumber(value) : wholeOf(value);
    if (id !== undefined && id !== BigInt.asIntN(32, id)) throw refuse(`failed to parse ${name}`, value);
    return id === undefined ? String(value) : Number(id);
  },
};

function wholeOf(value: number | bigint): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw refuse("failed to parse method", value);
  return BigInt(value);
}

/** The largest number of digits: many more than the machine's, but fast to parse. */
const maxDigits = 80;
const numberText = new RegExp(`^(-?)(?:0x([0-9a-f]{1,${maxDigits}})|([0-9]{1,${maxDigits}}))$`, "i");

/** A decimal or hexadecimal number; an empty text is zero. */
function findNumber(text: string): bigint | undefined {
  if (text === "") return 0n;
  const match = numberText.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, decimal] = match;
  const value = BigInt(hex === undefined ? (decimal ?? "0") : `0x${hex}`);
  return sign === "-" ? -value : value;
}

/** Entries of a stack in either form, and of all tuples and lists in them; an invalid one counts as one. */
function countEntries(entries: readonly unknown[]): number {
  const open = [...entries];
  let count = 0;
  while (open.length > 0 && count <= maxEntries) {
    const entry = open.pop();
    count++;
    const { tuple, list } = Object(Array.isArray(entry) ? { tuple: entry[1] } : entry);
    const { elements } = Object(tuple ?? list);
    if (Array.isArray(elements)) {
      for (const each of elements) open.push(each);
    }
  }
  return count + open.length;
}

function stackArg(
  description: string,
  decodeEntry: (entry: unknown) => VmStackValue,
): WireArg<VmStack, readonly unknown[]> {
  return {
    schema: Type.Array(Type.Unknown(), { description }),
    required: true,
    allowed: "a list of stack entries, the deepest first",
    decode: (value) => {
      if (!Array.isArray(value)) throw refuse("Stack should be array");
      if (countEntries(value) > maxEntries) throw new ApiError("api/stack-value", tooManyEntries);
      return value.map(decodeEntry);
    },
  };
}

/** Stack entries as pairs of a type and a value. */
export const legacyStackArg = stackArg("Pairs `[type, value]`.", decodePair);

/** Stack entries as objects with `@type`. */
export const typedStackArg = stackArg("Entries `tvm.stackEntry…`.", decodeTyped);

const numberTags: ReadonlySet<unknown> = new Set(["num", "number", "int", "integer"]);

function decodePair(entry: unknown): VmStackValue {
  const items: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
  const [tag, value] = items;
  if (items.length !== 2) throw refuse(`Expected 2 elements in stack entry, got: ${items.length}`);
  if (typeof tag !== "string") throw refuse("Expected string as first element in stack entry");
  if (value === null) throw refuse(`Empty ${tag.slice(0, 80)}`);
  if (numberTags.has(tag)) return { kind: "int", value: pairNumber(value) };
  switch (tag) {
    case "tvm.Cell":
      return { kind: "cell", cell: textCell(value, tag) };
    case "tvm.Slice":
      return { kind: "slice", slice: wholeSlice(textCell(value, tag)) };
    case "cell":
      return { kind: "cell", cell: objectCell(value, tag) };
    case "slice":
      return { kind: "slice", slice: wholeSlice(objectCell(value, tag)) };
    case "tuple":
    case "tvm.Tuple":
      return { kind: "tuple", items: elementsOf(value, "tvm.tuple", badTuple) };
    case "list":
    case "tvm.List":
      return listValue(elementsOf(value, "tvm.list", badList));
    default:
      throw unsupported(tag);
  }
}

function unsupported(type: string): ApiError {
  return new ApiError("api/stack-entry", `Unsupported stack entry type: ${type.slice(0, 80)}`);
}

function pairNumber(value: unknown): bigint {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value)))
    return boundedNumber(BigInt(value));
  if (typeof value !== "string") throw refuse("Wrong type of number in stack entry", value);
  const found = findNumber(value);
  if (found === undefined) throw refuse(`Invalid number: ${value.slice(0, 200)}`);
  return found;
}

const beyondDigits = 10n ** BigInt(maxDigits);

function boundedNumber(value: bigint): bigint {
  if (value <= -beyondDigits || value >= beyondDigits) throw refuse(`Invalid number: ${String(value).slice(0, 200)}`);
  return value;
}

function textCell(value: unknown, tag: string): Cell {
  if (value === "" || value === undefined) throw refuse(`Empty ${tag}`);
  if (typeof value !== "string") throw refuse(`Invalid ${tag}, base64 string expected`);
  return bagCell(value, base64Reason(value));
}

/** What the reference says of text that is not base64. */
function base64Reason(text: string): string {
  return text.length % 4 === 0 ? "Wrong character in the string" : "Wrong padding length";
}

function objectCell(value: unknown, tag: "cell" | "slice"): Cell {
  const badText = `Invalid ${tag}, object with field bytes expected`;
  const { bytes, object } = Object(value);
  const isCell = typeof bytes === "string" && hasOnly(value, `tvm.${tag}`, ["bytes", "object"]);
  if (!isCell || (object !== undefined && !isWholeTree(object))) throw refuse(badText);
  if (bytes === "") throw refuse(`Empty ${tag}`);
  return bagCell(bytes, badText);
}

const treeFields: ReadonlySet<string> = new Set(["data", "refs", "special"]);
const bitFields: ReadonlySet<string> = new Set(["b64", "len"]);

/** Whether the shown form of a cell, which is not read, has all its fields in it and in all cells below. */
function isWholeTree(tree: unknown): boolean {
  const open = [tree];
  while (open.length > 0) {
    const each = open.pop();
    const { data, refs, special } = Object(each);
    const { b64, len } = Object(data);
    const isWhole =
      typeof b64 === "string" && Number.isInteger(len) && Array.isArray(refs) && typeof special === "boolean";
    if (!isWhole || !isWithin(each, treeFields) || !isWithin(data, bitFields)) return false;
    for (const ref of refs) open.push(ref);
  }
  return true;
}

function isWithin(value: unknown, names: ReadonlySet<string>): boolean {
  return Object.keys(Object(value)).every((name) => names.has(name));
}

/** An empty bag in a typed entry is an unreadable one, not a missing one. */
function typedCell(value: unknown, tag: "cell" | "slice"): Cell {
  const badText = `Invalid ${tag}, object with field bytes expected`;
  const { bytes } = Object(value);
  if (typeof bytes !== "string" || !hasOnly(value, `tvm.${tag}`, ["bytes"])) throw refuse(badText);
  return bagCell(bytes, badText);
}

/**
 * Whether an object has this `@type`, or none, and besides it at most these fields: the reference refuses unknown ones.
 */
function hasOnly(value: unknown, type: string, names: readonly string[]): boolean {
  const { "@type": own = type } = Object(value);
  return own === type && Object.keys(Object(value)).every((name) => name === "@type" || names.includes(name));
}

/** Text that is not base64 is rejected; base64 that is not a bag of cells gets the established error of the API. */
function bagCell(text: string, badText: string): Cell {
  try {
    return readRoot(/[-_]/.test(text) ? fromBase64Url(text) : fromBase64(text));
  } catch (cause) {
    if (isCoded(cause, "lib/base64")) throw refuse(badText);
    throw isCoded(cause)
      ? new ApiError("api/stack-value", `cannot deserialize bag-of-cells: ${cause.message}`, { cause })
      : cause;
  }
}

const badTuple = "Invalid tvm.Tuple, valid tvm_stackEntryTuple expected";
const badList = "Invalid tvm.List, valid tvm_stackEntryList expected";

function elementsOf(value: unknown, type: string, badText: string): VmStackValue[] {
  const { elements } = Object(value);
  if (!Array.isArray(elements) || !hasOnly(value, type, ["elements"])) throw refuse(badText);
  return elements.map(decodeTyped);
}

/** Lists are pairs of a first element and the rest, ended by null. */
function listValue(items: readonly VmStackValue[]): VmStackValue {
  return items.reduceRight<VmStackValue>((rest, item) => ({ kind: "tuple", items: [item, rest] }), { kind: "null" });
}

/** The one field of every typed entry besides its type. */
const typedFields: ReadonlyMap<string, string> = new Map([
  ["tvm.stackEntryNumber", "number"],
  ["tvm.stackEntryCell", "cell"],
  ["tvm.stackEntrySlice", "slice"],
  ["tvm.stackEntryTuple", "tuple"],
  ["tvm.stackEntryList", "list"],
]);

function refuseUnknown(entry: object, known: string): void {
  const unknown = Object.keys(entry).find((name) => name !== "@type" && name !== known);
  if (unknown !== undefined) throw refuse(`Unknown property '${unknown.slice(0, 80)}'`);
}

function decodeTyped(entry: unknown): VmStackValue {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    throw refuse("Invalid stack entry, object expected");
  const { "@type": type, number, cell, slice, tuple, list } = Object(entry);
  if (typeof type !== "string") throw refuse("Invalid stack entry, field @type expected");
  const known = typedFields.get(type);
  if (known !== undefined) refuseUnknown(entry, known);
  switch (type) {
    case "tvm.stackEntryNumber":
      return {
        kind: "int",
        value: typedNumber(hasOnly(number, "tvm.numberDecimal", ["number"]) ? Object(number).number : undefined),
      };
    case "tvm.stackEntryCell":
      return { kind: "cell", cell: typedCell(cell, "cell") };
    case "tvm.stackEntrySlice":
      return { kind: "slice", slice: wholeSlice(typedCell(slice, "slice")) };
    case "tvm.stackEntryTuple":
      return { kind: "tuple", items: elementsOf(tuple, "tvm.tuple", badTuple) };
    case "tvm.stackEntryList":
      return listValue(elementsOf(list, "tvm.list", badList));
    default:
      throw unsupported(type);
  }
}

function typedNumber(value: unknown): bigint {
  if (typeof value === "string" && findNumber(value) === undefined)
    throw new ApiError("api/stack-value", "Failed to parse dec string to int256");
  return pairNumber(value);
}
