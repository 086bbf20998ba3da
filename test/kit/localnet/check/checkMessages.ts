import type { Linked } from "../../../../src/cell/linked.ts";
import type { BlockExtra } from "../../../../src/model/block/Block.ts";
import type { ImportFees, InMsg, OutMsg } from "../../../../src/model/block/messageDescriptors.ts";
import { addCurrency, type CurrencyCollection, coinsOnly, noCurrency } from "../../../../src/model/Currency.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import type { Message } from "../../../../src/model/Message.ts";
import type { MessageEnvelope } from "../../../../src/model/MessageEnvelope.ts";
import type { Transaction } from "../../../../src/model/Transaction.ts";
import type { TransactionsByHash } from "./checkAccounts.ts";
import { rejectBlock, sameCurrency } from "./rules.ts";

/** Every message a transaction received is in the list once, with its transaction and fees. */
export function checkInMessages(extra: BlockExtra, transactions: TransactionsByHash, hasIhrFees: boolean): void {
  const list = extra.inMessages.load();
  const received = new Set<Hash>();
  let sum: ImportFees = { feesCollected: 0n, valueImported: noCurrency };
  list.forEach((inMsg, hash, fees) => {
    if (messageHash(inMsg) !== hash) rejectBlock("an incoming message stands under its hash");
    if ("transaction" in inMsg) {
      const transaction = transactionOf(inMsg.transaction, transactions);
      if (transaction.messages.in?.cell.hash() !== hash)
        rejectBlock("an incoming message was received by its transaction");
      received.add(inMsg.transaction.cell.hash());
    }
    const own = importFees(inMsg, hasIhrFees);
    if (own !== undefined) {
      const same = own.feesCollected === fees.feesCollected && sameCurrency(own.valueImported, fees.valueImported);
      if (!same) rejectBlock("fees and value of an incoming message are those in the list");
    }
    const valueImported = addCurrency(sum.valueImported, fees.valueImported);
    sum = { feesCollected: sum.feesCollected + fees.feesCollected, valueImported };
  });
  const root = list.rootExtra();
  if (sum.feesCollected !== root.feesCollected || !sameCurrency(sum.valueImported, root.valueImported))
    rejectBlock("the list of incoming messages is summed up");
  for (const [hash, { messages }] of transactions)
    if (messages.in !== undefined && !received.has(hash)) rejectBlock("every message received is in the list");
}

/** Every message a transaction sent is in the list, with its transaction, and what is delivered at once is received. */
export function checkOutMessages(extra: BlockExtra, transactions: TransactionsByHash, hasIhrFees: boolean): void {
  const list = extra.outMessages.load();
  const incoming = extra.inMessages.load();
  let sum = noCurrency;
  list.forEach((outMsg, hash, value) => {
    if (outMsg.kind !== "dequeueShort" && outMessageHash(outMsg) !== hash)
      rejectBlock("an outgoing message stands under its hash");
    if ("transaction" in outMsg) checkSent(outMsg.transaction, hash, transactions);
    if ("reimport" in outMsg || "imported" in outMsg) {
      const taken = "reimport" in outMsg ? outMsg.reimport : outMsg.imported;
      if (!incoming.find(hash) || messageHash(taken.load()) !== hash)
        rejectBlock("what is delivered at once is received");
    }
    const own = exportValue(outMsg, hasIhrFees);
    if (own !== undefined && !sameCurrency(own, value))
      rejectBlock("the value of an outgoing message is that in the list");
    sum = addCurrency(sum, value);
  });
  if (!sameCurrency(sum, list.rootExtra())) rejectBlock("the list of outgoing messages is summed up");
  for (const { messages } of transactions.values()) {
    for (const message of messages.out.values())
      if (list.find(message.cell.hash()) === undefined) rejectBlock("every message sent is in the list");
  }
}

function checkSent(link: Linked<Transaction>, hash: Hash, transactions: TransactionsByHash): void {
  const sent = transactionOf(link, transactions).messages.out.values();
  if (!sent.some((message) => message.cell.hash() === hash))
    rejectBlock("an outgoing message was sent by its transaction");
}

function transactionOf(link: Linked<Transaction>, transactions: TransactionsByHash): Transaction {
  return transactions.get(link.cell.hash()) ?? rejectBlock("a message names a transaction of this block");
}

function messageHash(inMsg: InMsg): Hash {
  const message = "message" in inMsg ? inMsg.message : inMsg.inEnvelope.load().message;
  return message.cell.hash();
}

function outMessageHash(outMsg: Exclude<OutMsg, { readonly kind: "dequeueShort" }>): Hash {
  const message = "message" in outMsg ? outMsg.message : outMsg.outEnvelope.load().message;
  return message.cell.hash();
}

/** What a message carries on its way: its value and the fees that are left of it. */
function carried(envelope: Linked<MessageEnvelope>, hasIhrFees: boolean): CurrencyCollection {
  const { fwdFeeRemaining, message } = envelope.load();
  const { info }: Message = message.load();
  if (info.kind !== "internal") return rejectBlock("only internal messages travel in envelopes");
  const fees = fwdFeeRemaining + (hasIhrFees ? info.extraFlags : 0n);
  return addCurrency(info.value, coinsOnly(fees));
}

/** Undefined for kinds that no chain has used. */
function importFees(inMsg: InMsg, hasIhrFees: boolean): ImportFees | undefined {
  switch (inMsg.kind) {
    case "external":
      return { feesCollected: 0n, valueImported: noCurrency };
    case "immediate":
      return { feesCollected: inMsg.fwdFee, valueImported: noCurrency };
    case "final":
      return { feesCollected: inMsg.fwdFee, valueImported: carried(inMsg.inEnvelope, hasIhrFees) };
    case "transit":
      return { feesCollected: inMsg.transitFee, valueImported: carried(inMsg.inEnvelope, hasIhrFees) };
    default:
      return undefined;
  }
}

function exportValue(outMsg: OutMsg, hasIhrFees: boolean): CurrencyCollection | undefined {
  switch (outMsg.kind) {
    case "external":
    case "immediate":
    case "dequeue":
    case "dequeueShort":
    case "dequeueImmediate":
      return noCurrency;
    case "new":
    case "transit":
      return carried(outMsg.outEnvelope, hasIhrFees);
    default:
      return undefined;
  }
}
