import fc from "fast-check";
import { makeLinked } from "../../../src/cell/linked.ts";
import { InMsg, type OutMsg } from "../../../src/model/block/messageDescriptors.ts";
import { Message } from "../../../src/model/Message.ts";
import { MessageEnvelope } from "../../../src/model/MessageEnvelope.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { anyEnvelope, anyMessage } from "./messageValues.ts";
import { anyBig, anyCell, anyCoins, anyHash, anyInt32, anyUint64, sampleOf } from "./modelValues.ts";
import { anyTransaction } from "./transactionValues.ts";

// One of each is enough: descriptors only refer to them.
const message = fc.constant(makeLinked(Message, sampleOf(anyMessage)));
const transaction = fc.constant(makeLinked(Transaction, sampleOf(anyTransaction)));
const envelope = fc.constant(makeLinked(MessageEnvelope, sampleOf(anyEnvelope)));
const received = { inEnvelope: envelope, transaction, fwdFee: anyCoins };

export const anyInMsg: fc.Arbitrary<InMsg> = fc.oneof(
  fc.record({ kind: fc.constant<"external">("external"), message, transaction }),
  fc.record({ kind: fc.constant<"deferredFinal">("deferredFinal"), ...received }),
  fc.record({ kind: fc.constant<"deferredTransit">("deferredTransit"), inEnvelope: envelope, outEnvelope: envelope }),
  fc.record({ kind: fc.constant<"ihr">("ihr"), message, transaction, ihrFee: anyCoins, proofCreated: anyCell }),
  fc.record({ kind: fc.constant<"immediate">("immediate"), ...received }),
  fc.record({ kind: fc.constant<"final">("final"), ...received }),
  fc.record({
    kind: fc.constant<"transit">("transit"),
    inEnvelope: envelope,
    outEnvelope: envelope,
    transitFee: anyCoins,
  }),
  fc.record({
    kind: fc.constant<"discardFinal">("discardFinal"),
    inEnvelope: envelope,
    transactionId: anyUint64,
    fwdFee: anyCoins,
  }),
  fc.record({
    kind: fc.constant<"discardTransit">("discardTransit"),
    inEnvelope: envelope,
    transactionId: anyUint64,
    fwdFee: anyCoins,
    proofDelivered: anyCell,
  }),
);

const imported = anyInMsg.map((value) => makeLinked(InMsg, value));
const sent = { outEnvelope: envelope };

export const anyOutMsg: fc.Arbitrary<OutMsg> = fc.oneof(
  fc.record({ kind: fc.constant<"external">("external"), message, transaction }),
  fc.record({ kind: fc.constant<"new">("new"), ...sent, transaction }),
  fc.record({ kind: fc.constant<"immediate">("immediate"), ...sent, transaction, reimport: imported }),
  fc.record({ kind: fc.constant<"transit">("transit"), ...sent, imported }),
  fc.record({ kind: fc.constant<"dequeueImmediate">("dequeueImmediate"), ...sent, reimport: imported }),
  fc.record({ kind: fc.constant<"newDeferred">("newDeferred"), ...sent, transaction }),
  fc.record({ kind: fc.constant<"deferredTransit">("deferredTransit"), ...sent, imported }),
  fc.record({ kind: fc.constant<"dequeue">("dequeue"), ...sent, importBlockLt: anyBig(63) }),
  fc.record({
    kind: fc.constant<"dequeueShort">("dequeueShort"),
    envelopeHash: anyHash,
    nextWorkchain: anyInt32,
    nextPrefix: anyUint64,
    importBlockLt: anyUint64,
  }),
  fc.record({ kind: fc.constant<"transitRequeued">("transitRequeued"), ...sent, imported }),
);
