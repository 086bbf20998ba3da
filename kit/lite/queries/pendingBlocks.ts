import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { ask, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { getNonfinalPendingShardBlocks } from "../../../src/lite/tl/liteQueries.ts";
import { type BlockIdExt, type ShardId, signedShard } from "../../../src/model/block/BlockId.ts";

/**
 * Shard blocks that their validators have signed and no masterchain block commits yet, the newest of each shard; of all
 * shards, or of those that intersect one. It is the word of the server: the answer has no signatures.
 */
export async function fetchPendingShardBlocks(
  server: LiteServer,
  options: TypedAskOptions,
  of?: { readonly workchain: number; readonly shard: ShardId },
): Promise<readonly BlockIdExt[]> {
  const args = of === undefined ? { mode: 0 } : { mode: 1, wc: of.workchain, shard: signedShard(of.shard) };
  const { signedBlocks } = await ask(server, getNonfinalPendingShardBlocks, args, options);
  return signedBlocks.map(blockIdFromTl);
}
