import { fetchBlockHeader } from "../../lite/queries/blockHeader.ts";
import { fetchAllShards } from "../../lite/queries/shards.ts";
import { type BlockIdExt, masterBlockId } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import { shardTopId } from "../../model/block/ShardHashes.ts";
import type { Chain } from "../Chain.ts";
import { type BlockEntry, listBlockEntries } from "../transactions.ts";

/** A block with the ids of its transactions. */
export interface BlockContent {
  readonly block: BlockIdExt;
  readonly transactions: readonly BlockEntry[];
}

/**
 * The largest number of blocks that one masterchain block may commit to newly; the walk back to the former tops ends
 * there.
 */
const maxBlocks = 4_096;

/** The masterchain block of the chain, then the shard blocks that it commits to newly, across splits and merges. */
export async function listContents(chain: Chain): Promise<readonly BlockContent[]> {
  const blocks = [chain.head.block, ...(await listNewShardBlocks(chain))];
  return Promise.all(
    blocks.map(async (block) => {
      const named = { ...block, hashes: { rootHash: block.rootHash, fileHash: block.fileHash } };
      const all = { block: named, after: undefined, count: Number.MAX_SAFE_INTEGER };
      return { block, transactions: (await listBlockEntries(chain, all)).items };
    }),
  );
}

async function listNewShardBlocks(chain: Chain): Promise<readonly BlockIdExt[]> {
  const { server, head, asking } = chain;
  const [previous] = (await fetchBlockHeader(server, head.block, asking)).info.prev;
  const isFirst = previous === undefined || previous.seqno === 0;
  const before = isFirst ? [] : await listTops(chain, masterBlockId(previous));
  const known = new Set(before.map(({ rootHash }) => rootHash));
  const blockIdExts: BlockIdExt[] = [];
  const visit = async (id: BlockIdExt): Promise<void> => {
    // A zero state is not a block.
    if (id.seqno === 0 || known.has(id.rootHash) || blockIdExts.length >= maxBlocks) return;
    known.add(id.rootHash);
    blockIdExts.push(id);
    const { info } = await fetchBlockHeader(server, id, asking);
    await Promise.all(prevBlockIds(info).map(visit));
  };
  await Promise.all((await listTops(chain, head.block)).map(visit));
  return blockIdExts.sort((a, b) => a.workchain - b.workchain || a.seqno - b.seqno || (a.shard < b.shard ? -1 : 1));
}

async function listTops({ server, asking }: Chain, block: BlockIdExt): Promise<readonly BlockIdExt[]> {
  return (await fetchAllShards(server, block, asking)).map(shardTopId);
}
