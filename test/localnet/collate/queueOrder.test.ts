import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { rebuild } from "../../../src/cell/augmentedEdits.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { watchVisits } from "../../../src/cell/visits.ts";
import { messagesInOrder, type QueueRange } from "../../../src/localnet/collate/queueOrder.ts";
import { shardContains, wholeShard } from "../../../src/model/block/BlockId.ts";
import { OutMsgQueue } from "../../../src/model/block/OutMsgQueue.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { MessageEnvelope } from "../../../src/model/MessageEnvelope.ts";
import { anyEnvelope } from "../../kit/model/messageValues.ts";
import { anyHash, sampleOf } from "../../kit/model/modelValues.ts";

interface Waiting {
  readonly workchain: number;
  readonly prefix: string;
  readonly hash: Hash;
  readonly lt: bigint;
}

const envelope = makeLinked(MessageEnvelope, sampleOf(anyEnvelope));
const empty = loadCell(OutMsgQueue, cellOf("0".padEnd(65, "0")));

/** Few times and two workchains, so that many messages are alike. */
const anyWaiting: fc.Arbitrary<Waiting> = fc.record({
  workchain: fc.constantFrom(-1, 0),
  prefix: fc.constantFrom("0", "4", "8", "c").map((digit) => digit.padEnd(16, "0")),
  hash: anyHash,
  lt: fc.bigInt({ min: 1n, max: 5n }),
});
const anyQueue = fc.uniqueArray(anyWaiting, { maxLength: 20, selector: ({ hash }) => hash });

function keyOf({ workchain, prefix, hash }: Waiting): string {
  return (workchain >>> 0).toString(16).padStart(8, "0") + prefix + hash;
}

function makeQueue(messages: readonly Waiting[]): OutMsgQueue {
  return rebuild(
    empty,
    messages.map((each) => [keyOf(each), { enqueuedLt: each.lt, envelope }, each.lt] as const),
  );
}

const byDelivery = (a: Waiting, b: Waiting): number =>
  a.lt === b.lt ? (a.hash < b.hash ? -1 : 1) : a.lt < b.lt ? -1 : 1;

const isIn =
  ({ workchain, shard, lastLt = 9n }: QueueRange) =>
  (each: Waiting): boolean =>
    each.workchain === workchain && shardContains(shard, each.prefix.padEnd(64, "0") as Hash) && each.lt <= lastLt;

describe("messages of queues", () => {
  it("come by logical time, then by hash, whichever queue they are in, and only those of the ranges", () => {
    const anyRange = fc.record({
      workchain: fc.constantFrom(-1, 0),
      shard: fc.constantFrom(wholeShard, 0x4000000000000000n, 0xc000000000000000n, 0xa000000000000000n),
      lastLt: fc.bigInt({ min: 0n, max: 6n }),
    });
    fc.assert(
      fc.property(anyQueue, anyQueue, fc.array(anyRange, { minLength: 1, maxLength: 3 }), (first, second, ranges) => {
        const sources = [first, second].map((messages, of) => ({ queue: makeQueue(messages), ranges, of }));
        const found = [...messagesInOrder(sources)].map(({ queued, of }) => [of, queued.key, queued.lt]);
        const wanted = [first, second]
          .flatMap((messages, of) => messages.map((each) => ({ ...each, of })))
          .filter((each) => ranges.some((range) => isIn(range)(each)))
          .sort(byDelivery)
          .map((each) => [each.of, keyOf(each), each.lt]);
        expect(found).toEqual(wanted);
      }),
    );
  });

  it("are read only as far as the caller goes on", () => {
    const messages = Array.from({ length: 5_000 }, (_, i) => {
      const hash = Buffer.from([i & 255, i >> 8])
        .toString("hex")
        .padEnd(64, "0") as Hash;
      return { workchain: 0, prefix: "8".padEnd(16, "0"), hash, lt: BigInt((i * 7_919) % 5_000) };
    });
    const { root } = makeQueue(messages);
    if (root === undefined) throw new Error("the queue is empty");
    const visits = watchVisits(root);
    const queue = loadCell(OutMsgQueue, cellOf("1".padEnd(65, "0"), [visits.root]));
    const ranges = [{ workchain: 0, shard: wholeShard }];
    let taken = 0n;
    for (const { queued } of messagesInOrder([{ queue, ranges, of: undefined }])) {
      expect(queued.lt).toBe(taken++);
      if (taken === 20n) break;
    }
    // The way to a message has 13 forks.
    expect(visits.opened.size).toBeLessThan(20 * 2 * 14);
  });
});
