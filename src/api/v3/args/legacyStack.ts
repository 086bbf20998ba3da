import { Type } from "typebox";
import { ChainError } from "../../../chain/errors.ts";
import type { OptionalArg } from "../../../lib/kit/arg.ts";
import { sliceCell } from "../../../model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import type { WireArg } from "../../declare/endpoint.ts";
import { boc } from "../../v2/shapes/ids.ts";
import { legacyStackArg } from "../../v2/stackArgs.ts";
import { refusal } from "../refusals.ts";
import type { StackEntry } from "../shapes/legacy.ts";

/** A stack value as given. */
export interface StackEntryArg {
  readonly type: string;
  readonly value: unknown;
}

/** Values of a stack, deepest first; they are decoded when the method is run. */
export const stackArg: OptionalArg<readonly StackEntryArg[]> &
  WireArg<readonly StackEntryArg[], readonly { readonly type: string; readonly value: string }[]> = {
  schema: Type.Array(
    Type.Object({ type: Type.String({ examples: ["num", "cell", "slice"] }), value: Type.Unknown() }),
    { description: "Entries of type `num`, `cell` or `slice`." },
  ),
  required: false,
  allowed: "a list of stack entries, the deepest first",
  decode: (value, name) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw refusal("badValue", { name });
    return value.map((entry: unknown, index) => {
      const { type, value: held } = Object(entry);
      if (typeof type !== "string") throw refusal("badItem", { name, index });
      return { type, value: held };
    });
  },
};

const tags = new Map([
  ["num", "num"],
  ["cell", "tvm.Cell"],
  ["slice", "tvm.Slice"],
]);

/** Entries as v2 takes them. */
export function readStack(given: readonly StackEntryArg[]): VmStack {
  const pairs = given.map(({ type, value }) => {
    const tag = tags.get(type);
    if (tag === undefined) throw refusal("badStackType", { type: type.slice(0, 80) });
    return [tag, value];
  });
  return legacyStackArg.decode(pairs, "stack");
}

/** The nesting limit of an answer. */
const maxDepth = 100;

/** Values of a stack as entries. */
export function showStack(stack: VmStack): readonly StackEntry[] {
  return stack.map((value) => showEntry(value, 1));
}

function showEntry(value: VmStackValue, depth: number): StackEntry {
  if (depth >= maxDepth)
    throw new ChainError("chain/stack-depth", `Result stack depth >= ${maxDepth}`, { data: { limit: maxDepth } });
  const showAll = (items: readonly VmStackValue[]) => items.map((item) => showEntry(item, depth + 1));
  const items = findItems(value);
  if (items !== undefined) return { type: "list", value: showAll(items) };
  switch (value.kind) {
    case "int":
      return { type: "num", value: value.value < 0n ? `-0x${(-value.value).toString(16)}` : hexOf(value.value) };
    case "nan":
      return { type: "num", value: "NaN" };
    case "cell":
      return { type: "cell", value: boc.encode(value.cell) };
    case "slice":
      return { type: "slice", value: boc.encode(sliceCell(value.slice)) };
    case "tuple":
      return { type: "tuple", value: showAll(value.items) };
    default:
      throw refusal("badV2Stack", { why: `a ${value.kind} has no form of its own` });
  }
}

const hexOf = (value: bigint) => `0x${value.toString(16)}`;

/** The items of a chain of pairs that ends with null; `undefined` for anything else. */
function findItems(value: VmStackValue): readonly VmStackValue[] | undefined {
  const items: VmStackValue[] = [];
  for (let at = value; ; ) {
    if (at.kind === "null") return items;
    const [first, rest] = at.kind === "tuple" && at.items.length === 2 ? at.items : [];
    if (first === undefined || rest === undefined) return undefined;
    items.push(first);
    at = rest;
  }
}
