import { beginCell } from "../../cell/Builder.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { OutMsgQueueExtra, type OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { type ConfigParams, findConfigParam } from "../../model/config/ConfigParams.ts";
import { capability, hasCapability } from "../../model/config/GlobalVersion.ts";
import type { BlockInput } from "./BlockInput.ts";
import { ends } from "./envelope.ts";
import type { MessageWork } from "./MessageWork.ts";
import { isProcessed, type Neighbor, processedBy, type QueuedMessage } from "./neighbor.ts";
import { addProcessed, lastHash, type ProcessedPoint, storeProcessed } from "./processed.ts";
import { messagesInOrder } from "./queueOrder.ts";
import type { WorkAccounts } from "./WorkAccounts.ts";

/** A shard and how far it has processed messages. */
interface OwnShard {
  readonly workchain: number;
  readonly shard: bigint;
  readonly points: readonly ProcessedPoint[];
  readonly accounts: WorkAccounts;
}

/** Processes queues: removes delivered messages from ours, then receives in order of logical time. */
export async function exchangeMessages(
  work: MessageWork,
  input: BlockInput,
  own: OwnShard,
  queue: OutMsgQueueInfo,
): Promise<void> {
  const { endLtAt, pause, prev } = input;
  const { workchain, shard } = own;
  const ranges = [{ workchain, shard }];
  const self: Neighbor = { block: { ...prev.id, shard }, endLt: prev.endLt, queue };
  await dequeueDelivered(work, input, self);
  const sources = [...input.neighbors, self].map((of) => ({ queue: of.queue.queue, ranges, of }));
  for (const { queued, of } of messagesInOrder(sources)) {
    await pause?.();
    if (isProcessed(queued, own.points, of.block, endLtAt)) {
      work.noteProcessed(queued);
    } else if (work.isFullForQueued || mustWait(queued, own.accounts)) {
      // The remaining messages must be received before newer ones, so no message may be delivered immediately any more.
      work.enqueueOnly = true;
      break;
    } else {
      await work.takeQueued(queued, of === self);
    }
  }
}

/** Whether a message waits for its account, and with it all that come after it. */
function mustWait({ envelope }: QueuedMessage, accounts: WorkAccounts): boolean {
  if (!accounts.isPartial) return false;
  const dest = ends(envelope.load().message.load())?.dest;
  return dest !== undefined && accounts.mustFetch(dest);
}

/** Removes the messages that their receivers have processed: none of them is later than the receiver has come. */
async function dequeueDelivered(work: MessageWork, input: BlockInput, self: Neighbor): Promise<void> {
  // After a merge the receiver may have been the other half.
  const receivers = input.sibling === undefined ? input.neighbors : [...input.neighbors, self];
  const takers = receivers.map((neighbor) => ({ neighbor, points: processedBy(neighbor) }));
  const ranges = takers.flatMap(({ neighbor, points }) =>
    points.map(({ shard, lt }) => ({ workchain: neighbor.block.workchain, shard, lastLt: lt })),
  );
  for (const { queued } of messagesInOrder([{ queue: self.queue.queue, ranges, of: undefined }])) {
    await input.pause?.();
    const taker = takers.find(
      ({ neighbor, points }) =>
        neighbor.block.workchain === queued.nextWorkchain && isProcessed(queued, points, self.block, input.endLtAt),
    );
    if (taker !== undefined) work.dequeue(queued, taker.neighbor.endLt);
  }
}

/** Takes the controls of the network's owner; each has room. */
export async function takeControls(work: MessageWork, { controls = [], onTried, pause }: BlockInput): Promise<void> {
  for (const control of controls) {
    await pause?.();
    await work.takeControl(control);
    onTried?.(control, "accepted");
  }
}

/**
 * Processes external messages until the block is full or its time is over; at least one, if there is room. Returns
 * whether one had no room.
 */
export async function takeExternals(
  work: MessageWork,
  { externals, onTried, isLate, leavesRoom, pause }: BlockInput,
): Promise<boolean> {
  // Queues that fill every block leave the part of it that only external messages use.
  const isBlocked = work.enqueueOnly;
  for (const [i, external] of externals.entries()) {
    await pause?.();
    const isFull = isBlocked ? work.isOverfull : leavesRoom === true ? work.isFullForExternals : work.isFull;
    if (isFull || (i > 0 && isLate?.())) return isFull;
    const isTaken = await work.takeExternal(external);
    onTried?.(external, isTaken ? "accepted" : "refused");
  }
  return false;
}

/** The queue after a block, with how far messages are processed. */
export function* nextQueueInfo(
  before: OutMsgQueueInfo,
  work: MessageWork,
  points: readonly ProcessedPoint[],
  config: ConfigParams,
): Steps<OutMsgQueueInfo> {
  const empty = before.processed.keys().reduce((dict, key) => dict.delete(key), before.processed);
  const extra = before.extra ?? (hasCapability(findConfigParam(config, 8), capability.queueSize) ? noExtra : undefined);
  const size = (extra?.outQueueSize ?? 0) + work.queueChange;
  return {
    queue: yield* work.queueAfter(),
    processed: storeProcessed(empty, points),
    extra: extra === undefined ? undefined : { ...extra, outQueueSize: size },
  };
}

// out_msg_queue_extra#0 with no dispatch queue and no messages
const noExtra = loadCell(
  OutMsgQueueExtra,
  beginCell().storeUint(0, 5).storeBigUint(0n, 64).storeBit(true).storeUint(0, 48).cell(),
);

/** How far messages are processed: up to the last one, or, without messages, to the end of the visible ones. */
export function nextPoints(
  before: readonly ProcessedPoint[],
  work: MessageWork,
  shard: bigint,
  masterSeqno: number,
  seenLt: bigint,
  isWaiting: boolean,
): readonly ProcessedPoint[] {
  // A zero state has no messages; one that waits for its account is not processed, nor are those after it.
  if (work.lastProcessed === undefined && (seenLt === 0n || isWaiting)) return before;
  const last = work.lastProcessed ?? { lt: seenLt - 1n, hash: lastHash };
  return addProcessed(before, { shard, masterSeqno, lt: last.lt, hash: last.hash });
}
