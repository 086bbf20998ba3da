import { loadCell } from "../../cell/codec.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { BlockInfo } from "../../model/block/BlockInfo.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getBlockHeader } from "../tl/liteQueries.ts";
import type { blockHeader } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdToTl } from "./ids.ts";
import { expectBlock, openBlock, proofRoot, proven } from "./proven.ts";

/** A block's header and global id. */
export interface HeaderAt {
  readonly id: BlockIdExt;
  readonly globalId: number;
  readonly info: BlockInfo;
}

export function checkBlockHeader(id: BlockIdExt, answer: TlValue<typeof blockHeader>): HeaderAt {
  return proven("block header", () => {
    expectBlock(answer.id, id);
    const { block } = openBlock(proofRoot(answer.headerProof), id);
    return { id, globalId: block.globalId, info: loadCell(BlockInfo, block.info) };
  });
}

export async function fetchBlockHeader(
  server: LiteServer,
  id: BlockIdExt,
  options: TypedAskOptions,
): Promise<HeaderAt> {
  const args = { id: blockIdToTl(id), mode: 0 };
  return askProven(server, getBlockHeader, args, (answer) => checkBlockHeader(id, answer), options);
}
