import { decodeBodyText, isUnknownBody, opcodeName } from "../../contracts/decode.ts";
import type { JsonObject } from "../../lib/json.ts";
import { list, shape, text } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { argumentsProof } from "../declare/proof.ts";
import { readOpcode, textsArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { endpoint } from "./declare.ts";
import { notIndexed } from "./scope/scopeRule.ts";
import { jsonObject } from "./shapes/scalars.ts";

const maxItems = 1000;

interface Decoded {
  readonly opcodes: readonly string[];
  readonly bodies: readonly JsonObject[];
}

function decodeBody(text: string): JsonObject {
  const decoded = decodeBodyText(text);
  return isUnknownBody(decoded) ? { error: decoded } : decoded;
}

function checkLength(name: string, items: readonly string[]): void {
  if (items.length > maxItems) throw refusal("listTooLong", { name, max: maxItems });
}

export const decode = endpoint({
  name: "decode",
  proof: argumentsProof,
  tag: "utils",
  scope: notIndexed,
  summary: "Names of opcodes and contents of message bodies.",
  description: "Bodies are bags of cells, as base64 or hex. Unknown ones are `unknown`, or an object with `error`.",
  methods: ["GET", "POST"],
  args: {
    opcodes: arg("Operations to name.", textsArg, ["opcode"]),
    bodies: arg("Message bodies to decode, each a bag of cells in base64 or hex.", textsArg, ["body"]),
  },
  result: shape<Decoded>()({
    opcodes: list(text)("Names of the operations, in the order of the request.", (d) => d.opcodes),
    bodies: list(jsonObject)("Decoded bodies, in the order of the request; null for an unknown one.", (d) => d.bodies),
  }),
  cache: "forever",
  run: (_services, { opcodes, bodies }) => {
    checkLength("opcodes", opcodes);
    checkLength("bodies", bodies);
    return {
      opcodes: opcodes.map((each, index) => opcodeName(readOpcode(each, index))),
      bodies: bodies.map(decodeBody),
    };
  },
});
