import { Type } from "typebox";
import { readRoot } from "../../cell/boc.ts";
import { loadCell } from "../../cell/codec.ts";
import { fromBase64Url } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { asText } from "../../lib/json.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import { VmStack } from "../../model/vm/VmStack.ts";
import { refuse } from "../v2/args.ts";
import { maxEntries, tooManyEntries } from "../v2/shapes/StackWriter.ts";

/** Arguments of a get-method: a bag whose root is a stack, bottom first; empty means no arguments. */
export const stackArg: Arg<VmStack> = {
  schema: Type.String({ description: "Bag of cells with a `VmStack`, as base64 of either alphabet.", default: "" }),
  required: false,
  allowed: "a bag of cells with a stack, as base64",
  decode: (value, name) => {
    if (value === undefined || value === null || value === "") return [];
    const stack = readStack(asText(value), name);
    if (stack.length > maxEntries) throw refuse(tooManyEntries);
    return stack;
  },
};

/** Clients omit the padding in either alphabet. */
function readStack(text: string, name: string): VmStack {
  try {
    const bag = fromBase64Url(text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
    return loadCell(VmStack, readRoot(bag));
  } catch (cause) {
    throw isCoded(cause) ? refuse(`failed to parse ${name}: ${cause.message}`) : cause;
  }
}
