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

/** Checks that every received message is in the list once, with its transaction and fees. */
export function checkInMessages(extra: BlockExtra, transactions: TransactionsByHash, hasIhrFees: boolean): void {
  const list = extra.inMessages.load();
  const received = new Set<Hash>();
  let sum: ImportFees = { feesCollected: 0n, valueImported: noCurrency };
  list.forEach((inMsg, hash, fees) => {
    if (messageHash(inMsg) !== hash) rejectBlock("an incoming message is stored under another hash");
    if ("transaction" in inMsg) {
      const transaction = transactionOf(inMsg.transaction, transactions);
      if (transaction.messages.in?.cell.hash() !== hash)
        rejectBlock("the transaction of an incoming message did not receive it");
      received.add(inMsg.transaction.cell.hash());
    }
    const own = importFees(inMsg, hasIhrFees);
    if (own !== undefined) {
      const same = own.feesCollected === fees.feesCollected && sameCurrency(own.valueImported, fees.valueImported);
      if (!same) rejectBlock("fees or value of an incoming message differ from the list");
    }
    const valueImported = addCurrency(sum.valueImported, fees.valueImported);
    sum = { feesCollected: sum.feesCollected + fees.feesCollected, valueImported };
  });
  const root = list.rootExtra();
  if (sum.feesCollected !== root.feesCollected || !sameCurrency(sum.valueImported, root.valueImported))
    rejectBlock("wrong sum of the incoming messages");
  for (const [hash, { messages }] of transactions)
    if (messages.in !== undefined && !received.has(hash)) rejectBlock("a received message is not in the list");
}

/**
 * Checks that every sent message is in the list with its transaction, and that immediately delivered ones are received.
 */
export function checkOutMessages(extra: BlockExtra, transactions: TransactionsByHash, hasIhrFees: boolean): void {
  const list = extra.outMessages.load();
  const incoming = extra.inMessages.load();
  let sum = noCurrency;
  list.forEach((outMsg, hash, value) => {
    if (outMsg.kind !== "dequeueShort" && outMessageHash(outMsg) !== hash)
      rejectBlock("an outgoing message is stored under another hash");
    if ("transaction" in outMsg) checkSent(outMsg.transaction, hash, transactions);
    if ("reimport" in outMsg || "imported" in outMsg) {
      const taken = "reimport" in outMsg ? outMsg.reimport : outMsg.imported;
      if (!incoming.find(hash) || messageHash(taken.load()) !== hash)
        rejectBlock("an immediately delivered message is not received");
    }
    const own = exportValue(outMsg, hasIhrFees);
    if (own !== undefined && !sameCurrency(own, value))
      rejectBlock("the value of an outgoing message differs from the list");
    sum = addCurrency(sum, value);
  });
  if (!sameCurrency(sum, list.rootExtra())) rejectBlock("wrong sum of the outgoing messages");
  for (const { messages } of transactions.values()) {
    for (const message of messages.out.values())
      if (list.find(message.cell.hash()) === undefined) rejectBlock("a sent message is not in the list");
  }
}

function checkSent(link: Linked<Transaction>, hash: Hash, transactions: TransactionsByHash): void {
  const sent = transactionOf(link, transactions).messages.out.values();
  if (!sent.some((message) => message.cell.hash() === hash))
    rejectBlock("the transaction of an outgoing message did not send it");
}

function transactionOf(link: Linked<Transaction>, transactions: TransactionsByHash): Transaction {
  return transactions.get(link.cell.hash()) ?? rejectBlock("a message refers to a transaction outside this block");
}

function messageHash(inMsg: InMsg): Hash {
  const message = "message" in inMsg ? inMsg.message : inMsg.inEnvelope.load().message;
  return message.cell.hash();
}

function outMessageHash(outMsg: Exclude<OutMsg, { readonly kind: "dequeueShort" }>): Hash {
  const message = "message" in outMsg ? outMsg.message : outMsg.outEnvelope.load().message;
  return message.cell.hash();
}

/** The value that a message in transit carries: its own value and the remaining fees. */
function carried(envelope: Linked<MessageEnvelope>, hasIhrFees: boolean): CurrencyCollection {
  const { fwdFeeRemaining, message } = envelope.load();
  const { info }: Message = message.load();
  if (info.kind !== "internal") return rejectBlock("only internal messages have envelopes");
  const fees = fwdFeeRemaining + (hasIhrFees ? info.extraFlags : 0n);
  return addCurrency(info.value, coinsOnly(fees));
}

/** Undefined for kinds that no chain uses. */
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
