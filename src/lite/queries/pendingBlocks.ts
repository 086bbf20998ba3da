import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { ask, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getNonfinalPendingShardBlocks } from "../tl/liteQueries.ts";
import { blockIdFromTl } from "./ids.ts";

/**
 * Shard blocks that their validators have signed and no masterchain block commits yet, the newest of each shard. It is
 * the word of the server: the answer has no signatures.
 */
export async function fetchPendingShardBlocks(
  server: LiteServer,
  options: TypedAskOptions,
): Promise<readonly BlockIdExt[]> {
  const { signedBlocks } = await ask(server, getNonfinalPendingShardBlocks, { mode: 0 }, options);
  return signedBlocks.map(blockIdFromTl);
}
