import { type Augmentation, augmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { maybe, struct, tagged, uint, uint64, type ValueOf } from "../../cell/codec.ts";
import { dictionary, maxChainEntries } from "../../cell/dictionary.ts";
import { bigUintKey, hashKey, hexKey } from "../../cell/keys.ts";
import { linked } from "../../cell/linked.ts";
import { hash } from "../Hash.ts";
import { MessageEnvelope } from "../MessageEnvelope.ts";

// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
export const EnqueuedMsg = struct({ enqueuedLt: uint64, envelope: linked(MessageEnvelope) });
export type EnqueuedMsg = ValueOf<typeof EnqueuedMsg>;

/** The lowest logical time below each node. */
const lowestLt: Augmentation<bigint> = { codec: uint64, empty: 0n, combine: (a, b) => (a < b ? a : b) };

// key: next workchain (32 bits), first 64 bits of the next address, message hash
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;
export const OutMsgQueue = augmentedDictionary(hexKey(352), EnqueuedMsg, lowestLt);
export type OutMsgQueue = ValueOf<typeof OutMsgQueue>;

// processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
export const ProcessedUpto = struct({ lastMessageLt: uint64, lastMessageHash: hash });
export type ProcessedUpto = ValueOf<typeof ProcessedUpto>;

// key is [ shard:uint64 mc_seqno:uint32 ]
// _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;
export const ProcessedInfo = dictionary(hexKey(96), ProcessedUpto);

// key - created_lt
// _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
export const AccountDispatchQueue = struct({
  messages: dictionary(bigUintKey(64), EnqueuedMsg, maxChainEntries),
  count: uint(48),
});

// key - sender address, aug - min created_lt
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;
export const DispatchQueue = augmentedDictionary(hashKey, AccountDispatchQueue, lowestLt);

// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
export const OutMsgQueueExtra = tagged("#0", { dispatchQueue: DispatchQueue, outQueueSize: maybe(uint(48)) });

// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// Before global version 7 the last bit was the root of ihr_pending, a dictionary that was always empty.
export const OutMsgQueueInfo = struct({
  queue: OutMsgQueue,
  processed: ProcessedInfo,
  extra: maybe(OutMsgQueueExtra),
});
export type OutMsgQueueInfo = ValueOf<typeof OutMsgQueueInfo>;
