import { getAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import { listTransactions } from "../../chain/transactions.ts";
import type { IndexedPoint } from "../../history/queries/transactionPoint.ts";
import { type Address, findAddress } from "../../model/Address.ts";
import { findHash, type Hash } from "../../model/Hash.ts";
import { AppError } from "../errors.ts";

/** A transaction as named by a user. */
export type NamedTransaction =
  | { readonly kind: "hash"; readonly hash: string; readonly account: string | undefined }
  | { readonly kind: "point"; readonly address: string; readonly lt: string; readonly hash: string };

/** Where a transaction is found on the chain. */
export interface FoundTransaction extends IndexedPoint {
  readonly hash: Hash;
}

export interface FindModules {
  readonly chain: Chain;
  /** Finds a transaction in the index; called only if nothing but a hash is known. */
  readonly findPoint: (hash: Hash) => Promise<IndexedPoint | undefined>;
}

/** Number of an account's transactions that are searched for a hash, and the page size. */
const maxSearched = 10_000;
const page = 100;

/** Finds a named transaction: through the index, or among the transactions of an account. */
export async function findNamed(named: NamedTransaction, modules: FindModules): Promise<FoundTransaction> {
  const hash = readHash(named.hash);
  if (named.kind === "point") return { address: readAddress(named.address), lt: readLt(named.lt), hash };
  if (named.account !== undefined) return findOfAccount(modules.chain, readAddress(named.account), hash);
  const point = await modules.findPoint(hash);
  if (point === undefined)
    throw new AppError("app/usage", `the index has no transaction ${hash}; give its account with --account`);
  return { ...point, hash };
}

async function findOfAccount(chain: Chain, address: Address, hash: Hash): Promise<FoundTransaction> {
  let { lastTransaction: from } = await getAccount(chain, address);
  for (let searched = 0; searched < maxSearched && from.lt > 0n; searched += page) {
    const { items } = await listTransactions(chain, address, { from, toLt: 0n, limit: page });
    const item = items.find(({ transaction }) => transaction.cell.hash() === hash);
    if (item !== undefined) return { address, lt: item.transaction.lt, hash };
    const last = items.at(-1)?.transaction;
    if (last === undefined) break;
    from = { lt: last.prevLt, hash: last.prevHash };
  }
  throw new AppError("app/usage", `${address} has no transaction ${hash} among its last ${maxSearched}`);
}

function readHash(text: string): Hash {
  return findHash(text) ?? refuse(`"${text}" is not a hash`);
}

function readAddress(text: string): Address {
  return findAddress(text)?.address ?? refuse(`"${text}" is not an address`);
}

function readLt(text: string): bigint {
  return /^[0-9]{1,19}$/.test(text) ? BigInt(text) : refuse(`"${text}" is not a logical time`);
}

function refuse(what: string): never {
  throw new AppError("app/usage", what);
}
