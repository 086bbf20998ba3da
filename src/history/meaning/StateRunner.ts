import { CellKind } from "../../cell/base/CellKind.ts";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { libraryHash } from "../../cell/exotic.ts";
import { weighCells } from "../../cell/weighCells.ts";
import { findKnownAnswer } from "../../contracts/findKnownAnswer.ts";
import { readContractMethods } from "../../contracts/kit/contractMethods.ts";
import type { CallOutcome, MethodCaller } from "../../contracts/kit/entity.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lru } from "../../lib/lru.ts";
import { fetchAccount } from "../../lite/queries/accounts.ts";
import { fetchConfig } from "../../lite/queries/config.ts";
import { fetchLibrariesWithProof } from "../../lite/queries/libraries.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { Account } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type CurrencyCollection, coinsOnly } from "../../model/Currency.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { VmValues } from "../../model/vm/VmValue.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { AccountAfter } from "../ingest/decode/DecodedBatch.ts";
import type { AccountQueries } from "../ingest/source/AccountQueries.ts";
import type { SqlSession } from "../store/Database.ts";
import { address as addressColumn } from "../store/schema/columns.ts";
import * as tables from "../store/schema/tables.ts";

/** The masterchain block whose states are used. */
export interface RunBlock {
  readonly master: BlockIdExt;
  /** The last block up to this one that changed the configuration. */
  readonly keySeqno: number;
  /** Unix time of the block. */
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface StateRunnerModules {
  readonly server: LiteServer;
  readonly executor: Executor;
  readonly queries: Pick<AccountQueries, "run">;
  readonly database: Pick<SqlSession, "query">;
}

export interface StateRunnerOptions {
  /** Memory limit for accounts that did not change recently; 16 MB by default. */
  readonly accountBytes?: number;
  /** Memory limit for libraries; 8 MB by default. */
  readonly libraryBytes?: number;
  /** The tables have all changes from this masterchain block up to the current one; from the first block by default. */
  readonly sinceSeqno?: number;
  /** Whether the tables have all changes of an account; of all accounts by default. */
  readonly isCovered?: ((address: Address) => boolean) | undefined;
}

export interface RunnerCounters {
  /** Get-methods run on the machine. */
  readonly runs: number;
  /** Runs that the machine could not finish. */
  readonly failedRuns: number;
  /** Accounts, libraries and configurations that were fetched. */
  readonly accountQueries: number;
  readonly libraryQueries: number;
  readonly configQueries: number;
}

/** Method ids of a code, if they are known. */
export interface CodeMethods {
  readonly ids: readonly number[] | undefined;
}

/** An account as a lite server has it. */
export interface FetchedState {
  readonly address: Address;
  readonly code: Cell | undefined;
  readonly data: Cell | undefined;
  readonly lastTransLt: bigint;
}

interface Runnable {
  readonly code: Cell;
  readonly data: Cell;
  readonly balance: CurrencyCollection;
}

interface MethodRun {
  readonly address: Address;
  readonly method: string;
  readonly stack: VmValues;
  readonly gas: bigint;
}

/** An account without code answers nothing. */
type CachedAccount = { readonly kind: "runnable"; readonly account: Runnable } | { readonly kind: "silent" };

const silent: CachedAccount = { kind: "silent" };
/**
 * Gas limit of a get-method: the limit of the reference implementation, because anybody may deploy code that uses all
 * of it.
 */
const gasLimit = 1_000_000n;
/** Overhead of an entry. */
const entryBytes = 300;
const methodBytes = 4 << 20;

/**
 * Runs get-methods on account states at the current block: changed accounts are passed in, others come from the tables
 * or once from a lite server. One runner follows one range of blocks in order.
 */
export class StateRunner {
  readonly #modules: StateRunnerModules;
  /**
   * Changed accounts that are not in the tables yet. They are dropped then, because their cells keep whole blocks in
   * memory.
   */
  readonly #changed = new Map<Address, AccountAfter>();
  /** Accounts that are being loaded. */
  readonly #loading = new Map<Address, Promise<CachedAccount>>();
  readonly #accounts: Lru<Address, CachedAccount>;
  /** A library may be removed again; contracts that need it keep their last detected entities. */
  readonly #libraries: Lru<Hash, Cell>;
  readonly #methods = new Lru<Hash, CodeMethods>({
    maxBytes: methodBytes,
    sizeOf: ({ ids = [] }) => ids.length * 8 + entryBytes,
  });
  readonly #sinceSeqno: number;
  readonly #isCovered: (address: Address) => boolean;
  #config: { readonly keySeqno: number; readonly config: Promise<Config> } | undefined;
  #runs = 0;
  #failedRuns = 0;
  #accountQueries = 0;
  #libraryQueries = 0;
  #configQueries = 0;

  constructor(modules: StateRunnerModules, options: StateRunnerOptions = {}) {
    const { accountBytes = 16 << 20, libraryBytes = 8 << 20, sinceSeqno = 0, isCovered = () => true } = options;
    this.#modules = modules;
    this.#sinceSeqno = sinceSeqno;
    this.#isCovered = isCovered;
    this.#accounts = new Lru({ maxBytes: accountBytes, sizeOf: weighAccount });
    this.#libraries = new Lru({ maxBytes: libraryBytes, sizeOf: (library) => weighCells(library) });
  }

  counters(): RunnerCounters {
    return {
      runs: this.#runs,
      failedRuns: this.#failedRuns,
      accountQueries: this.#accountQueries,
      libraryQueries: this.#libraryQueries,
      configQueries: this.#configQueries,
    };
  }

  /** Adds accounts as they are after a block. */
  put(accounts: readonly AccountAfter[]): void {
    for (const account of accounts) {
      this.#changed.set(account.address, account);
      this.#loading.delete(account.address);
      this.#accounts.delete(account.address);
    }
  }

  /** These accounts are committed; accounts that changed again are kept. */
  forgetCommitted(accounts: readonly AccountAfter[]): void {
    for (const account of accounts)
      if (this.#changed.get(account.address) === account) this.#changed.delete(account.address);
  }

  /** Methods of a code, or of the library it refers to. A reference without its library cannot run. */
  async findMethods(code: Cell, runBlock: RunBlock): Promise<CodeMethods | undefined> {
    const known = this.#methods.find(code.hash());
    if (known !== undefined) return known;
    const opened = code.kind === CellKind.library ? await this.findLibrary(libraryHash(code), runBlock) : code;
    if (opened === undefined) return undefined;
    const methods = { ids: readContractMethods(opened) };
    this.#methods.set(code.hash(), methods);
    return methods;
  }

  /** Runs get-methods of accounts at a block; code that the network trusts may get more gas. */
  callerAt(runBlock: RunBlock, gas: bigint = gasLimit): MethodCaller {
    return { ask: (address, method, stack) => this.#ask(runBlock, { address, method, stack, gas }) };
  }

  async #ask(runBlock: RunBlock, { address, method, stack, gas }: MethodRun): Promise<CallOutcome> {
    const account = await this.#getAccount(address, runBlock);
    if (account.kind === "silent") return { kind: "failed" };
    const { code, data } = account.account;
    const known = findKnownAnswer({ address, codeHash: code.hash(), data }, method, stack);
    if (known !== undefined) return { kind: "ok", stack: known };
    const config = await this.getConfig(runBlock);
    this.#runs++;
    try {
      const outcome = await this.#modules.executor.runGetMethod(
        {
          ...account.account,
          ...{ address, config, method, stack, gasLimit: gas, now: runBlock.now, randomSeed: zeroHash },
          findLibrary: (hash) => this.findLibrary(hash, runBlock),
        },
        runBlock.signal,
      );
      const isWell = outcome.exitCode === 0 || outcome.exitCode === 1;
      return isWell ? { kind: "ok", stack: outcome.stack } : { kind: "failed" };
    } catch (error) {
      // Code that breaks the machine or never ends has no answer; it must not block indexing.
      if (!isCoded(error) || !brokenRuns.has(error.code)) throw error;
      this.#failedRuns++;
      return { kind: "failed" };
    }
  }

  #getAccount(address: Address, runBlock: RunBlock): Promise<CachedAccount> {
    const changed = this.#changed.get(address);
    if (changed !== undefined) {
      const { cell, code, data } = changed;
      return Promise.resolve(code && data ? kept(code, data, balanceOf(cell)) : silent);
    }
    const known = this.#accounts.find(address);
    if (known !== undefined) return Promise.resolve(known);
    const underWay = this.#loading.get(address);
    if (underWay !== undefined) return underWay;
    const loading = this.#loadAccount(address, runBlock);
    this.#loading.set(address, loading);
    const forgetCommitted = (found: CachedAccount | undefined): void => {
      // The account changed in the meantime, so this state is out of date.
      if (this.#loading.get(address) !== loading) return;
      this.#loading.delete(address);
      if (found !== undefined) this.#accounts.set(address, found);
    };
    loading.then(forgetCommitted, () => forgetCommitted(undefined));
    return loading;
  }

  /**
   * The tables have the newest state of an account. During backfill it may be newer than the block, and after a gap
   * older: both are not the state at the block.
   */
  async #loadAccount(address: Address, runBlock: RunBlock): Promise<CachedAccount> {
    if (!this.#isCovered(address)) return this.#fetchAccount(address, runBlock);
    const [row] = await this.#modules.database.query(
      `select l.status, l.balance, l.data_boc, c.boc from latest_account_states l
       join transactions t on t.account = l.account and t.lt = l.last_trans_lt and t.mc_block_seqno between $2 and $3
       left join codes c on c.hash = l.code_hash where l.account = $1::bytea`,
      [addressColumn.write(address), this.#sinceSeqno, runBlock.master.seqno],
    );
    if (row === undefined) return this.#fetchAccount(address, runBlock);
    const { status, balance, dataBoc } = tables.latestAccountStates.columns;
    if (status.read(row.status ?? null) !== "active") return silent;
    const code = dataBoc.read(row.boc ?? null);
    const data = dataBoc.read(row.data_boc ?? null);
    if (code === undefined || data === undefined) return this.#fetchAccount(address, runBlock);
    return kept(readRoot(code), readRoot(data), coinsOnly(balance.read(row.balance ?? null)));
  }

  async #fetchAccount(address: Address, { master, signal }: RunBlock): Promise<CachedAccount> {
    const { server, queries } = this.#modules;
    this.#accountQueries++;
    const { entry } = await queries.run((own) => fetchAccount(server, master, address, { signal: own }), signal);
    const account = entry?.account;
    if (account?.kind !== "account" || account.storage.state.kind !== "active") return silent;
    const { code, data } = account.storage.state.init;
    return code && data ? kept(code, data, account.storage.balance) : silent;
  }

  /** An account at a block with its last transaction, whatever the tables have; `undefined` when there is none. */
  async fetchState(address: Address, { master, signal }: RunBlock): Promise<FetchedState | undefined> {
    const { server, queries } = this.#modules;
    this.#accountQueries++;
    const { entry } = await queries.run((own) => fetchAccount(server, master, address, { signal: own }), signal);
    if (entry === undefined) return undefined;
    const { account, shardAccount } = entry;
    const state = account.kind === "account" ? account.storage.state : undefined;
    const init = state?.kind === "active" ? state.init : undefined;
    return { address, code: init?.code, data: init?.data, lastTransLt: shardAccount.lastTransactionLt };
  }

  /** A public library at a block. */
  async findLibrary(hash: Hash, { master, signal }: RunBlock): Promise<Cell | undefined> {
    const known = this.#libraries.find(hash);
    if (known !== undefined) return known;
    const { server, queries } = this.#modules;
    this.#libraryQueries++;
    const ask = (own: AbortSignal) => fetchLibrariesWithProof(server, master, [hash], { signal: own });
    const cell = (await queries.run(ask, signal)).get(hash);
    if (cell !== undefined) this.#libraries.set(hash, cell);
    return cell;
  }

  /** The configuration at a block. */
  getConfig({ master, keySeqno, signal }: RunBlock): Promise<Config> {
    if (this.#config?.keySeqno === keySeqno) return this.#config.config;
    const { server, queries } = this.#modules;
    this.#configQueries++;
    const config = queries
      .run((own) => fetchConfig(server, master, { signal: own }), signal)
      .then((answer) => answer.config);
    const entry = { keySeqno, config };
    this.#config = entry;
    config.catch(() => {
      if (this.#config === entry) this.#config = undefined;
    });
    return config;
  }
}

const brokenRuns: ReadonlySet<string> = new Set(["tvm/timeout", "tvm/crash", "tvm/input"]);

function weighAccount(found: CachedAccount): number {
  return found.kind === "silent" ? entryBytes : weighCells(found.account.code, found.account.data) + entryBytes;
}

function kept(code: Cell, data: Cell, balance: CurrencyCollection): CachedAccount {
  return { kind: "runnable", account: { code, data, balance } };
}

function balanceOf(cell: Cell): CurrencyCollection {
  const account = loadCell(Account, cell);
  return account.kind === "account" ? account.storage.balance : coinsOnly(0n);
}
