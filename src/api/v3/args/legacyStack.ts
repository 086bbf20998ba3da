import { Type } from "typebox";
import { crcForm } from "../../../cell/boc.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { OptionalArg } from "../../../lib/kit/arg.ts";
import { deferJson } from "../../../lib/kit/deferredJson.ts";
import { field, objectSchema } from "../../../lib/kit/shape.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import type { WireArg } from "../../declare/endpoint.ts";
import { answerError } from "../../v2/errors.ts";
import type { StackWriter } from "../../v2/shapes/StackWriter.ts";
import { hexOf } from "../../v2/shapes/stack.ts";
import { writeStack } from "../../v2/shapes/writeStack.ts";
import { legacyStackArg } from "../../v2/stackArgs.ts";
import { refusal } from "./refusals.ts";

/** A stack value as given. */
export interface StackEntryArg {
  readonly type: string;
  readonly value: unknown;
}

/** Values of a stack, deepest first; they are decoded when the method is run. */
export const stackArg: OptionalArg<readonly StackEntryArg[]> &
  WireArg<readonly StackEntryArg[], readonly { readonly type: string; readonly value: string }[]> = {
  schema: Type.Array(
    objectSchema({
      type: ["Type of the entry.", Type.String({ examples: ["num", "cell", "slice"] })],
      value: ["Number as text, or bag of cells in base64.", Type.Unknown()],
    }),
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
export function readStack(stackEntryArgs: readonly StackEntryArg[]): VmStack {
  const pairs = stackEntryArgs.map(({ type, value }) => {
    const tag = tags.get(type);
    if (tag === undefined) throw refusal("badStackType", { type: type.slice(0, 80) });
    return [tag, value];
  });
  return legacyStackArg.decode(pairs, "stack");
}

/** An entry of a stack as it is answered. */
export interface StackEntry {
  readonly type: string;
  readonly value: string | readonly StackEntry[];
}

/** The nesting limit of an answer. */
const maxDepth = 100;

/** Values of a stack as entries; what v2 refuses of them is refused in its words. */
export const stackEntries = field({
  schema: Type.Array({
    ...objectSchema({
      type: ["Type of the entry.", Type.String({ examples: ["num", "cell", "slice", "tuple", "list"] })],
      value: [
        "Number as text, bag of cells in base64, or the entries of a tuple or list.",
        Type.Union([Type.String(), Type.Array(Type.Unknown(), { description: "Entries of the same kind." })]),
      ],
    }),
    $id: "V2StackEntity",
  }),
  encode: (stack: VmStack) =>
    deferJson<readonly StackEntry[]>(function* (sink) {
      try {
        yield* writeStack(sink, { maxDepth, form: crcForm }, (out) =>
          out.addAll(stack, (value) => writeEntry(value, 1, out)),
        );
      } catch (error) {
        if (!isCoded(error) || error.code === "api/refusal" || error.code === "api/answer-size") throw error;
        throw refusal("v2Answer", { status: 500, text: answerError(error).text });
      }
    }),
});

function* writeEntry(value: VmStackValue, depth: number, out: StackWriter): Steps<void> {
  out.enter(depth);
  const writeAll = function* (type: string, items: readonly VmStackValue[]): Steps<void> {
    out.add(`{"type":"${type}","value":`);
    yield* out.addAll(items, (item) => writeEntry(item, depth + 1, out));
    out.add("}");
  };
  const items = out.findList(value);
  if (items !== undefined) return yield* writeAll("list", items);
  switch (value.kind) {
    case "int":
      return out.add(`{"type":"num","value":"${hexOf(value.value)}"}`);
    case "nan":
      return out.add('{"type":"num","value":"NaN"}');
    case "cell":
      out.add('{"type":"cell","value":');
      yield* out.addBag(value.cell);
      return out.add("}");
    case "slice":
      out.add('{"type":"slice","value":');
      yield* out.addSlice(value.slice);
      return out.add("}");
    case "tuple":
      return yield* writeAll("tuple", value.items);
    default:
      throw refusal("badV2Stack", { why: `a ${value.kind} has no form of its own` });
  }
}
