import type { WholeBlock } from "../../../lite/queries/blocks.ts";
import type { Block } from "../../../model/block/Block.ts";
import { type BlockIdExt, formatBlockId, shardsIntersect } from "../../../model/block/BlockId.ts";
import { prevBlockIds } from "../../../model/block/BlockInfo.ts";
import { listShardTops, shardTopId } from "../../../model/block/ShardHashes.ts";
import { HistoryError } from "../../errors.ts";

/** The top block of every shard that a masterchain block commits. */
export function shardTops(master: Block): BlockIdExt[] {
  const custom = master.extra.load().custom;
  if (custom === undefined) throw new HistoryError("history/mismatch", "a masterchain block without McBlockExtra");
  return listShardTops(custom.load().shardHashes).map(shardTopId);
}

/** The zero states before the first masterchain block and its shard blocks, each once. */
export function listZeroStates(ids: readonly BlockIdExt[]): BlockIdExt[] {
  const zero = ids.filter(({ seqno }) => seqno === 0);
  return [...new Map(zero.map((id) => [id.rootHash, id])).values()];
}

/**
 * The shard blocks from the given tops back to the tops of the previous masterchain block, across splits and merges,
 * each once and after its predecessors. Every id comes from a proved block, so the blocks are proved too.
 */
export async function fetchShardBlocks(
  tops: readonly BlockIdExt[],
  before: readonly BlockIdExt[],
  fetch: (id: BlockIdExt) => Promise<WholeBlock>,
): Promise<WholeBlock[]> {
  const known = new Set(before.map(({ rootHash }) => rootHash));
  const wholeBlocks: WholeBlock[] = [];
  const visit = async (id: BlockIdExt): Promise<void> => {
    // A zero state is not a block.
    if (id.seqno === 0 || known.has(id.rootHash)) return;
    known.add(id.rootHash);
    const passed = before.find((top) => isPassed(top, id));
    if (passed !== undefined)
      throw new HistoryError("history/mismatch", `${formatBlockId(id)} is older than ${formatBlockId(passed)}`);
    const block = await fetch(id);
    wholeBlocks.push(block);
    await Promise.all(prevBlockIds(block.info).map(visit));
  };
  await Promise.all(tops.map(visit));
  return wholeBlocks.sort((a, b) => a.id.seqno - b.id.seqno || a.id.workchain - b.id.workchain || byShard(a.id, b.id));
}

/** A walk that misses its end would continue to the beginning of the chain. */
function isPassed(top: BlockIdExt, id: BlockIdExt): boolean {
  return top.workchain === id.workchain && id.seqno <= top.seqno && shardsIntersect(top.shard, id.shard);
}

function byShard(a: BlockIdExt, b: BlockIdExt): number {
  return a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0;
}
