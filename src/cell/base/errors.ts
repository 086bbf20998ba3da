import { errorClass, errorCodes, type RoomCode, withData } from "../../lib/errors.ts";

/** The error codes of bits, cells, bags, dictionaries and proofs. */
export const cellErrorCodes = errorCodes({
  "cell/underflow": "caller",
  "cell/overflow": "caller",
  "cell/range": "caller",
  "cell/tag": "caller",
  "cell/leftover": "caller",
  "cell/depth": "caller",
  "cell/level": "caller",
  "cell/exotic": "caller",
  "cell/pruned": withData<{ hash: string }>("caller"),
  "cell/boc-magic": "caller",
  "cell/boc-header": "caller",
  "cell/boc-size": "caller",
  "cell/boc-cut": "caller",
  "cell/boc-trailing": "caller",
  "cell/boc-crc": "caller",
  "cell/boc-index": "caller",
  "cell/boc-order": "caller",
  "cell/boc-roots": "caller",
  "cell/boc-cell": "caller",
  "cell/boc-hash": "caller",
  "cell/dictionary": "caller",
  "cell/dictionary-key": "caller",
  "cell/dictionary-size": "caller",
  "cell/proof": withData<{ part?: number }>("caller"),
  "cell/update": withData<{ hash?: string }>("caller"),
});

declare module "../../lib/errors.ts" {
  interface ErrorRooms {
    readonly cell: typeof cellErrorCodes;
  }
}

export class CellError<Code extends RoomCode<"cell"> = RoomCode<"cell">> extends errorClass(cellErrorCodes)<Code> {}
