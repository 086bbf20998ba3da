import { isCoded } from "../lib/errors.ts";
import type { HeaderAt } from "../lite/queries/blocks.ts";
import { fetchBlockTransactionsExt, fetchTransactions, type TransactionPoint } from "../lite/queries/transactions.ts";
import { type Address, accountOf, type InternalAddress, plainAddress, workchainOf } from "../model/Address.ts";
import { type BlockIdExt, masterchain, shardHolds, wholeShard } from "../model/block/BlockId.ts";
import type { InCell, Message } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import { getAccount } from "./accounts.ts";
import { lookUp } from "./blocks.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";
import { inStep } from "./step.ts";
import type { AccountTransaction } from "./transactions.ts";

/** A message between two accounts, which no other shares its sender and its logical time with. */
export interface MessageKey {
  readonly source: Address;
  readonly destination: Address;
  readonly createdLt: bigint;
}

/** How a message is looked for by the one who takes it in. */
export interface LocateOptions {
  /** How many blocks of its shard it is looked for in first: nearly all are taken in that soon. */
  readonly blocks: number;
  /** How many masterchain blocks further on the first look at the account is; each look goes twice as far. */
  readonly stride: number;
}

const usual: LocateOptions = { blocks: 8, stride: 64 };
/** A message is made within its block; the block before may end at the very same time. */
const blocksUntilSent = 2;

/** The transaction of the destination that took the message in. */
export async function locateResult(
  chain: Chain,
  key: MessageKey,
  { blocks, stride }: LocateOptions = usual,
): Promise<AccountTransaction> {
  const { destination, createdLt } = key;
  const took = ({ messages }: Transaction) => messages.in !== undefined && isMessage(messages.in, key);
  const soon = await walkBlocks(chain, destination, { fromLt: createdLt, blocks, isFirst: true }, took);
  if (soon.found !== undefined || soon.isOver) return foundOf(soon.found, destination, key);
  const later = await findInHistory(chain, destination, { ...soon, stride }, took);
  if (later.found !== undefined || later.isOver) return foundOf(later.found, destination, key);
  const rest = { fromLt: later.seenLt + 1n, blocks: Number.POSITIVE_INFINITY, isFirst: false };
  return foundOf((await walkBlocks(chain, destination, rest, took)).found, destination, key);
}

/** The transaction of the source that sent the message. */
export async function locateSource(chain: Chain, key: MessageKey): Promise<AccountTransaction> {
  const { source, createdLt } = key;
  const sent = ({ messages }: Transaction) => messages.out.values().some((message) => isMessage(message, key));
  const range = { fromLt: createdLt, blocks: blocksUntilSent, isFirst: true };
  return foundOf((await walkBlocks(chain, source, range, sent)).found, source, key);
}

function isMessage({ info }: Message, { source, destination, createdLt }: MessageKey): boolean {
  return (
    info.kind === "internal" &&
    info.createdLt === createdLt &&
    isAccount(info.src, source) &&
    isAccount(info.dest, destination)
  );
}

function isAccount(found: InternalAddress, wanted: Address): boolean {
  return typeof found === "string" ? found === wanted : found.bits === 256 && plainAddress(found) === wanted;
}

function foundOf(
  transaction: InCell<Transaction> | undefined,
  address: Address,
  { source, destination, createdLt }: MessageKey,
): AccountTransaction {
  if (transaction !== undefined) return { address, transaction };
  throw new ChainError("chain/not-found", `no message from ${source} to ${destination} at ${createdLt}`);
}

type IsIt = (transaction: Transaction) => boolean;

/** How far was looked. */
interface Looked {
  readonly found: InCell<Transaction> | undefined;
  /** Whether there is nothing further to look at. */
  readonly isOver: boolean;
  /** Everything up to this logical time was looked at. */
  readonly seenLt: bigint;
}

