import { isCoded } from "../lib/errors.ts";
import type { HeaderAt } from "../lite/queries/blockHeader.ts";
import { lookUpClaimed } from "../lite/queries/lookup.ts";
import { fetchBlockTransactionsExt, fetchTransactions, type TransactionPoint } from "../lite/queries/transactions.ts";
import { type Address, accountOf, type InternalAddress, plainAddress, workchainOf } from "../model/Address.ts";
import { type BlockIdExt, masterchain, shardHolds, wholeShard } from "../model/block/BlockId.ts";
import type { InCell, Message } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import { getAccount } from "./accounts.ts";
import { lookUp } from "./blocks.ts";
import type { Chain } from "./Chain.ts";
import { ChainError, inStep } from "./errors.ts";
import type { AccountTransaction } from "./transactions.ts";

/** Identifies a message between two accounts: sender and logical time are unique. */
export interface MessageKey {
  readonly source: Address;
  readonly destination: Address;
  readonly createdLt: bigint;
}

/** The limits of the search for the receiving transaction. */
export interface LocateOptions {
  /** How many blocks of the destination's shard are searched first: nearly all messages arrive in them. */
  readonly blocks: number;
  /** How many masterchain blocks later the account is read first; each further read goes twice as far. */
  readonly stride: number;
  /** How many pages of the account's history are read at most. */
  readonly pages: number;
}

const usual: LocateOptions = { blocks: 8, stride: 64, pages: 32 };
/** A message is created within its block; the previous block may end at the same time. */
const blocksUntilSent = 2;

/**
 * The transaction of the destination that received the message: first in the next blocks of its shard, then in the
 * account's own history. Both searches are bounded.
 */
export async function locateResult(
  chain: Chain,
  key: MessageKey,
  options: LocateOptions = usual,
): Promise<AccountTransaction> {
  const { destination, createdLt } = key;
  const isReceiver = ({ messages }: Transaction) => messages.in !== undefined && isMessage(messages.in, key);
  const range = { fromLt: createdLt, blocks: options.blocks };
  const soon = await searchBlocks(chain, destination, range, isReceiver);
  if (soon.kind !== "open") return foundOf(soon, destination, key);
  return foundOf(await searchHistory(chain, destination, { ...soon, ...options }, isReceiver), destination, key);
}

/** The transaction of the source that sent the message. */
export async function locateSource(chain: Chain, key: MessageKey): Promise<AccountTransaction> {
  const { source, createdLt } = key;
  const isSender = ({ messages }: Transaction) => messages.out.values().some((message) => isMessage(message, key));
  const range = { fromLt: createdLt, blocks: blocksUntilSent };
  return foundOf(await searchBlocks(chain, source, range, isSender), source, key);
}

function isMessage({ info }: Message, { source, destination, createdLt }: MessageKey): boolean {
  return (
    info.kind === "internal" &&
    info.createdLt === createdLt &&
    isAccount(info.src, source) &&
    isAccount(info.dest, destination)
  );
}

function isAccount(internalAddress: InternalAddress, address: Address): boolean {
  return typeof internalAddress === "string"
    ? internalAddress === address
    : internalAddress.bits === 256 && plainAddress(internalAddress) === address;
}

function foundOf(search: Search, address: Address, { source, destination, createdLt }: MessageKey): AccountTransaction {
  if (search.kind === "found") return { address, transaction: search.transaction };
  throw new ChainError("chain/not-found", `no message from ${source} to ${destination} at ${createdLt}`);
}

type Matches = (transaction: Transaction) => boolean;

/** The outcome of a search. */
type Search =
  | { readonly kind: "found"; readonly transaction: InCell<Transaction> }
  /** The end of the chain, or of the bound. */
  | { readonly kind: "ended" }
  /** Everything up to this logical time was searched, in the shard block that refers to this masterchain block. */
  | { readonly kind: "open"; readonly seenLt: bigint; readonly masterSeqno: number };

const ended: Search = { kind: "ended" };

/** Searches successive blocks of an account's shard. */
async function searchBlocks(
  chain: Chain,
  address: Address,
  range: { readonly fromLt: bigint; readonly blocks: number },
  matches: Matches,
): Promise<Search> {
  let [seenLt, masterSeqno] = [range.fromLt - 1n, 0];
  for (let i = 0; i < range.blocks; i++) {
    const header = await findBlock(chain, address, seenLt + 1n, i === 0);
    if (header === undefined) return ended;
    const transaction = await findInBlock(chain, header.id, address, matches);
    if (transaction !== undefined) return { kind: "found", transaction };
    seenLt = header.info.endLt;
    masterSeqno = header.info.masterRef?.seqno ?? header.id.seqno;
  }
  return { kind: "open", seenLt, masterSeqno };
}

