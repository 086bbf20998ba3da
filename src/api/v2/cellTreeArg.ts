import { Type } from "typebox";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { fromBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { WireArg } from "../declare/endpoint.ts";
import { refuse } from "./args.ts";

/** A cell as a tree of objects. */
export interface CellTree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs?: readonly CellTree[];
}

const deepest = 512;

/** A cell as a tree: its bits in base64 with their number, and its child trees. */
export const cellTreeArg: WireArg<Cell, CellTree> = {
  schema: objectSchema({
    data: [
      "Bits of the cell.",
      objectSchema({
        b64: ["Bits in base64, filled up to whole bytes.", Type.String()],
        len: ["Number of bits.", Type.Integer({ minimum: 0, maximum: 1023 })],
      }),
    ],
    refs: ["Cells that the cell refers to, as trees.", Type.Optional(Type.Array(Type.Unknown(), { maxItems: 4 }))],
  }),
  required: true,
  allowed: "a cell as a tree `{data: {b64, len}, refs}`",
  decode: (value, name) => {
    try {
      return treeCell(value, name, 0);
    } catch (cause) {
      throw isCoded(cause) && cause.code !== "api/argument" ? refuse(`failed to parse ${name}`) : cause;
    }
  },
};

function treeCell(value: unknown, name: string, depth: number): Cell {
  const { data, refs = [] } = Object(value);
  const { b64, len } = Object(data);
  const isTree = typeof b64 === "string" && Number.isInteger(len) && Array.isArray(refs) && depth < deepest;
  if (!isTree) throw refuse(`failed to parse ${name}`);
  const builder = beginCell().storeBits(fromBase64(b64), len);
  for (const each of refs) builder.storeRef(treeCell(each, name, depth + 1));
  return builder.cell();
}
