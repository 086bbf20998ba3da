import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import { field, int, shape } from "../../../lib/kit/shape.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { encodeBag } from "../../declare/encodeBag.ts";
import { int64 } from "../../v2/shapes/ids.ts";
import { hash64 } from "../../v2/shapes/scalars.ts";

export const blockFields = {
  workchain: int("Workchain: -1 is the masterchain, 0 the basechain.", (id: BlockIdExt) => id.workchain),
  seqno: int("Sequence number of the block.", (id: BlockIdExt) => id.seqno),
  shard: int64(
    "Shard of the block: its prefix followed by a final one bit, as a signed decimal number.",
    (id: BlockIdExt) => id.shard,
  ),
  rootHash: hash64("Hash of the block's root cell, in base64.", (id: BlockIdExt) => id.rootHash),
  fileHash: hash64("Hash of the block's file, in base64.", (id: BlockIdExt) => id.fileHash),
};

/** A block by position and content. */
export const blockId = shape<BlockIdExt>()(blockFields);

/** A bag of cells with as many roots as there are cells. */
export const bags = field({
  schema: Type.String({ contentEncoding: "base64" }),
  encode: (cells: readonly Cell[]) => encodeBag(cells),
});
