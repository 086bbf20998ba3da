import type {
  AccountTransaction,
  BlockEntry,
  BlockTransactions,
  TransactionHistory,
} from "../../../chain/transactions.ts";
import { bool, decimal, int, list, omittable } from "../../../lib/kit/shape.ts";
import type { Transaction } from "../../../model/Transaction.ts";
import { accountAddress, blockIdExt, boc, int64, transactionId } from "./ids.ts";
import { extMessage, rawMessage } from "./messages.ts";
import { hash64, rawLower, rawUpper } from "./scalars.ts";
import { typed } from "./typed.ts";

/** The fees of the account: those collected here, and those that its messages carry. */
function feeOf({ totalFees, messages }: Transaction): bigint {
  return messages.out
    .values()
    .reduce((sum, { info }) => (info.kind === "internal" ? sum + info.fwdFee : sum), totalFees.coins);
}

function storageFeeOf({ description }: Transaction): bigint {
  return "storage" in description ? (description.storage?.feesCollected ?? 0n) : 0n;
}

const common = {
  address: accountAddress("Address of the account, in an object.", (each: AccountTransaction) => each.address),
  utime: int("Time of the transaction, in Unix seconds.", (each: AccountTransaction) => each.transaction.now),
  data: boc("Transaction itself as a bag of cells in base64.", (each: AccountTransaction) => each.transaction.cell),
  transaction_id: transactionId(
    "Transaction, by logical time and hash.",
    ({ transaction: { lt, cell } }: AccountTransaction) => ({ lt, hash: cell.hash() }),
  ),
  fee: decimal("Sum of all fees of the transaction, in nanocoins.", (each: AccountTransaction) =>
    feeOf(each.transaction),
  ),
  storage_fee: decimal("Fee for storage, in nanocoins.", (each: AccountTransaction) => storageFeeOf(each.transaction)),
  other_fee: decimal(
    "All fees but those for storage, in nanocoins.",
    (each: AccountTransaction) => feeOf(each.transaction) - storageFeeOf(each.transaction),
  ),
};

const account = rawUpper("Address of the account, in raw form.", (each: AccountTransaction) => each.address);

const rawMessages = {
  in_msg: omittable(rawMessage)(
    "Message that caused the transaction.",
    (each: AccountTransaction) => each.transaction.messages.in,
  ),
  out_msgs: list(rawMessage)("Messages that the transaction sent, in their order.", (each: AccountTransaction) =>
    each.transaction.messages.out.values(),
  ),
};

/** In lists of whole histories. */
const rawTransaction = typed<AccountTransaction>()("raw.transaction", { ...common, ...rawMessages });

/** In blocks. */
const rawTransactionExt = typed<AccountTransaction>()("raw.transactionExt", { ...common, account, ...rawMessages });

/** In the older lists. */
export const extTransaction = typed<AccountTransaction>()("ext.transaction", {
  ...common,
  account,
  in_msg: omittable(extMessage)("Message that caused the transaction.", (each) => each.transaction.messages.in),
  out_msgs: list(extMessage)("Messages that the transaction sent, in their order.", (each) =>
    each.transaction.messages.out.values(),
  ),
});

export const rawTransactions = typed<TransactionHistory>()("raw.transactions", {
  transactions: list(rawTransaction)("Transactions, newest first.", (history) => history.items),
  previous_transaction_id: transactionId(
    "Where the next page begins; logical time 0 after the last page.",
    (history) => history.next,
  ),
});

/** All three parts of a transaction's id are given, and the list has a cursor. */
const shortMode = 135;

const shortTxId = typed<BlockEntry>()("blocks.shortTxId", {
  mode: int("Flags that say which parts of the id are given.", (_each) => shortMode),
  account: rawLower("Address of the account, in raw form.", (each) => each.address),
  lt: int64("Logical time of the transaction.", (each) => each.lt),
  hash: hash64("Hash of the transaction.", (each) => each.hash),
});

/** A part of a block's transactions, with the requested number. */
export interface TransactionsPage<T> extends BlockTransactions<T> {
  readonly count: number;
}

export const blockTransactions = typed<TransactionsPage<BlockEntry>>()("blocks.transactions", {
  id: blockIdExt("Id of the block.", (page) => page.block),
  req_count: int("Largest number of transactions that was asked for.", (page) => page.count),
  incomplete: bool("Whether the block has more transactions.", (page) => page.incomplete),
  transactions: list(shortTxId)("Ids of the transactions, by account and logical time.", (page) => page.items),
});

export const blockTransactionsExt = typed<TransactionsPage<AccountTransaction>>()("blocks.transactionsExt", {
  id: blockIdExt("Id of the block.", (page) => page.block),
  req_count: int("Largest number of transactions that was asked for.", (page) => page.count),
  incomplete: bool("Whether the block has more transactions.", (page) => page.incomplete),
  transactions: list(rawTransactionExt)("Transactions, by account and logical time.", (page) => page.items),
});
