import { isCoded } from "../lib/errors.ts";
import { fetchBlockHeader, type HeaderAt } from "../lite/queries/blockHeader.ts";
import { fetchBlock, type WholeBlock } from "../lite/queries/blocks.ts";
import { type Lookup, lookUpFirst, lookUpProven } from "../lite/queries/lookup.ts";
import { fetchQueueSize, fetchQueueSizes, type QueueSize } from "../lite/queries/queues.ts";
import { fetchAllShards } from "../lite/queries/shards.ts";
import { type BlockId, type BlockIdExt, masterchain, wholeShard } from "../model/block/BlockId.ts";
import { shardTopId } from "../model/block/ShardHashes.ts";
import type { Hash } from "../model/Hash.ts";
import type { Chain } from "./Chain.ts";
import { getMasterBlock } from "./head.ts";

/** A block named by a caller: by position, and optionally by content. */
export interface NamedBlock extends BlockId {
  readonly hashes: { readonly rootHash: Hash; readonly fileHash: Hash } | undefined;
}

/** The requested block, proved to belong to the chain. */
export async function lookUp(chain: Chain, lookup: Lookup): Promise<HeaderAt> {
  const { server, head, asking } = chain;
  try {
    return await lookUpProven(server, head.block, lookup, asking);
  } catch (error) {
    if (lookup.by === "seqno" || !isFirstBlockError(error)) throw error;
  }
  // Servers prove that nothing earlier fits with the previous block, and the first block has none. So it is fetched
  // without that proof and proved by its seqno: nothing is earlier than the first.
  const { id } = await lookUpFirst(server, lookup, asking);
  const { workchain, shard, seqno } = id;
  return lookUpProven(server, head.block, { workchain, shard, by: "seqno", seqno }, asking);
}

/** Whether the server reports the block before the first. */
function isFirstBlockError(error: unknown): boolean {
  return isCoded(error, "lite/server") && error.data.serverMessage === "not in db";
}

/** The id of a named block; with hashes it is used as given, because every answer about it is proved by them. */
export async function getBlockId(chain: Chain, named: NamedBlock): Promise<BlockIdExt> {
  const { workchain, shard, seqno, hashes } = named;
  if (hashes !== undefined) return { workchain, shard, seqno, ...hashes };
  return (await lookUp(chain, { workchain, shard, by: "seqno", seqno })).id;
}

/** The header of a named block. */
export async function getHeader(chain: Chain, named: NamedBlock): Promise<HeaderAt> {
  const { workchain, shard, seqno, hashes } = named;
  if (hashes === undefined) return lookUp(chain, { workchain, shard, by: "seqno", seqno });
  return fetchBlockHeader(chain.server, { workchain, shard, seqno, ...hashes }, chain.asking);
}

/** The whole of a named block. */
export async function getWholeBlock(chain: Chain, named: NamedBlock): Promise<WholeBlock> {
  return fetchBlock(chain.server, await getBlockId(chain, named), chain.asking);
}

/** The newest block of every shard that a masterchain block commits to, by workchain and shard. */
export async function listShards(chain: Chain, seqno?: number): Promise<BlockIdExt[]> {
  const tops = await fetchAllShards(chain.server, await getMasterBlock(chain, seqno), chain.asking);
  return tops.map(shardTopId).sort((a, b) => a.workchain - b.workchain || (a.shard < b.shard ? -1 : 1));
}

/** How many messages wait in the out-queues of the newest blocks, and the limit of external messages per shard. */
export interface QueueSizes {
  readonly shards: readonly QueueSize[];
  /** Reported by the server, without proof. */
  readonly limit: number;
}

export async function getQueueSizes(chain: Chain): Promise<QueueSizes> {
  const { server, head, asking } = chain;
  const blocks = [head.block, ...(await listShards(chain))];
  const [shards, { limit }] = await Promise.all([
    Promise.all(blocks.map((block) => fetchQueueSize(server, block, asking))),
    fetchQueueSizes(server, { workchain: masterchain, shard: wholeShard }, asking),
  ]);
  return { shards, limit };
}