/**
 * For a message that waited longer: reads the account at later and later blocks and its transactions in between, so
 * that the cost depends on the account's own transactions and not on the age of the message. If the account was deleted
 * in between, its history starts again: earlier transactions are not searched.
 */
async function searchHistory(
  chain: Chain,
  address: Address,
  from: LocateOptions & { readonly seenLt: bigint; readonly masterSeqno: number },
  matches: Matches,
): Promise<Search> {
  let { seenLt, pages } = from;
  for (let further = from.stride; ; further *= 2) {
    const at = Math.min(from.masterSeqno + further, chain.head.block.seqno);
    const isLast = at === chain.head.block.seqno;
    const last = await findLastTransaction(chain, address, at, isLast);
    if (last !== undefined) {
      const { transaction, pagesLeft } = await readBack(chain, address, { from: last, seenLt, pages }, matches);
      if (transaction !== undefined) return { kind: "found", transaction };
      if (pagesLeft === 0) return ended;
      seenLt = last.lt > seenLt ? last.lt : seenLt;
      pages = pagesLeft;
    }
    if (isLast) return ended;
  }
}

/** Servers drop old states sooner than old blocks: then a newer state is read. */
async function findLastTransaction(chain: Chain, address: Address, seqno: number, isLast: boolean) {
  try {
    return (await getAccount(chain, address, seqno)).lastTransaction;
  } catch (error) {
    if (isLast || !isCoded(error, "lite/server")) throw error;
    return undefined;
  }
}

interface HistoryRange {
  readonly from: TransactionPoint;
  readonly seenLt: bigint;
  readonly pages: number;
}

/** Reads the history backwards from a transaction to the searched part, or until the page limit. */
async function readBack({ server, asking }: Chain, address: Address, range: HistoryRange, matches: Matches) {
  let [next, pagesLeft] = [range.from, range.pages];
  while (next.lt > range.seenLt && pagesLeft > 0) {
    pagesLeft--;
    for (const { transaction } of await fetchTransactions(server, address, next, pageOfHistory, asking)) {
      if (matches(transaction)) return { transaction, pagesLeft };
      next = { lt: transaction.prevLt, hash: transaction.prevHash };
    }
  }
  return { transaction: undefined, pagesLeft };
}

/** The largest page of servers. */
const pageOfHistory = 16;

/** The first block that ends at or after this logical time in the shard of the account, if the head has reached it. */
async function findBlock(chain: Chain, address: Address, lt: bigint, isFirst: boolean): Promise<HeaderAt | undefined> {
  const shard = BigInt(`0x${accountOf(address).slice(0, 16)}`) | 1n;
  try {
    return await lookUp(chain, { workchain: workchainOf(address), shard, by: "lt", lt });
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    if (isFirst) await refuseFuture(chain, lt);
    return undefined;
  }
}

/**
 * A time that the server's own masterchain has not reached is the caller's mistake and gets the server's error text. A
 * server may be ahead of the head of this request, so its masterchain is queried without a proof from that head.
 */
async function refuseFuture({ server, asking }: Chain, lt: bigint): Promise<void> {
  const asked = { workchain: masterchain, shard: wholeShard, by: "lt", lt } as const;
  await inStep("shards-at-lt", lookUpClaimed(server, asked, asking));
}

const pageSize = 64;

async function findInBlock(
  { server, asking }: Chain,
  block: BlockIdExt,
  address: Address,
  matches: Matches,
): Promise<InCell<Transaction> | undefined> {
  if (!shardHolds(block, address)) return undefined;
  const account = accountOf(address);
  for (let lt = 0n; ; ) {
    const asked = { count: pageSize, after: { account, lt } };
    const { items, incomplete } = await fetchBlockTransactionsExt(server, block, asked, asking);
    const own = items.filter((item) => item.account === account);
    const found = own.find(matches);
    const last = own.at(-1);
    if (found !== undefined || last === undefined || !incomplete || own.length < items.length) return found;
    lt = last.lt;
  }
}
