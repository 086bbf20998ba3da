import { augmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { bigUint, cell, int32, struct, uint64, union, type ValueOf } from "../../cell/codec.ts";
import { hashKey } from "../../cell/keys.ts";
import { linked } from "../../cell/linked.ts";
import { addCurrency, Coins, CurrencyCollection, currencySum, noCurrency } from "../Currency.ts";
import { hash } from "../Hash.ts";
import { Message } from "../Message.ts";
import { MessageEnvelope } from "../MessageEnvelope.ts";
import { Transaction } from "../Transaction.ts";

// Messages, envelopes and transactions are links: most readers need only a few of them.
const message = linked(Message);
const transaction = linked(Transaction);
const envelope = linked(MessageEnvelope);

// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction
// msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell
// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams
// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams
// msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams
// msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams
// msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell
// msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams
// msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;
export const InMsg = union({
  external: ["$000", { message, transaction }],
  deferredFinal: ["$00100", { inEnvelope: envelope, transaction, fwdFee: Coins }],
  deferredTransit: ["$00101", { inEnvelope: envelope, outEnvelope: envelope }],
  ihr: ["$010", { message, transaction, ihrFee: Coins, proofCreated: cell }],
  immediate: ["$011", { inEnvelope: envelope, transaction, fwdFee: Coins }],
  final: ["$100", { inEnvelope: envelope, transaction, fwdFee: Coins }],
  transit: ["$101", { inEnvelope: envelope, outEnvelope: envelope, transitFee: Coins }],
  discardFinal: ["$110", { inEnvelope: envelope, transactionId: uint64, fwdFee: Coins }],
  discardTransit: ["$111", { inEnvelope: envelope, transactionId: uint64, fwdFee: Coins, proofDelivered: cell }],
});
export type InMsg = ValueOf<typeof InMsg>;

// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
export const ImportFees = struct({ feesCollected: Coins, valueImported: CurrencyCollection });
export type ImportFees = ValueOf<typeof ImportFees>;

export const importFeesSum = {
  codec: ImportFees,
  empty: { feesCollected: 0n, valueImported: noCurrency },
  combine: (a: ImportFees, b: ImportFees): ImportFees => ({
    feesCollected: a.feesCollected + b.feesCollected,
    valueImported: addCurrency(a.valueImported, b.valueImported),
  }),
};

// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
export const InMsgDescr = augmentedDictionary(hashKey, InMsg, importFeesSum);
export type InMsgDescr = ValueOf<typeof InMsgDescr>;

// msg_export_ext$000 msg:^(Message Any) transaction:^Transaction
// msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg
// msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction
// msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg
// msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63
// msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64 import_block_lt:uint64
// msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg
// msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg
// msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction
// msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
export const OutMsg = union({
  external: ["$000", { message, transaction }],
  new: ["$001", { outEnvelope: envelope, transaction }],
  immediate: ["$010", { outEnvelope: envelope, transaction, reimport: linked(InMsg) }],
  transit: ["$011", { outEnvelope: envelope, imported: linked(InMsg) }],
  dequeueImmediate: ["$100", { outEnvelope: envelope, reimport: linked(InMsg) }],
  newDeferred: ["$10100", { outEnvelope: envelope, transaction }],
  deferredTransit: ["$10101", { outEnvelope: envelope, imported: linked(InMsg) }],
  dequeue: ["$1100", { outEnvelope: envelope, importBlockLt: bigUint(63) }],
  dequeueShort: ["$1101", { envelopeHash: hash, nextWorkchain: int32, nextPrefix: uint64, importBlockLt: uint64 }],
  transitRequeued: ["$111", { outEnvelope: envelope, imported: linked(InMsg) }],
});
export type OutMsg = ValueOf<typeof OutMsg>;

// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
export const OutMsgDescr = augmentedDictionary(hashKey, OutMsg, currencySum);
export type OutMsgDescr = ValueOf<typeof OutMsgDescr>;
