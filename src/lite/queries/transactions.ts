import { readBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Hash } from "../../cell/Hash.ts";
import { isCoded } from "../../lib/errors.ts";
import { type Address, accountOf } from "../../model/Address.ts";
import { type AccountBlock, ShardAccountBlocks } from "../../model/block/AccountBlock.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { BlockExtraOutline, type BlockOutline } from "../../model/block/outlines.ts";
import { hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import { type InCell, loadInCell } from "../../model/Message.ts";
import { Transaction } from "../../model/Transaction.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getTransactions, listBlockTransactions, listBlockTransactionsExt } from "../tl/liteQueries.ts";
import type { blockTransactions, blockTransactionsExt, transactionList } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { accountIdToTl, blockIdFromTl, blockIdToTl } from "./ids.ts";
import { expectBlock, openBlockBody, proofError, proofRoot, proven } from "./proven.ts";

/** A position in an account's history. */
export interface TransactionPoint {
  readonly lt: bigint;
  readonly hash: Hash;
}

/** A transaction of a history; the chain of hashes proves it; its block is not proved. */
export interface HistoryItem {
  readonly transaction: InCell<Transaction>;
  readonly claimedBlock: BlockIdExt;
}

/**
 * Each transaction must be the one that the previous one points back to. A page may be shorter than requested, but not
 * empty: the transaction that is pointed at exists.
 */
export function checkTransactions(
  address: Address,
  from: TransactionPoint,
  count: number,
  answer: TlValue<typeof transactionList>,
): HistoryItem[] {
  return proven("transactions", () => {
    const roots = answer.transactions.length === 0 ? [] : readBoc(answer.transactions);
    if (roots.length !== answer.ids.length)
      throw proofError(`${roots.length} transactions of ${answer.ids.length} blocks`);
    if (roots.length > count) throw proofError(`${roots.length} transactions instead of ${count}`);
    if (roots.length === 0 && count > 0 && from.lt > 0n) throw proofError(`no transaction ${from.lt} of ${address}`);
    let next = from;
    return roots.map((cell, i) => {
      const transaction = loadInCell(Transaction, cell);
      if (cell.hash() !== next.hash || transaction.lt !== next.lt || transaction.account !== accountOf(address))
        throw proofError(`transaction ${i} is not ${next.lt}:${next.hash} of ${address}`);
      const block = answer.ids[i];
      if (block === undefined) throw proofError(`transaction ${i} has no block`);
      next = { lt: transaction.prevLt, hash: transaction.prevHash };
      return { transaction, claimedBlock: blockIdFromTl(block) };
    });
  });
}

/** Transactions of an account from a point backwards; servers return at most 16 at a time. */
export async function fetchTransactions(
  server: LiteServer,
  address: Address,
  from: TransactionPoint,
  count: number,
  options: TypedAskOptions,
): Promise<HistoryItem[]> {
  const args = { count, account: accountIdToTl(address), lt: from.lt, hash: hashToBytes(from.hash) };
  const check = (answer: TlValue<typeof transactionList>) => checkTransactions(address, from, count, answer);
  return askProven(server, getTransactions, args, check, options);
}

export interface BlockListQuery {
  readonly count: number;
  readonly after?: { readonly account: Hash; readonly lt: bigint } | undefined;
  readonly reverse?: boolean;
}

export interface BlockTransactionId {
  readonly account: Hash;
  readonly lt: bigint;
  readonly hash: Hash;
}

export interface BlockPage<T> {
  readonly items: readonly T[];
  /** Whether the block has more after these. */
  readonly incomplete: boolean;
}

type PageAnswer = TlValue<typeof blockTransactions>;

/** The proved page of a block, as long as the given one. */
function checkPage(
  block: BlockIdExt,
  blockListQuery: BlockListQuery,
  given: number,
  answer: Pick<PageAnswer, "id" | "incomplete" | "proof">,
): BlockPage<BlockTransactionId> {
  expectBlock(answer.id, block);
  if (given > blockListQuery.count) throw proofError(`${given} transactions instead of ${blockListQuery.count}`);
  const proved = openBlockBody(proofRoot(answer.proof), block);
  if (blockListQuery.count === 0) return { items: [], incomplete: true };
  if (given === 0 && answer.incomplete) throw proofError("an empty page that is not the last");
  const page = pageOf(proved, blockListQuery, given);
  if (page.items.length !== given) throw proofError(`transactions that the block does not have`);
  // The opposite is not an error: servers do not look past a full page.
  if (page.incomplete && !answer.incomplete) throw proofError("a last page, although the block has more");
  return page;
}

/**
 * Up to `count` transactions. Whether more follow can always be determined: every branch of the tree has content, so a
 * branch that the proof leaves out after the last transaction has more.
 */
function pageOf(block: BlockOutline, blockListQuery: BlockListQuery, count: number): BlockPage<BlockTransactionId> {
  const items: BlockTransactionId[] = [];
  let incomplete = false;
  try {
    walkBlock(block, blockListQuery, (item) => {
      incomplete = items.length === count;
      if (!incomplete) items.push(item);
      return !incomplete;
    });
  } catch (error) {
    if (count === 0 || items.length < count || !isCoded(error, "cell/pruned")) throw error;
    incomplete = true;
  }
  return { items, incomplete };
}

/** The transactions of a block, by account. */
export function accountBlocksOf(block: BlockOutline): ShardAccountBlocks {
  return loadCell(ShardAccountBlocks, loadCell(BlockExtraOutline, block.extra).accountBlocks);
}

function walkBlock(
  block: BlockOutline,
  blockListQuery: BlockListQuery,
  visit: (item: BlockTransactionId) => boolean,
): void {
  const { after, reverse = false } = blockListQuery;
  const accounts = accountBlocksOf(block);
  const visitAccount = (accountBlock: AccountBlock, account: Hash): boolean => {
    const range = cursorRange(account, after, reverse);
    let going = true;
    if (range === undefined) return going;
    accountBlock.transactions.walk((link, lt) => {
      going = visit({ account, lt, hash: link.cell.hash(0) });
      return going;
    }, range);
    return going;
  };
  accounts.walk(visitAccount, after === undefined ? { reverse } : { from: after.account, reverse });
}

/** The part of an account's transactions after the cursor; undefined when there can be none. */
function cursorRange(account: Hash, after: BlockListQuery["after"], reverse: boolean) {
  if (after === undefined || account !== after.account) return { reverse };
  if (reverse ? after.lt === 0n : after.lt === 0xffffffffffffffffn) return undefined;
  return { from: reverse ? after.lt - 1n : after.lt + 1n, reverse };
}

export function checkBlockTransactions(
  block: BlockIdExt,
  blockListQuery: BlockListQuery,
  answer: PageAnswer,
): BlockPage<BlockTransactionId> {
  return proven("block transactions", () => {
    const page = checkPage(block, blockListQuery, answer.ids.length, answer);
    page.items.forEach((real, i) => {
      const { account, lt, hash } = answer.ids[i] ?? {};
      const same =
        (account === undefined || hashFromBytes(account) === real.account) &&
        (lt === undefined || BigInt.asUintN(64, lt) === real.lt) &&
        (hash === undefined || hashFromBytes(hash) === real.hash);
      if (!same) throw proofError(`transaction ${i} does not match the block`);
    });
    return page;
  });
}

export function checkBlockTransactionsExt(
  block: BlockIdExt,
  blockListQuery: BlockListQuery,
  answer: TlValue<typeof blockTransactionsExt>,
): BlockPage<InCell<Transaction>> {
  return proven("block transactions", () => {
    const cells: readonly Cell[] = answer.transactions.length === 0 ? [] : readBoc(answer.transactions);
    const { items, incomplete } = checkPage(block, blockListQuery, cells.length, answer);
    const transactions = cells.map((cell, i) => {
      if (cell.hash() !== items[i]?.hash) throw proofError(`transaction ${i} does not match the block`);
      return loadInCell(Transaction, cell);
    });
    return { items: transactions, incomplete };
  });
}

const wanted = 0b111;

function pageArgs(block: BlockIdExt, blockListQuery: BlockListQuery) {
  const { after, count, reverse } = blockListQuery;
  return {
    id: blockIdToTl(block),
    mode: wanted,
    count,
    wantProof: true as const,
    ...(reverse ? { reverseOrder: true as const } : {}),
    ...(after === undefined ? {} : { after: { account: hashToBytes(after.account), lt: after.lt } }),
  };
}

/** Ids of a block's transactions by account, then logical time; at most 256 at a time. */
export async function fetchBlockTransactions(
  server: LiteServer,
  block: BlockIdExt,
  blockListQuery: BlockListQuery,
  options: TypedAskOptions,
): Promise<BlockPage<BlockTransactionId>> {
  const check = (answer: PageAnswer) => checkBlockTransactions(block, blockListQuery, answer);
  return askProven(server, listBlockTransactions, pageArgs(block, blockListQuery), check, options);
}

/** A block's whole transactions by account, then logical time. */
export async function fetchBlockTransactionsExt(
  server: LiteServer,
  block: BlockIdExt,
  blockListQuery: BlockListQuery,
  options: TypedAskOptions,
): Promise<BlockPage<InCell<Transaction>>> {
  const check = (answer: TlValue<typeof blockTransactionsExt>) =>
    checkBlockTransactionsExt(block, blockListQuery, answer);
  return askProven(server, listBlockTransactionsExt, pageArgs(block, blockListQuery), check, options);
}
