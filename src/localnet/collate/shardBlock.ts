import type { Steps } from "../../lib/sharing/steps.ts";
import { type ExtBlkRef, type ShardId, shardPrefixLength } from "../../model/block/BlockId.ts";
import type { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { addCurrency, coinsOnly, noCurrency } from "../../model/Currency.ts";
import { getConfigParam } from "../../model/config/ConfigParams.ts";
import type { MadeBlock } from "./assemble.ts";
import type { BlockInput } from "./BlockInput.ts";
import * as frame from "./blockFrame.ts";
import { exchangeMessages, nextPoints, nextQueueInfo, takeControls, takeExternals } from "./exchangeMessages.ts";
import { mergeStates } from "./mergeStates.ts";
import { listProcessed } from "./processed.ts";
import { splitState } from "./splitState.ts";

export interface ShardBlockInput extends BlockInput {
  /** The shard of the block: that of the previous block or, after its last one, one of its halves, or that of both. */
  readonly shard: ShardId;
  /** Whether this is the last block before the shard splits. */
  readonly beforeSplit: boolean;
  /** The masterchain block that defines the visible blocks of other shards. */
  readonly master: ExtBlkRef;
  readonly prevKeyBlockSeqno: number;
}

/** Makes the next block of a shard. */
export async function makeShardBlock(input: ShardBlockInput): Promise<MadeBlock> {
  const before = await frame.inTurns(input, stateBefore(input));
  const { workchain, shard } = before.shard;
  const startLt = frame.startLtAfter(input.prev.endLt, input.sibling?.endLt ?? 0n, input.master.endLt);
  const { queue, accounts, work } = frame.beginWork(input, before, startLt, 23);
  const points = listProcessed(queue.processed);
  await takeControls(work, input);
  await exchangeMessages(work, input, { workchain, shard, points, accounts }, queue);
  const lacksRoom = await takeExternals(work, input);
  await work.drain();
  const isFull = lacksRoom || work.isFull;
  const after = nextPoints(points, work, shard, input.master.seqno, input.master.endLt, accounts.isWaiting);
  const newQueue = await frame.inTurns(input, nextQueueInfo(queue, work, after, input.config));
  return frame.inTurns(
    input,
    finish(input, { before, startLt, work, accounts, queue: newQueue, points: after, isFull }),
  );
}

/** The state from which a block begins: that of its shard, one half of it, or that of two. */
function* stateBefore({ prev, sibling, shard }: ShardBlockInput): Steps<ShardStateUnsplit> {
  const before = frame.loadBefore(prev);
  if (sibling !== undefined) return yield* mergeStates(before, frame.loadBefore(sibling));
  return before.beforeSplit ? yield* splitState(before, shard) : before;
}

function* finish(input: ShardBlockInput, done: frame.DoneWork): Steps<MadeBlock> {
  const { before, points } = done;
  const { beforeSplit, master } = input;
  const sum = yield* frame.sumUp(input, done, 23);
  const depth = BigInt(shardPrefixLength(before.shard.shard));
  const created = coinsOnly(getConfigParam(input.config, 14).basechainBlockFee >> depth);
  const made = { feesImported: noCurrency, recovered: noCurrency, created, minted: noCurrency };
  const valueFlow = frame.makeFlow(done.work.controlled, sum, made);
  return yield* frame.sealBlock(input, done, sum, {
    info: {
      ...frame.plainInfo(input, done, sum),
      notMaster: true,
      beforeSplit,
      afterSplit: input.sibling === undefined && input.prev.id.shard !== before.shard.shard,
      keyBlock: false,
      minRefMcSeqno: Math.min(master.seqno, ...points.map((point) => point.masterSeqno)),
      prevKeyBlockSeqno: input.prevKeyBlockSeqno,
      masterRef: master,
    },
    valueFlow,
    totals: {
      totalValidatorFees: addCurrency(sum.totals.totalValidatorFees, valueFlow.feesCollected),
      masterRef: { master },
    },
    state: { beforeSplit },
    custom: undefined,
  });
}
