import { type DictionaryNode, findRootNode } from "../../cell/dictionaryNode.ts";
import { toHex } from "../../lib/bytes.ts";
import type { ShardId } from "../../model/block/BlockId.ts";
import { shardPrefixLength } from "../../model/block/BlockId.ts";
import type { EnqueuedMsg, OutMsgQueue } from "../../model/block/OutMsgQueue.ts";
import type { Hash } from "../../model/Hash.ts";
import { workchainBits } from "./envelope.ts";
import { Heap } from "./Heap.ts";
import type { QueuedMessage } from "./neighbor.ts";

/** Receivers of messages: a shard, and the last logical time of interest. */
export interface QueueRange {
  readonly workchain: number;
  readonly shard: ShardId;
  /** Without it, all times. */
  readonly lastLt?: bigint;
}

/** A queue to read, and which part of it. */
export interface QueueSource<T> {
  readonly queue: OutMsgQueue;
  readonly ranges: readonly QueueRange[];
  /** Comes with each message of this queue. */
  readonly of: T;
}

type QueueNode = DictionaryNode<string, EnqueuedMsg, bigint>;

interface Place<T> {
  readonly node: QueueNode;
  readonly source: QueueSource<T>;
  /** Of a message: compared where times are equal. */
  readonly hash: string;
}

/**
 * The messages of queues in the order of their delivery, by logical time, then by hash. Every node of a queue has the
 * lowest time below it, so the queues are read only as far as the caller goes on, however long they are.
 */
export function* messagesInOrder<T>(
  sources: readonly QueueSource<T>[],
): Generator<{ readonly queued: QueuedMessage; readonly of: T }> {
  const places = new Heap<Place<T>>(isBefore);
  const open = (source: QueueSource<T>, node: QueueNode): void => {
    if (source.ranges.some((range) => mayHold(node, range)))
      places.add({ node, source, hash: node.isLeaf ? hashOf(node) : "" });
  };
  for (const source of sources) {
    const root = findRootNode(source.queue);
    if (root !== undefined) open(source, root);
  }
  for (let place = places.take(); place !== undefined; place = places.take()) {
    const { node, source } = place;
    if (node.isLeaf) yield { queued: readQueued(node), of: source.of };
    else for (const half of node.halves()) open(source, half);
  }
}

/** A node comes before the messages of its lowest time: one of them may be below it. */
function isBefore(a: Place<unknown>, b: Place<unknown>): boolean {
  return a.node.extra === b.node.extra ? a.hash < b.hash : a.node.extra < b.node.extra;
}

function mayHold(node: QueueNode, { workchain, shard, lastLt }: QueueRange): boolean {
  if (lastLt !== undefined && node.extra > lastLt) return false;
  for (let i = 0; i < workchainBits && i < node.bits; i++)
    if (node.bit(i) !== (((workchain >>> (workchainBits - 1 - i)) & 1) === 1)) return false;
  const shardBits = shardPrefixLength(shard);
  for (let i = 0; i < shardBits && workchainBits + i < node.bits; i++)
    if (node.bit(workchainBits + i) !== (((shard >> BigInt(63 - i)) & 1n) === 1n)) return false;
  return true;
}

/** The part of a key before the hash of its message, in hex. */
const routeLength = 24;

function hashOf({ prefix }: QueueNode): string {
  return toHex(prefix).slice(routeLength);
}

function readQueued(node: QueueNode): QueuedMessage {
  const [key, { enqueuedLt, envelope }] = node.entry();
  return {
    key,
    lt: enqueuedLt,
    hash: key.slice(routeLength) as Hash,
    nextWorkchain: Number.parseInt(key.slice(0, 8), 16) | 0,
    // Only the first 64 bits count for finding the shard.
    nextPrefix: key.slice(8, 24).padEnd(64, "0") as Hash,
    envelope,
  };
}
