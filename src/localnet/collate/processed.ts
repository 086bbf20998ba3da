import type { Dictionary } from "../../cell/dictionary.ts";
import { type ShardId, shardIsAncestor } from "../../model/block/BlockId.ts";
import type { ProcessedUpto } from "../../model/block/OutMsgQueue.ts";
import type { Hash } from "../../model/Hash.ts";

/** Up to which message a shard has processed the queues of others, in the view of a masterchain block. */
export interface ProcessedPoint {
  readonly shard: ShardId;
  readonly masterSeqno: number;
  readonly lt: bigint;
  readonly hash: Hash;
}

export const lastHash = "f".repeat(64) as Hash;

type ProcessedDictionary = Dictionary<string, ProcessedUpto>;

// key is [ shard:uint64 mc_seqno:uint32 ]
export function listProcessed(processed: ProcessedDictionary): ProcessedPoint[] {
  return processed.entries().map(([key, { lastMessageLt, lastMessageHash }]) => ({
    shard: BigInt(`0x${key.slice(0, 16)}`),
    masterSeqno: Number.parseInt(key.slice(16), 16),
    lt: lastMessageLt,
    hash: lastMessageHash,
  }));
}

export function storeProcessed(empty: ProcessedDictionary, points: readonly ProcessedPoint[]): ProcessedDictionary {
  let dict = empty;
  for (const { shard, masterSeqno, lt, hash } of points) {
    const key = shard.toString(16).padStart(16, "0") + masterSeqno.toString(16).padStart(8, "0");
    dict = dict.set(key, { lastMessageLt: lt, lastMessageHash: hash });
  }
  return dict;
}

/** Whether a message is not after a point. */
export function isCoveredBy(message: { readonly lt: bigint; readonly hash: Hash }, point: ProcessedPoint): boolean {
  return message.lt < point.lt || (message.lt === point.lt && message.hash <= point.hash);
}

/** The points with a new one, without those that another one covers: at least as new, as wide, and as far. */
export function addProcessed(points: readonly ProcessedPoint[], added: ProcessedPoint): ProcessedPoint[] {
  const all = [...points, added];
  return all.filter(
    (point, i) =>
      !all.some(
        (other, j) =>
          j !== i &&
          shardIsAncestor(other.shard, point.shard) &&
          other.masterSeqno >= point.masterSeqno &&
          isCoveredBy(point, other) &&
          (j > i || other.masterSeqno !== point.masterSeqno || !isCoveredBy(other, point)),
      ),
  );
}
