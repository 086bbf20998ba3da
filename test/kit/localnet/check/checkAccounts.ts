import { loadCell } from "../../../../src/cell/codec.ts";
import type { ShardAccountBlocks } from "../../../../src/model/block/AccountBlock.ts";
import type { BlockInfo } from "../../../../src/model/block/BlockInfo.ts";
import { addCurrency, noCurrency } from "../../../../src/model/Currency.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { Transaction } from "../../../../src/model/Transaction.ts";
import { rejectBlock, sameCurrency } from "./rules.ts";

export type TransactionsByHash = ReadonlyMap<Hash, Transaction>;

/** Checks that transactions have the right keys, follow each other and chain the account states. */
export function checkAccountBlocks(info: BlockInfo, blocks: ShardAccountBlocks): TransactionsByHash {
  const all = new Map<Hash, Transaction>();
  let total = noCurrency;
  blocks.forEach((block, account, extra) => {
    if (block.account !== account) rejectBlock("an account is stored under another address");
    let hash = block.stateUpdate.oldHash;
    let before: { readonly hash: Hash; readonly lt: bigint } | undefined;
    let fees = noCurrency;
    block.transactions.forEach((link, lt, fee) => {
      const transaction = loadCell(Transaction, link.cell);
      checkTransaction(info, transaction, account, lt);
      if (transaction.stateUpdate.oldHash !== hash) rejectBlock("a transaction does not start from the previous state");
      if (before !== undefined && (transaction.prevHash !== before.hash || transaction.prevLt !== before.lt))
        rejectBlock("a transaction does not refer to the previous one");
      if (!sameCurrency(transaction.totalFees, fee)) rejectBlock("fees of a transaction differ from the list");
      hash = transaction.stateUpdate.newHash;
      before = { hash: link.cell.hash(), lt };
      fees = addCurrency(fees, fee);
      all.set(link.cell.hash(), transaction);
    });
    if (hash !== block.stateUpdate.newHash)
      rejectBlock("the last transaction does not lead to the account's new state");
    if (!sameCurrency(fees, extra)) rejectBlock("fees of an account are not the sum of its transactions");
    total = addCurrency(total, extra);
  });
  if (!sameCurrency(total, blocks.rootExtra())) rejectBlock("fees of the block are not the sum of its accounts");
  return all;
}

function checkTransaction(info: BlockInfo, transaction: Transaction, account: Hash, lt: bigint): void {
  if (transaction.account !== account || transaction.lt !== lt)
    rejectBlock("a transaction is stored under another account or logical time");
  if (transaction.now !== info.genUtime) rejectBlock("a transaction has another time than the block");
  if (lt <= info.startLt || lt >= info.endLt || transaction.prevLt >= lt)
    rejectBlock("the logical time of a transaction is out of order");
  const out = transaction.messages.out.entries();
  if (out.length !== transaction.outCount) rejectBlock("wrong count of outgoing messages");
  let last = lt;
  for (const [index, message] of out) {
    const { info: sent } = message;
    if (sent.kind === "externalIn") {
      rejectBlock("a transaction sends an incoming external message");
    } else {
      if (sent.createdLt !== last + 1n) rejectBlock(`outgoing message ${index} does not have the next logical time`);
      if (sent.createdAt !== transaction.now) rejectBlock("an outgoing message has another time than its transaction");
      last = sent.createdLt;
    }
  }
  if (last >= info.endLt) rejectBlock("a logical time is after the end of the block");
}
