import { Type } from "typebox";
import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { field, int, shape } from "../../../lib/kit/shape.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { int64 } from "../../v2/shapes/ids.ts";
import { hash64 } from "../../v2/shapes/scalars.ts";

const blockFields = {
  workchain: int((id: BlockIdExt) => id.workchain),
  seqno: int((id: BlockIdExt) => id.seqno),
  shard: int64((id: BlockIdExt) => id.shard),
  rootHash: hash64((id: BlockIdExt) => id.rootHash),
  fileHash: hash64((id: BlockIdExt) => id.fileHash),
};

/** A block by position and content. */
export const blockId = shape<BlockIdExt>()(blockFields);

/** A bag of cells with as many roots as there are cells. */
export const bags = field({
  schema: Type.String({ contentEncoding: "base64" }),
  encode: (cells: readonly Cell[]) => writeBoc(cells, crcForm).toString("base64"),
});
