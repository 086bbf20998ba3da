import { AugmentedDictionary } from "../../cell/augmentedDictionary.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { bigUintKey, hashKey } from "../../cell/keys.ts";
import { Linked, linked, makeLinked } from "../../cell/linked.ts";
import { Account, ShardAccount, type ShardAccounts } from "../../model/Account.ts";
import { AccountBlock, type ShardAccountBlocks } from "../../model/block/AccountBlock.ts";
import { currencySum } from "../../model/Currency.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { LibDescr } from "../../model/Library.ts";
import { type InCell, loadInCell } from "../../model/Message.ts";
import type { TickTock } from "../../model/StateInit.ts";
import { Transaction } from "../../model/Transaction.ts";
import { republish } from "./libraries.ts";
import type { RunResult } from "./Runner.ts";

/** An account while a block is made: its newest state and its transactions in this block. */
interface WorkAccount {
  readonly account: Hash;
  readonly before: Cell;
  shardAccount: Cell;
  readonly transactions: InCell<Transaction>[];
}

const noAccount = makeLinked(Account, { kind: "none" });
const noTransactions = new AugmentedDictionary(undefined, bigUintKey(64), linked(Transaction), currencySum);
const noBlocks: ShardAccountBlocks = new AugmentedDictionary(undefined, hashKey, AccountBlock, currencySum);

/** The accounts of a shard while a block is made. */
export class WorkAccounts {
  readonly #before: ShardAccounts;
  readonly #touched = new Map<Hash, WorkAccount>();

  constructor(before: ShardAccounts) {
    this.#before = before;
  }

  /** ShardAccount as it is now. */
  current(account: Hash): Cell {
    const touched = this.#touched.get(account);
    return touched?.shardAccount ?? storeCell(ShardAccount, this.#find(account));
  }

  /** When the chain itself runs an account; undefined for ordinary ones. */
  tickTockMark(account: Hash): TickTock | undefined {
    const state = loadCell(ShardAccount, this.current(account)).account.load();
    if (state.kind !== "account" || state.storage.state.kind !== "active") return undefined;
    return state.storage.state.init.special;
  }

  /** The masterchain's list of libraries, with the changes of the accounts. */
  republished(libraries: Dictionary<Hash, LibDescr>): Dictionary<Hash, LibDescr> {
    let list = libraries;
    for (const { account, before, shardAccount } of this.#touched.values())
      list = republish(list, account, before, shardAccount);
    return list;
  }

  /** Applies the result of a transaction. */
  apply(account: Hash, ran: RunResult): InCell<Transaction> {
    const transaction = loadInCell(Transaction, ran.transaction);
    let work = this.#touched.get(account);
    if (work === undefined) {
      work = { account, before: this.current(account), shardAccount: ran.shardAccount, transactions: [] };
      this.#touched.set(account, work);
    }
    work.shardAccount = ran.shardAccount;
    work.transactions.push(transaction);
    return transaction;
  }

  /** The new dictionary of accounts. */
  after(): ShardAccounts {
    let accounts = this.#before;
    for (const { account, shardAccount } of this.#touched.values()) {
      const value = loadCell(ShardAccount, shardAccount);
      const state = value.account.load();
      if (state.kind === "none") {
        accounts = accounts.delete(account);
      } else {
        const { balance, state: inner } = state.storage;
        const splitDepth = inner.kind === "active" ? (inner.init.fixedPrefixLength ?? 0) : 0;
        accounts = accounts.set(account, value, { splitDepth, balance });
      }
    }
    return accounts;
  }

  /** The account blocks of accounts with transactions. */
  blocks(): ShardAccountBlocks {
    return noBlocks.rebuilt(
      [...this.#touched.values()].map((work) => {
        const transactions = noTransactions.rebuilt(
          work.transactions.map((t) => [t.lt, new Linked(t.cell, Transaction), t.totalFees] as const),
        );
        const stateUpdate = { oldHash: accountHash(work.before), newHash: accountHash(work.shardAccount) };
        const value = { account: work.account, transactions, stateUpdate };
        return [work.account, value, transactions.rootExtra()] as const;
      }),
    );
  }

  /** All transactions of this block. */
  transactions(): InCell<Transaction>[] {
    return [...this.#touched.values()].flatMap((work) => work.transactions);
  }

  #find(account: Hash): ShardAccount {
    return this.#before.find(account) ?? { account: noAccount, lastTransactionHash: zeroHash, lastTransactionLt: 0n };
  }
}

function accountHash(shardAccount: Cell): Hash {
  return loadCell(ShardAccount, shardAccount).account.cell.hash();
}
