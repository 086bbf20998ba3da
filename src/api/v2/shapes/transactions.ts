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
  address: accountAddress((each: AccountTransaction) => each.address),
  utime: int((each: AccountTransaction) => each.transaction.now),
  data: boc((each: AccountTransaction) => each.transaction.cell),
  transaction_id: transactionId(({ transaction: { lt, cell } }: AccountTransaction) => ({ lt, hash: cell.hash() })),
  fee: decimal((each: AccountTransaction) => feeOf(each.transaction)),
  storage_fee: decimal((each: AccountTransaction) => storageFeeOf(each.transaction)),
  other_fee: decimal((each: AccountTransaction) => feeOf(each.transaction) - storageFeeOf(each.transaction)),
};

const account = rawUpper((each: AccountTransaction) => each.address);

const rawMessages = {
  in_msg: omittable(rawMessage)((each: AccountTransaction) => each.transaction.messages.in),
  out_msgs: list(rawMessage)((each: AccountTransaction) => each.transaction.messages.out.values()),
};

/** In lists of whole histories. */
const rawTransaction = typed<AccountTransaction>()("raw.transaction", { ...common, ...rawMessages });

/** In blocks. */
const rawTransactionExt = typed<AccountTransaction>()("raw.transactionExt", { ...common, account, ...rawMessages });

/** In the older lists. */
export const extTransaction = typed<AccountTransaction>()("ext.transaction", {
  ...common,
  account,
  in_msg: omittable(extMessage)((each) => each.transaction.messages.in),
  out_msgs: list(extMessage)((each) => each.transaction.messages.out.values()),
});

export const rawTransactions = typed<TransactionHistory>()("raw.transactions", {
  transactions: list(rawTransaction)((history) => history.items),
  previous_transaction_id: transactionId((history) => history.next),
});

/** All three parts of a transaction's id are given, and the list has a cursor. */
const shortMode = 135;

const shortTxId = typed<BlockEntry>()("blocks.shortTxId", {
  mode: int((_each) => shortMode),
  account: rawLower((each) => each.address),
  lt: int64((each) => each.lt),
  hash: hash64((each) => each.hash),
});

/** A part of a block's transactions, with the requested number. */
export interface TransactionsPage<T> extends BlockTransactions<T> {
  readonly count: number;
}

export const blockTransactions = typed<TransactionsPage<BlockEntry>>()("blocks.transactions", {
  id: blockIdExt((page) => page.block),
  req_count: int((page) => page.count),
  incomplete: bool((page) => page.incomplete),
  transactions: list(shortTxId)((page) => page.items),
});

export const blockTransactionsExt = typed<TransactionsPage<AccountTransaction>>()("blocks.transactionsExt", {
  id: blockIdExt((page) => page.block),
  req_count: int((page) => page.count),
  incomplete: bool((page) => page.incomplete),
  transactions: list(rawTransactionExt)((page) => page.items),
});
