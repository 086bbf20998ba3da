import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from "../../lite/tl/liteQueries.ts";
import { type BlockIdExt, masterchain, shardsIntersect, wholeShard } from "../../model/block/BlockId.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { shardTopId } from "../../model/block/ShardHashes.ts";
import type { Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import { readState } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { headTops, isFullId, loadBlock } from "./kit/blockAccess.ts";
import { openMasterState } from "./kit/masterState.ts";
import { badQuery } from "./kit/refusal.ts";

/** From this queue size on a node accepts no external messages into blocks. */
const externalsLimit = 8000;

export function openQueueInfo(state: Cell): OutMsgQueueInfo {
  return loadCell(OutMsgQueueInfo, openMasterState(state).outMsgQueueInfo.cell);
}

/** A block for a query about its queues. */
export function queueBlock(ledger: Ledger, id: TlBlockId): LedgerBlock {
  const blockIdExt = blockIdFromTl(id);
  if (!isFullId(blockIdExt)) throw badQuery("invalid BlockIdExt");
  return loadBlock(ledger, blockIdExt);
}

/** Reads a block's state, with a proof of the read part if requested. */
export async function readQueues<T>(
  { state, proofs }: AnswerContext,
  block: LedgerBlock,
  withProof: boolean,
  work: (info: OutMsgQueueInfo) => T,
): Promise<{ readonly value: T; readonly proof?: Uint8Array }> {
  const root = await state(block);
  if (!withProof) return { value: work(openQueueInfo(root)) };
  const reading = readState(root);
  const value = work(openQueueInfo(reading.root));
  return { value, proof: writeBoc([await proofs.header(block), reading.proof()]) };
}

/** Fails for chains whose states do not store the size. */
function queueSize({ extra }: OutMsgQueueInfo): number {
  const size = extra?.outQueueSize;
  if (size === undefined) throw badQuery("no out_msg_queue_size in shard state");
  return size;
}

interface SizesArgs {
  readonly wc?: number | undefined;
  readonly shard?: bigint | undefined;
}

function answerSizes({ ledger }: AnswerContext, { wc, shard = 0n }: SizesArgs) {
  const asked = BigInt.asUintN(64, shard);
  const isAsked = (at: Pick<BlockIdExt, "workchain" | "shard">): boolean =>
    wc === undefined || (wc === at.workchain && asked !== 0n && shardsIntersect(asked, at.shard));
  const master = isAsked({ workchain: masterchain, shard: wholeShard }) ? [ledger.headId] : [];
  const blocks = [...master, ...headTops(ledger).filter(isAsked).map(shardTopId)];
  const shards = blocks.map((id) => ({ id: blockIdToTl(id), size: queueSize(openQueueInfo(ledger.state(id))) }));
  return { shards, extMsgQueueSizeLimit: externalsLimit };
}

export const queueAnswers: readonly QueryHandler[] = [
  queryHandler(getOutMsgQueueSizes, answerSizes),
  queryHandler(getBlockOutMsgQueueSize, async (context, { mode, id }) => {
    const block = queueBlock(context.ledger, id);
    const { value, proof } = await readQueues(context, block, (mode & 1) !== 0, queueSize);
    return { mode, id, size: BigInt(value), ...(proof === undefined ? {} : { proof }) };
  }),
];
