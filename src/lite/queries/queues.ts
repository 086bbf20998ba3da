import { loadCell } from "../../cell/codec.ts";
import { type BlockIdExt, formatBlockId, type ShardId } from "../../model/block/BlockId.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from "../tl/liteQueries.ts";
import type { blockOutMsgQueueSize } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdFromTl, blockIdToTl } from "./ids.ts";
import { expectBlock, openBlock, openState, proofError, proofPair, proven } from "./proven.ts";

export interface QueueSize {
  readonly block: BlockIdExt;
  readonly size: number;
}

export function checkQueueSize(block: BlockIdExt, answer: TlValue<typeof blockOutMsgQueueSize>): QueueSize {
  return proven("queue size", () => {
    expectBlock(answer.id, block);
    if (answer.proof === undefined) throw proofError("no proof of the queue size");
    const [blockProof, stateProof] = proofPair(answer.proof);
    const state = openState(stateProof, openBlock(blockProof, block));
    const { extra, queue } = loadCell(OutMsgQueueInfo, state.outMsgQueueInfo);
    // States of older networks do not contain the size: then the proof must contain the whole queue.
    const size = extra?.outQueueSize ?? queue.count();
    if (BigInt(size) !== answer.size)
      throw proofError(`${answer.size} messages in the queue of ${formatBlockId(block)}, which has ${size}`);
    return { block, size };
  });
}

/** How many messages wait in the out-queue after a block. */
export async function fetchQueueSize(
  server: LiteServer,
  block: BlockIdExt,
  options: TypedAskOptions,
): Promise<QueueSize> {
  const args = { mode: 0, id: blockIdToTl(block), wantProof: true as const };
  return askProven(server, getBlockOutMsgQueueSize, args, (answer) => checkQueueSize(block, answer), options);
}

/** Sizes of all queues at the server's newest blocks, and its limit, without a proof. */
export async function fetchQueueSizes(
  server: LiteServer,
  shard: { readonly workchain: number; readonly shard: ShardId } | undefined,
  options: TypedAskOptions,
): Promise<{ readonly shards: readonly QueueSize[]; readonly limit: number }> {
  const args =
    shard === undefined ? { mode: 0 } : { mode: 1, wc: shard.workchain, shard: BigInt.asIntN(64, shard.shard) };
  return askProven(
    server,
    getOutMsgQueueSizes,
    args,
    (answer) => ({
      shards: answer.shards.map(({ id, size }) => ({ block: blockIdFromTl(id), size })),
      limit: answer.extMsgQueueSizeLimit,
    }),
    options,
  );
}
