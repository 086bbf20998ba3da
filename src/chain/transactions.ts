import { isCoded } from "../lib/errors.ts";
import {
  type BlockPage,
  type BlockTransactionId,
  fetchBlockTransactions,
  fetchBlockTransactionsExt,
  fetchTransactions,
  type HistoryItem,
  type TransactionPoint,
} from "../lite/queries/transactions.ts";
import { type Address, makeAddress } from "../model/Address.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import { type Hash, zeroHash } from "../model/Hash.ts";
import type { InCell } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import { getAccount } from "./accounts.ts";
import { getBlockId, type NamedBlock } from "./blocks.ts";
import type { Chain } from "./Chain.ts";

/** A transaction with its account; its cell contains only a part of the address. */
export interface AccountTransaction {
  readonly address: Address;
  readonly transaction: InCell<Transaction>;
}

export interface TransactionsQuery {
  /** The first and newest one; by default the account's last. */
  readonly from: TransactionPoint | undefined;
  readonly limit: number;
  /** Transactions at or before this logical time are omitted. */
  readonly toLt: bigint;
}

/** A part of an account's history, newest first. */
export interface TransactionHistory {
  readonly items: readonly AccountTransaction[];
  /** Where the next part begins; zero at the end. It may be past `toLt`. */
  readonly next: TransactionPoint;
  /** Whether it ends early because no server has the rest any more. */
  readonly isCut: boolean;
}

/** The largest page of servers. */
const maxAtOnce = 16;

/** Reads an account's history backwards with as many queries as necessary. */
export async function listTransactions(
  chain: Chain,
  address: Address,
  transactionsQuery: TransactionsQuery,
): Promise<TransactionHistory> {
  const { limit, toLt } = transactionsQuery;
  const items: AccountTransaction[] = [];
  const from = transactionsQuery.from ?? (await getAccount(chain, address)).lastTransaction;
  // Logical time zero is the end of every history, whatever hash comes with it.
  let next = from.lt === 0n ? { lt: 0n, hash: zeroHash } : from;
  while (next.lt > 0n && next.lt > toLt && items.length < limit) {
    const count = Math.min(limit - items.length, maxAtOnce);
    const page = await findPage(chain, address, next, { count, isFirst: items.length === 0 });
    if (page === undefined) return { items, next, isCut: true };
    for (const { transaction } of page) {
      if (transaction.lt > toLt) items.push({ address, transaction });
      next = { lt: transaction.prevLt, hash: transaction.prevHash };
    }
  }
  return { items, next, isCut: false };
}

/** A part of an account's history from a point on, newest first, each with the block that the server reports for it. */
export async function listHistory(
  chain: Chain,
  address: Address,
  from: TransactionPoint,
  limit: number,
): Promise<readonly HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (let next = from; next.lt > 0n && items.length < limit; ) {
    const count = Math.min(limit - items.length, maxAtOnce);
    const page = await findPage(chain, address, next, { count, isFirst: items.length === 0 });
    const last = page?.at(-1)?.transaction;
    if (page === undefined || last === undefined) break;
    items.push(...page);
    next = { lt: last.prevLt, hash: last.prevHash };
  }
  return items;
}

/** A transaction that the chain points back to exists: when no server has it, the servers have dropped it. */
async function findPage(
  { server, asking }: Chain,
  address: Address,
  from: TransactionPoint,
  { count, isFirst }: { readonly count: number; readonly isFirst: boolean },
) {
  try {
    return await fetchTransactions(server, address, from, count, asking);
  } catch (error) {
    if (isFirst || !isCoded(error, "lite/server")) throw error;
    return undefined;
  }
}

export interface BlockListing {
  readonly block: NamedBlock;
  /** After this transaction, or from the beginning. */
  readonly after: { readonly account: Hash; readonly lt: bigint } | undefined;
  readonly count: number;
}

/** Transactions of a block by account, then logical time. */
export interface BlockTransactions<T> {
  readonly block: BlockIdExt;
  readonly items: readonly T[];
  /** Whether the block has more after these. */
  readonly incomplete: boolean;
}

export interface BlockEntry {
  readonly address: Address;
  readonly lt: bigint;
  readonly hash: Hash;
}

/** The ids of a block's transactions. */
export async function listBlockEntries(chain: Chain, listing: BlockListing): Promise<BlockTransactions<BlockEntry>> {
  const { block, items, incomplete } = await collect<BlockTransactionId>(chain, listing, fetchBlockTransactions);
  const { workchain } = block;
  const entries = items.map(({ account, lt, hash }) => ({ address: makeAddress(workchain, account), lt, hash }));
  return { block, items: entries, incomplete };
}

/** A block's whole transactions. */
export async function listBlockTransactions(
  chain: Chain,
  listing: BlockListing,
): Promise<BlockTransactions<AccountTransaction>> {
  const { block, items, incomplete } = await collect(chain, listing, fetchBlockTransactionsExt);
  const { workchain } = block;
  const whole = items.map((transaction) => ({ address: makeAddress(workchain, transaction.account), transaction }));
  return { block, items: whole, incomplete };
}

const largestPage = 256;

type FetchPage<T> = (
  server: Chain["server"],
  block: BlockIdExt,
  asked: { readonly count: number; readonly after: BlockListing["after"] },
  asking: Chain["asking"],
) => Promise<BlockPage<T>>;

async function collect<T extends { readonly account: Hash; readonly lt: bigint }>(
  chain: Chain,
  listing: BlockListing,
  fetchPage: FetchPage<T>,
): Promise<BlockTransactions<T>> {
  const block = await getBlockId(chain, listing.block);
  const items: T[] = [];
  let after = listing.after;
  for (;;) {
    const count = Math.min(listing.count - items.length, largestPage);
    const page = await fetchPage(chain.server, block, { count, after }, chain.asking);
    items.push(...page.items);
    const last = items.at(-1);
    if (!page.incomplete || last === undefined || items.length >= listing.count)
      return { block, items, incomplete: page.incomplete };
    after = { account: last.account, lt: last.lt };
  }
}
