import { isCoded } from "../lib/errors.ts";
import type { HeaderAt } from "../lite/queries/blocks.ts";
import { fetchBlockTransactionsExt } from "../lite/queries/transactions.ts";
import { type Address, accountOf, type InternalAddress, plainAddress, workchainOf } from "../model/Address.ts";
import { type BlockIdExt, masterchain, shardHolds, wholeShard } from "../model/BlockId.ts";
import type { InCell, Message } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import { lookUp } from "./blocks.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";
import type { AccountTransaction } from "./transactions.ts";

/** A message between two accounts, which no other shares its sender and its logical time with. */
export interface MessageKey {
  readonly source: Address;
  readonly destination: Address;
  readonly createdLt: bigint;
}

/** How many blocks a message is looked for in; one that waits longer than that in a queue is not found by this way. */
const blocksUntilTaken = 16;
/** A message is made within its block; the block before may end at the very same time. */
const blocksUntilSent = 2;

/** The transaction of the destination that took the message in. */
export async function locateResult(chain: Chain, key: MessageKey): Promise<AccountTransaction> {
  const took = ({ messages }: Transaction) => messages.in !== undefined && isMessage(messages.in, key);
  return locate(chain, key.destination, key, blocksUntilTaken, took);
}

/** The transaction of the source that sent the message. */
export async function locateSource(chain: Chain, key: MessageKey): Promise<AccountTransaction> {
  const sent = ({ messages }: Transaction) => messages.out.values().some((message) => isMessage(message, key));
  return locate(chain, key.source, key, blocksUntilSent, sent);
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

async function locate(
  chain: Chain,
  address: Address,
  key: MessageKey,
  blocks: number,
  isIt: (transaction: Transaction) => boolean,
): Promise<AccountTransaction> {
  let lt = key.createdLt;
  for (let i = 0; i < blocks; i++) {
    const header = await findBlock(chain, address, lt, i === 0);
    if (header === undefined) break;
    const transaction = await findInBlock(chain, header.id, address, isIt);
    if (transaction !== undefined) return { address, transaction };
    lt = header.info.endLt + 1n;
  }
  const { source, destination, createdLt } = key;
  throw new ChainError("chain/not-found", `no message from ${source} to ${destination} at ${createdLt}`);
}

/** The first block with this time in the shard of the account, if the chain has come so far. */
async function findBlock(chain: Chain, address: Address, lt: bigint, isFirst: boolean): Promise<HeaderAt | undefined> {
  const shard = BigInt(`0x${accountOf(address).slice(0, 16)}`) | 1n;
  try {
    return await lookUp(chain, { workchain: workchainOf(address), shard, by: "lt", lt });
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    // A time that not even the masterchain has come to is the caller's mistake and worth the server's own words.
    if (isFirst) await lookUp(chain, { workchain: masterchain, shard: wholeShard, by: "lt", lt });
    return undefined;
  }
}

const pageSize = 64;

async function findInBlock(
  { server, asking }: Chain,
  block: BlockIdExt,
  address: Address,
  isIt: (transaction: Transaction) => boolean,
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
