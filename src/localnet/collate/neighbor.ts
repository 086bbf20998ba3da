import type { Linked } from "../../cell/linked.ts";
import { type BlockIdExt, type ShardIdent, shardContains } from "../../model/block/BlockId.ts";
import type { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import type { Hash } from "../../model/Hash.ts";
import type { MessageEnvelope } from "../../model/MessageEnvelope.ts";
import { positionOf } from "./envelope.ts";
import { isCoveredBy, listProcessed, type ProcessedPoint } from "./processed.ts";

/** A shard (or the masterchain) whose queue may contain messages for us, and which may have processed ours. */
export interface Neighbor {
  readonly block: BlockIdExt;
  readonly endLt: bigint;
  readonly queue: OutMsgQueueInfo;
}

/** A message in a queue. */
export interface QueuedMessage {
  readonly key: string;
  readonly lt: bigint;
  readonly hash: Hash;
  readonly nextWorkchain: number;
  readonly nextPrefix: Hash;
  readonly envelope: Linked<MessageEnvelope>;
}

/**
 * The progress of a shard in the view of a masterchain block: the end of its newest block then. One that was two shards
 * then had the progress of that of the two in which the position is.
 */
export type EndLtAt = (masterSeqno: number, source: ShardIdent, position: () => Hash) => bigint;

/** Whether one of the points shows that a message of `source` was processed: far enough, and visible at that time. */
export function isProcessed(
  queued: QueuedMessage,
  points: readonly ProcessedPoint[],
  source: ShardIdent,
  endLtAt: EndLtAt,
): boolean {
  return points.some(
    (point) =>
      shardContains(point.shard, queued.nextPrefix) &&
      isCoveredBy(queued, point) &&
      queued.lt < endLtAt(point.masterSeqno, source, () => positionOf(queued.envelope.load()).prefix),
  );
}

export function processedBy(neighbor: Neighbor): ProcessedPoint[] {
  return listProcessed(neighbor.queue.processed);
}
