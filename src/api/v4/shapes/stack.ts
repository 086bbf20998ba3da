import { Type } from "typebox";
import { plainForm } from "../../../cell/boc.ts";
import { deferJson } from "../../../lib/kit/deferredJson.ts";
import { field, objectSchema } from "../../../lib/kit/shape.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import type { StackWriter } from "../../v2/shapes/StackWriter.ts";
import { writeStack } from "../../v2/shapes/writeStack.ts";

/** How deep tuples may be nested in an answer. */
const maxDepth = 256;

function* writeItem(value: VmStackValue, depth: number, out: StackWriter): Steps<void> {
  out.enter(depth);
  switch (value.kind) {
    case "int":
      return out.add(`{"type":"int","value":"${value.value}"}`);
    case "nan":
      return out.add('{"type":"nan"}');
    case "cell":
    case "builder":
      out.add(`{"type":"${value.kind}","cell":`);
      yield* out.addBag(value.cell);
      return out.add("}");
    case "slice":
      out.add('{"type":"slice","cell":');
      yield* out.addSlice(value.slice);
      return out.add("}");
    case "tuple":
      out.add('{"type":"tuple","items":');
      yield* out.addAll(value.items, (item) => writeItem(item, depth + 1, out));
      return out.add("}");
    // A continuation has no form here; the raw stack has it.
    default:
      return out.add('{"type":"null"}');
  }
}

/** A stack, bottom first. */
export const stackItems = field({
  schema: Type.Array(objectSchema({ type: ["Type of the value; it determines the other fields.", Type.String()] })),
  encode: (stack: VmStack) =>
    deferJson<readonly object[]>((sink) =>
      writeStack(sink, { maxDepth, form: plainForm }, (out) => out.addAll(stack, (value) => writeItem(value, 0, out))),
    ),
});