/** Looks through the blocks of an account's shard, one after another. */
async function walkBlocks(
  chain: Chain,
  address: Address,
  range: { readonly fromLt: bigint; readonly blocks: number; readonly isFirst: boolean },
  isIt: IsIt,
): Promise<Looked & { readonly masterSeqno: number }> {
  let [seenLt, masterSeqno] = [range.fromLt - 1n, 0];
  for (let i = 0; i < range.blocks; i++) {
    const header = await findBlock(chain, address, seenLt + 1n, range.isFirst && i === 0);
    if (header === undefined) return { found: undefined, isOver: true, seenLt, masterSeqno };
    const found = await findInBlock(chain, header.id, address, isIt);
    seenLt = header.info.endLt;
    masterSeqno = header.info.masterRef?.seqno ?? header.id.seqno;
    if (found !== undefined) return { found, isOver: true, seenLt, masterSeqno };
  }
  return { found: undefined, isOver: false, seenLt, masterSeqno };
}

/**
 * For a message that waited longer: looks at the account further and further on and reads back what it did in between,
 * so that the cost depends on the account's own transactions and not on the age of the message. It is not over where the
 * account was gone in between: what happened to it before is not in its history then, only in blocks.
 */
async function findInHistory(
  chain: Chain,
  address: Address,
  from: { readonly seenLt: bigint; readonly masterSeqno: number; readonly stride: number },
  isIt: IsIt,
): Promise<Looked> {
  let { seenLt } = from;
  for (let further = from.stride; ; further *= 2) {
    const at = Math.min(from.masterSeqno + further, chain.head.block.seqno);
    const isLast = at === chain.head.block.seqno;
    const last = await findLastTransaction(chain, address, at, isLast);
    if (last !== undefined) {
      const { found, isOver } = await readBack(chain, address, last, seenLt, isIt);
      if (found !== undefined || !isOver) return { found, isOver, seenLt };
      seenLt = last.lt > seenLt ? last.lt : seenLt;
    }
    if (isLast) return { found: undefined, isOver: true, seenLt };
  }
}

/** Servers forget old states sooner than old blocks: then a younger one is looked at. */
async function findLastTransaction(chain: Chain, address: Address, seqno: number, isLast: boolean) {
  try {
    return (await getAccount(chain, address, seqno)).lastTransaction;
  } catch (error) {
    if (isLast || !isCoded(error, "lite/server")) throw error;
    return undefined;
  }
}

/** Reads the history backwards from a transaction; it is over when it led back to what was seen. */
async function readBack(
  { server, asking }: Chain,
  address: Address,
  from: TransactionPoint,
  seenLt: bigint,
  isIt: IsIt,
): Promise<Looked> {
  let next = from;
  while (next.lt > seenLt) {
    for (const { transaction } of await fetchTransactions(server, address, next, pageOfHistory, asking)) {
      if (isIt(transaction)) return { found: transaction, isOver: true, seenLt };
      next = { lt: transaction.prevLt, hash: transaction.prevHash };
    }
  }
  return { found: undefined, isOver: next.lt > 0n, seenLt };
}

/** Servers give no more at once. */
const pageOfHistory = 16;

/** The first block with this time in the shard of the account, if the chain has come so far. */
async function findBlock(chain: Chain, address: Address, lt: bigint, isFirst: boolean): Promise<HeaderAt | undefined> {
  const shard = BigInt(`0x${accountOf(address).slice(0, 16)}`) | 1n;
  try {
    return await lookUp(chain, { workchain: workchainOf(address), shard, by: "lt", lt });
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    // A time that not even the masterchain has come to is the caller's mistake and worth the server's own words.
    if (isFirst)
      await inStep("shards-at-lt", lookUp(chain, { workchain: masterchain, shard: wholeShard, by: "lt", lt }));
    return undefined;
  }
}

const pageSize = 64;

async function findInBlock(
  { server, asking }: Chain,
  block: BlockIdExt,
  address: Address,
  isIt: IsIt,
): Promise<InCell<Transaction> | undefined> {
  if (!shardHolds(block, address)) return undefined;
  const account = accountOf(address);
  for (let lt = 0n; ; ) {
    const asked = { count: pageSize, after: { account, lt } };
    const { items, incomplete } = await fetchBlockTransactionsExt(server, block, asked, asking);
    const own = items.filter((item) => item.account === account);
    const found = own.find(isIt);
    const last = own.at(-1);
    if (found !== undefined || last === undefined || !incomplete || own.length < items.length) return found;
    lt = last.lt;
  }
}
