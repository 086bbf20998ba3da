import { beginCell } from "../cell/Builder.ts";
import type { Cell } from "../cell/Cell.ts";
import { type AccountEntry, fetchAccount } from "../lite/queries/accounts.ts";
import { fetchConfigParams } from "../lite/queries/config.ts";
import type { TransactionPoint } from "../lite/queries/transactions.ts";
import type { StorageInfo } from "../model/Account.ts";
import type { Address } from "../model/Address.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import { type CurrencyCollection, noCurrency } from "../model/Currency.ts";
import { SuspendedAddressList } from "../model/config/contracts.ts";
import { findParam } from "../model/config/readConfig.ts";
import { type Hash, zeroHash } from "../model/Hash.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";
import { getMasterBlock } from "./head.ts";

/** The state of an account besides its balance. */
export type AccountContent =
  | { readonly kind: "nonexist" }
  | { readonly kind: "uninit" }
  | { readonly kind: "frozen"; readonly stateHash: Hash }
  | { readonly kind: "active"; readonly code: Cell | undefined; readonly data: Cell | undefined };

/** An account at one masterchain block, existing or not. */
export interface AccountNow {
  readonly address: Address;
  /** The masterchain block. */
  readonly block: BlockIdExt;
  /**
   * The block whose state contains the account: the shard top that the masterchain block commits to, or that block
   * itself.
   */
  readonly shardBlock: BlockIdExt;
  /** When that block was made: for most accounts it is a shard block. */
  readonly syncAt: number;
  readonly balance: CurrencyCollection;
  /** Zero when there was none. */
  readonly lastTransaction: TransactionPoint;
  readonly content: AccountContent;
  readonly storage: StorageInfo | undefined;
  readonly entry: AccountEntry | undefined;
}

export const noTransaction: TransactionPoint = { lt: 0n, hash: zeroHash };

/** The account at the block with this seqno, or at the newest one. */
export async function getAccount(chain: Chain, address: Address, seqno?: number): Promise<AccountNow> {
  return getAccountAt(chain, address, await getMasterBlock(chain, seqno));
}

export async function getAccountAt(chain: Chain, address: Address, block: BlockIdExt): Promise<AccountNow> {
  const { shard, entry } = await fetchAccount(chain.server, block, address, chain.asking, chain.caches.shardProofs);
  if (shard === undefined) throw new ChainError("chain/no-workchain", `the workchain of ${address} does not exist`);
  const place = { address, block, shardBlock: shard.block, syncAt: shard.header.genUtime, entry };
  const account = entry?.account;
  if (entry === undefined || account === undefined || account.kind === "none") {
    const nothing = { balance: noCurrency, lastTransaction: noTransaction, storage: undefined };
    return { content: { kind: "nonexist" }, ...nothing, ...place };
  }
  const { balance, state } = account.storage;
  const { lastTransactionHash: hash, lastTransactionLt: lt } = entry.shardAccount;
  const content: AccountContent =
    state.kind === "active" ? { kind: "active", code: state.init.code, data: state.init.data } : state;
  // In this order: with the spread first, the engine would make a new hidden class for every object.
  return { balance, lastTransaction: { lt, hash }, content, storage: account.storageInfo, ...place };
}

/** Whether an account is suspended by configuration parameter 44 of the block at which it was read. */
export async function isSuspended(chain: Chain, { address, block, syncAt }: AccountNow): Promise<boolean> {
  const list = await chain.caches.suspended.get(chain, block.rootHash, async (server, asking) =>
    findParam((await fetchConfigParams(server, block, [44], asking)).config, 44, SuspendedAddressList),
  );
  return list !== undefined && syncAt < list.suspendedUntilAt && list.addresses.has(address);
}

// account_none$0 = Account;
const noAccount = beginCell().storeBit(false).cell();

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
/** The account's entry in the shard's state, including the whole account. */
export function shardAccountCell({ entry, lastTransaction }: AccountNow): Cell {
  const builder = beginCell().storeRef(entry?.cell ?? noAccount);
  return builder.storeHex(lastTransaction.hash).storeBigUint(lastTransaction.lt, 64).cell();
}

/** The code of an account, if any. */
export function findCode({ content }: AccountNow): Cell | undefined {
  return content.kind === "active" ? content.code : undefined;
}

/** The data of an account, if any. */
export function findData({ content }: AccountNow): Cell | undefined {
  return content.kind === "active" ? content.data : undefined;
}
