import { AugmentedDictionary, type AugmentedEntry } from "../../cell/augmentedDictionary.ts";
import { changeEntriesInSteps, type DictionaryChange, rebuildInSteps } from "../../cell/augmentedEdits.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { bigUintKey, hashKey } from "../../cell/keys.ts";
import { Linked, linked, makeLinked } from "../../cell/linked.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { Account, type DepthBalance, type ShardAccount, type ShardAccounts } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { AccountBlock, type ShardAccountBlocks } from "../../model/block/AccountBlock.ts";
import { type CurrencyCollection, currencySum } from "../../model/Currency.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { LibDescr } from "../../model/Library.ts";
import type { TickTock } from "../../model/StateInit.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { BlockInput } from "./BlockInput.ts";
import { republish } from "./libraries.ts";
import type { RunResult } from "./Runner.ts";

/** What a block needs of a transaction after it. The whole value would stay in memory until the block is made. */
interface StoredTransaction {
  readonly lt: bigint;
  /** The first logical time after it and its messages. */
  readonly endLt: bigint;
  readonly cell: Cell;
  readonly totalFees: CurrencyCollection;
}

/** An account while a block is made: its newest state and its transactions in this block. */
interface WorkAccount {
  readonly account: Hash;
  readonly before: ShardAccount;
  shardAccount: ShardAccount;
  readonly transactions: StoredTransaction[];
}

const noAccount: ShardAccount = {
  account: makeLinked(Account, { kind: "none" }),
  lastTransactionHash: zeroHash,
  lastTransactionLt: 0n,
};
const noTransactions = new AugmentedDictionary(undefined, bigUintKey(64), linked(Transaction), currencySum);
const noBlocks: ShardAccountBlocks = new AugmentedDictionary(undefined, hashKey, AccountBlock, currencySum);

/** Accounts that are put into a list in one step. */
const accountsPerStep = 50;

/** The accounts of a shard while a block is made. */
export class WorkAccounts {
  readonly #before: ShardAccounts;
  readonly #touched = new Map<Hash, WorkAccount>();
  /** The account that was read last: a transaction reads it, then changes it. */
  #lastRead: { readonly account: Hash; readonly shardAccount: ShardAccount } | undefined;

  readonly #mustFetch: BlockInput["mustFetch"];
  #isWaiting = false;

  constructor(before: ShardAccounts, mustFetch: BlockInput["mustFetch"]) {
    this.#before = before;
    this.#mustFetch = mustFetch;
  }

  /** Whether accounts may have to be fetched. */
  get isPartial(): boolean {
    return this.#mustFetch !== undefined;
  }

  /** Whether a message waits for its account. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Whether an account has to be fetched before a message can be delivered to it. */
  mustFetch(address: Address): boolean {
    if (this.#mustFetch?.(address) !== true) return false;
    this.#isWaiting = true;
    return true;
  }

  /** The account as it is now. */
  current(account: Hash): ShardAccount {
    const touched = this.#touched.get(account);
    if (touched !== undefined) return touched.shardAccount;
    if (this.#lastRead?.account !== account)
      this.#lastRead = { account, shardAccount: this.#before.find(account) ?? noAccount };
    return this.#lastRead.shardAccount;
  }

  /**
   * The lowest logical time of the account's next transaction, at least the given one. An account that was deleted in
   * this block does not say itself when it had its last one.
   */
  nextLt(account: Hash, lt: bigint): bigint {
    const endLt = this.#touched.get(account)?.transactions.at(-1)?.endLt ?? 0n;
    return endLt > lt ? endLt : lt;
  }

  /** When the chain itself runs an account; undefined for ordinary ones. */
  tickTockMark(account: Hash): TickTock | undefined {
    const state = this.current(account).account.load();
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
  apply(account: Hash, { transaction: { lt, outCount, cell, totalFees }, shardAccount }: RunResult): void {
    const work = this.#touched.get(account);
    const kept = { lt, endLt: lt + BigInt(outCount) + 1n, cell, totalFees };
    if (work === undefined) {
      this.#touched.set(account, { account, before: this.current(account), shardAccount, transactions: [kept] });
    } else {
      work.shardAccount = shardAccount;
      work.transactions.push(kept);
    }
  }

  /** The new dictionary of accounts. */
  *after(): Steps<ShardAccounts> {
    const changes: DictionaryChange<Hash, ShardAccount, DepthBalance>[] = [];
    for (const { account, shardAccount } of this.#touched.values()) {
      if (changes.push([account, entryOf(shardAccount)]) % accountsPerStep === 0) yield;
    }
    return yield* changeEntriesInSteps(this.#before, changes);
  }

  /** The account blocks of accounts with transactions. */
  *blocks(): Steps<ShardAccountBlocks> {
    const blocks: [Hash, AccountBlock, CurrencyCollection][] = [];
    for (const { account, before, shardAccount, transactions: list } of this.#touched.values()) {
      const transactions = yield* rebuildInSteps(
        noTransactions,
        list.map((t) => [t.lt, new Linked(t.cell, Transaction), t.totalFees] as const),
      );
      const stateUpdate = { oldHash: before.account.cell.hash(), newHash: shardAccount.account.cell.hash() };
      const block = { account, transactions, stateUpdate };
      if (blocks.push([account, block, transactions.rootExtra()]) % accountsPerStep === 0) yield;
    }
    return yield* rebuildInSteps(noBlocks, blocks);
  }
}

/** The entry of an account in the dictionary; none of a deleted one. */
function entryOf(value: ShardAccount): AugmentedEntry<ShardAccount, DepthBalance> | undefined {
  const state = value.account.load();
  if (state.kind === "none") return undefined;
  const { balance, state: inner } = state.storage;
  const splitDepth = inner.kind === "active" ? (inner.init.fixedPrefixLength ?? 0) : 0;
  return { value, extra: { splitDepth, balance } };
}
