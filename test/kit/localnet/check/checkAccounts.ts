import { loadCell } from "../../../../src/cell/codec.ts";
import type { ShardAccountBlocks } from "../../../../src/model/block/AccountBlock.ts";
import type { BlockInfo } from "../../../../src/model/block/BlockInfo.ts";
import { addCurrency, noCurrency } from "../../../../src/model/Currency.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { Transaction } from "../../../../src/model/Transaction.ts";
import { rejectBlock, sameCurrency } from "./rules.ts";

export type TransactionsByHash = ReadonlyMap<Hash, Transaction>;

/** Transactions stand under their account and logical time, follow each other, and lead from state to state. */
export function checkAccountBlocks(info: BlockInfo, blocks: ShardAccountBlocks): TransactionsByHash {
  const all = new Map<Hash, Transaction>();
  let total = noCurrency;
  blocks.forEach((block, account, extra) => {
    if (block.account !== account) rejectBlock("an account stands under its own address");
    let hash = block.stateUpdate.oldHash;
    let before: { readonly hash: Hash; readonly lt: bigint } | undefined;
    let fees = noCurrency;
    block.transactions.forEach((link, lt, fee) => {
      const transaction = loadCell(Transaction, link.cell);
      checkTransaction(info, transaction, account, lt);
      if (transaction.stateUpdate.oldHash !== hash) rejectBlock("a transaction starts from the state before it");
      if (before !== undefined && (transaction.prevHash !== before.hash || transaction.prevLt !== before.lt))
        rejectBlock("a transaction names the one before it");
      if (!sameCurrency(transaction.totalFees, fee)) rejectBlock("fees of a transaction are those in the list");
      hash = transaction.stateUpdate.newHash;
      before = { hash: link.cell.hash(), lt };
      fees = addCurrency(fees, fee);
      all.set(link.cell.hash(), transaction);
    });
    if (hash !== block.stateUpdate.newHash) rejectBlock("the last transaction leaves the account's new state");
    if (!sameCurrency(fees, extra)) rejectBlock("fees of an account are the sum of its transactions'");
    total = addCurrency(total, extra);
  });
  if (!sameCurrency(total, blocks.rootExtra())) rejectBlock("fees of the block are the sum of its accounts'");
  return all;
}

function checkTransaction(info: BlockInfo, transaction: Transaction, account: Hash, lt: bigint): void {
  if (transaction.account !== account || transaction.lt !== lt)
    rejectBlock("a transaction stands under its account and time");
  if (transaction.now !== info.genUtime) rejectBlock("a transaction has the block's time");
  if (lt <= info.startLt || lt >= info.endLt || transaction.prevLt >= lt)
    rejectBlock("logical times grow within the block");
  const out = transaction.messages.out.entries();
  if (out.length !== transaction.outCount) rejectBlock("outgoing messages are counted");
  let last = lt;
  for (const [index, message] of out) {
    const { info: sent } = message;
    if (sent.kind === "externalIn") {
      rejectBlock("a transaction sends internal messages or answers to the outside");
    } else {
      if (sent.createdLt !== last + 1n) rejectBlock(`outgoing message ${index} has the next logical time`);
      if (sent.createdAt !== transaction.now) rejectBlock("outgoing messages have the transaction's time");
      last = sent.createdLt;
    }
  }
  if (last >= info.endLt) rejectBlock("logical times end before the block does");
}
