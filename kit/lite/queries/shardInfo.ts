import { blockIdFromTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { expectBlock, openBlock, openState, proofError, proofPair, proven } from "../../../src/lite/queries/proven.ts";
import { findShard, noWorkchain, shardHashesOf } from "../../../src/lite/queries/shards.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { getShardInfo } from "../../../src/lite/tl/liteQueries.ts";
import type { shardInfo } from "../../../src/lite/tl/liteRecords.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { type BlockIdExt, type ShardId, sameBlock } from "../../../src/model/block/BlockId.ts";
import { type ShardTop, shardTopId } from "../../../src/model/block/ShardHashes.ts";

/** The top shard block that covers an account or a shard at a masterchain block. */
export async function findShardInfo(
  server: LiteServer,
  block: BlockIdExt,
  shardQuery: ShardQuery,
  options: TypedAskOptions,
): Promise<ShardTop | undefined> {
  const { workchain, shard, exact } = shardQuery;
  const args = { id: blockIdToTl(block), workchain, shard: BigInt.asIntN(64, shard), exact };
  return askProven(server, getShardInfo, args, (answer) => checkShardInfo(block, shardQuery, answer), options);
}

export function checkShardInfo(
  block: BlockIdExt,
  shardQuery: ShardQuery,
  answer: TlValue<typeof shardInfo>,
): ShardTop | undefined {
  return proven("shard", () => {
    expectBlock(answer.id, block);
    const [blockProof, stateProof] = proofPair(answer.shardProof);
    const top = findShard(
      shardHashesOf(openState(stateProof, openBlock(blockProof, block))),
      shardQuery.workchain,
      shardQuery.shard,
    );
    if (top === undefined || (shardQuery.exact && top.shard !== shardQuery.shard)) {
      if (answer.shardDescr.length !== 0 || answer.shardblk.workchain !== noWorkchain)
        throw proofError("a shard that the proof does not contain");
      return undefined;
    }
    if (!sameBlock(shardTopId(top), blockIdFromTl(answer.shardblk)))
      throw proofError("another shard block than the one proved");
    return top;
  });
}

export interface ShardQuery {
  readonly workchain: number;
  readonly shard: ShardId;
  /** Only this exact shard, not the one that covers it. */
  readonly exact: boolean;
}
