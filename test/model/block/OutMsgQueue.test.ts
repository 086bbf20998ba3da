import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { rebuild } from "../../../src/cell/augmentedEdits.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { bigUintKey, hexKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import {
  AccountDispatchQueue,
  EnqueuedMsg,
  OutMsgQueue,
  OutMsgQueueInfo,
  ProcessedInfo,
  ProcessedUpto,
} from "../../../src/model/block/OutMsgQueue.ts";
import { MessageEnvelope } from "../../../src/model/MessageEnvelope.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyBitsHex } from "../../kit/model/addressValues.ts";
import { anyEnvelope } from "../../kit/model/messageValues.ts";
import { anyHash, anyUint, anyUint64, sampleOf } from "../../kit/model/modelValues.ts";
import { anyDictionary } from "../../kit/model/validatorValues.ts";

const envelope = makeLinked(MessageEnvelope, sampleOf(anyEnvelope));
const anyEnqueued = fc.record({ enqueuedLt: anyUint64, envelope: fc.constant(envelope) });
const anyProcessed = fc.record({ lastMessageLt: anyUint64, lastMessageHash: anyHash });
const nothing = "0".padEnd(65, "0");

describe("queues of messages", () => {
  itHoldsForRandom("EnqueuedMsg", EnqueuedMsg, anyEnqueued);
  itHoldsForRandom("ProcessedUpto", ProcessedUpto, anyProcessed);
  itHoldsForRandom(
    "ProcessedInfo",
    ProcessedInfo,
    anyDictionary(hexKey(96), ProcessedUpto, anyBitsHex(96), anyProcessed),
  );
  itHoldsForRandom(
    "AccountDispatchQueue",
    AccountDispatchQueue,
    fc.record({
      messages: anyDictionary(bigUintKey(64), EnqueuedMsg, anyUint64, anyEnqueued),
      count: anyUint(48),
    }),
  );

  it("have the lowest time of all their messages", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(anyBitsHex(352), anyUint64), { minLength: 1, maxLength: 8, selector: ([k]) => k }),
        (times) => {
          const empty = loadCell(OutMsgQueue, cellOf(nothing));
          const queue = rebuild(
            empty,
            times.map(([key, lt]) => [key, { enqueuedLt: lt, envelope }, lt] as const),
          );
          expect(queue.rootExtra()).toBe(times.map(([, lt]) => lt).reduce((a, b) => (a < b ? a : b)));
          expect(loadCell(OutMsgQueue, storeCell(OutMsgQueue, queue)).count()).toBe(times.length);
        },
      ),
    );
  });

  it("of old states end after the last, always empty, dictionary", () => {
    const info = loadCell(OutMsgQueueInfo, cellOf(`${nothing}00`));
    expect([info.queue.isEmpty, info.processed.isEmpty, info.extra]).toEqual([true, true, undefined]);
  });

  it("of newer states have their size and the dispatch queue", () => {
    // extra: maybe, tag #0, empty dispatch queue, size of 5
    const size = (5).toString(2).padStart(48, "0");
    const { extra } = loadCell(OutMsgQueueInfo, cellOf(`${nothing}010000${nothing}1${size}`));
    expect([extra?.dispatchQueue.isEmpty, extra?.outQueueSize]).toEqual([true, 5]);
  });
});
