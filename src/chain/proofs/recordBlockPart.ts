import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { makeProofCell } from "../../cell/exotic.ts";
import { pruneTree } from "../../cell/merkle/merkleProof.ts";
import { rawSliceOf } from "../../cell/Slice.ts";
import { watchVisits } from "../../cell/visits.ts";
import { systemClock } from "../../lib/clock.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { type BlockPart, type PlaceInBlock, readBlockPart } from "../../lite/queries/blockPart.ts";
import { fetchChainBlock } from "../../lite/queries/blocks.ts";
import { blockIdToTl } from "../../lite/queries/ids.ts";
import type { ExchangeRecorder } from "../../lite/server/ExchangeRecorder.ts";
import { getBlock } from "../../lite/tl/liteQueries.ts";
import { blockData } from "../../lite/tl/liteRecords.ts";
import { encodeQuery } from "../../lite/tl/queryEnvelope.ts";
import { encode } from "../../lite/tl/types.ts";
import { Block } from "../../model/block/Block.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Chain } from "../Chain.ts";

/** How long pruning a block holds the event loop at a time. */
const turnMs = 3;

/**
 * The transactions at these places of a block. In a recording one pruned block with all of them is kept in the place of
 * the whole one, from which they are read here: it is what was checked.
 */
export async function recordBlockPart(
  { asking }: Pick<Chain, "asking">,
  recorder: ExchangeRecorder,
  id: BlockIdExt,
  places: readonly PlaceInBlock[],
): Promise<BlockPart> {
  const { root } = await fetchChainBlock(recorder.server, id, asking);
  const answer = { id: blockIdToTl(id), data: writeBoc(await pruneBlock(root, places)) };
  recorder.add({ query: encodeQuery(getBlock, { id: answer.id }), answer: encode(blockData.boxed, answer) });
  return readBlockPart(root, places);
}

async function pruneBlock(root: Cell, places: readonly PlaceInBlock[]): Promise<Cell> {
  const { root: watched, opened } = watchVisits(root);
  const accounts = loadCell(Block, watched).extra.load().accountBlocks.load();
  for (const { account, lt } of places) openAll(accounts.find(account)?.transactions.find(lt)?.cell);
  const kept = new Set([...opened].map((cell) => cell.hash()));
  const turns = new TurnBudget(systemClock, turnMs);
  const pruned = pruneTree(root, (cell) => kept.has(cell.hash()));
  return makeProofCell(await runInTurns(pruned, () => turns.yieldIfDue()));
}

/** A transaction is kept with everything below it. */
function openAll(cell: Cell | undefined): void {
  const cells = new Set<Cell>(cell === undefined ? [] : [cell]);
  for (const next of cells) {
    rawSliceOf(next);
    for (const child of next.refs()) cells.add(child);
  }
}
