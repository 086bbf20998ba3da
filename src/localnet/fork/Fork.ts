import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Inflight } from "../../lib/inflight.ts";
import type { Log } from "../../lib/log.ts";
import { fetchBlockHeader } from "../../lite/queries/blockHeader.ts";
import { libraryLimit } from "../../lite/queries/libraries.ts";
import type { ShardAccounts } from "../../model/Account.ts";
import { type Address, accountOf, makeAddress, workchainOf } from "../../model/Address.ts";
import { masterchain, shardHolds } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { BaseBlock, ForkBase } from "../ledger/ForkBase.ts";
import { type BuiltBase, buildBase } from "./buildBase.ts";
import type { ForkFacts } from "./ForkFacts.ts";
import type { ForkFile } from "./ForkFile.ts";
import type { ForkOrigin } from "./fetchBase.ts";
import { findBranchKey, listKeys } from "./findBranchKey.ts";
import type { ForkRecord } from "./forkRecords.ts";
import { listLibraries } from "./listLibraries.ts";
import { fetchAccountCells, fetchLibraryCells } from "./originQueries.ts";

export interface ForkModules {
  /** Absent: nothing more can be fetched. */
  readonly origin: ForkOrigin | undefined;
  /** Where fetched cells stay; absent for a chain in memory. */
  readonly file: ForkFile | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** What was asked of the origin so far. */
export interface ForkReport {
  readonly facts: ForkFacts;
  /** The accounts that came, also those that do not exist. */
  readonly accounts: number;
  /** Queries of this process. */
  readonly queries: number;
  /** Messages that were under way in the origin and stay there; unknown where its states do not count them. */
  readonly messagesLeft: number | undefined;
}

/** How long the origin may take to answer. */
const patienceMs = 20_000;

/** How often a run is repeated that needs something which has to be fetched first. */
const maxRuns = 64;

/** The part of another network that a fork has: accounts and libraries come when they are needed. */
export class Fork {
  readonly base: ForkBase;
  readonly facts: ForkFacts;
  readonly #tree: BuiltBase["tree"];
  readonly #modules: ForkModules;
  readonly #fetching = new Inflight<string, void>();
  readonly #known = new Set<Address>();
  /** Those whose libraries are known, too. */
  readonly #touched = new Set<Address>();
  /** Accounts that are here and exist, in the order in which they came. */
  readonly #arrived = new Set<Address>();
  #isWalked = false;
  readonly #accountsOf = new Map<BaseBlock, ShardAccounts>();
  /** What could not be read since it was last fetched. */
  readonly #missedLibraries = new Set<Hash>();
  readonly #missedAccounts = new Set<Address>();
  #isStuck = false;
  #misses = 0;
  #accounts = 0;
  #queries = 0;

  constructor(records: readonly ForkRecord[], modules: ForkModules) {
    const { facts, base, tree } = buildBase(records);
    this.facts = facts;
    this.base = base;
    this.#tree = tree;
    this.#modules = modules;
    this.#accounts = records.filter(({ kind }) => kind === "account").length;
  }

  get origin(): ForkOrigin | undefined {
    return this.#modules.origin;
  }

  report(): ForkReport {
    const isDelivered = this.base.seen !== undefined;
    const messagesLeft = isDelivered ? 0 : countQueued([this.base.master, ...this.base.shards]);
    return { facts: this.facts, accounts: this.#accounts, queries: this.#queries, messagesLeft };
  }

  /** A cell of the states by its hash. */
  findCell(hash: Hash): Cell | undefined {
    return this.#tree.find(hash);
  }

  /** Adds what a proof about a state of the base shows; it is checked by its hashes. */
  addProof(body: Cell): void {
    this.#tree.add(body);
  }

  /** Fetches accounts that are not there yet, with the libraries that they name. */
  async touch(addresses: Iterable<Address>, signal?: AbortSignal): Promise<void> {
    const fresh = [...new Set(addresses)].filter((address) => !this.#touched.has(address));
    await Promise.all(fresh.map((address) => this.#touchOne(address, signal)));
  }

  async #touchOne(address: Address, signal?: AbortSignal): Promise<void> {
    if (!this.#isKnown(address)) await this.#fetching.share(address, (own) => this.#fetchAccount(address, own), signal);
    const home = this.#homeOf(address);
    const found = home && this.#accountsIn(home).find(accountOf(address));
    if (found !== undefined) {
      await this.touchLibraries(listLibraries(found.account.cell.latest()), signal);
      this.#arrived.add(address);
    }
    this.#touched.add(address);
  }

  /** The accounts that are here and exist, without the first ones; more come at the end. */
  listArrived(from: number): readonly Address[] {
    if (!this.#isWalked) {
      this.#isWalked = true;
      for (const block of [this.base.master, ...this.base.shards]) {
        const { root } = this.#accountsIn(block);
        for (const key of root === undefined ? [] : listKeys(root)) {
          const address = makeAddress(block.id.workchain, key);
          if (this.#isKnown(address)) this.#arrived.add(address);
        }
      }
    }
    return this.#arrived.size === from ? [] : [...this.#arrived].slice(from);
  }

  /** Fetches libraries that are not there yet. */
  async touchLibraries(hashes: Iterable<Hash>, signal?: AbortSignal): Promise<void> {
    const missing = [...new Set(hashes)].filter((hash) => !this.#isLibraryKnown(hash));
    for (let from = 0; from < missing.length; from += libraryLimit) {
      const some = missing.slice(from, from + libraryLimit);
      await this.#fetching.share(some.join(), (own) => this.#fetchLibraries(some, own), signal);
    }
  }

  /** Whether an account has to be fetched before a block delivers a message to it; then it is, before the next one. */
  mustFetch(address: Address): boolean {
    if (this.#isKnown(address)) return false;
    this.#missedAccounts.add(address);
    return true;
  }

  /** Notes that code asked for a library that is not there. */
  missLibrary(hash: Hash): void {
    this.#misses++;
    this.#missedLibraries.add(hash);
  }

  /** Fetches the accounts for which messages wait; those that cannot be fetched are tried again with the next block. */
  async fetchMissed(): Promise<void> {
    const missed = [...this.#missedAccounts];
    this.#missedAccounts.clear();
    if (missed.length === 0) return;
    this.#isStuck = false;
    try {
      await this.touch(missed);
    } catch (error) {
      if (!isCoded(error, "localnet/origin")) throw error;
      this.#isStuck = true;
      this.#modules.log.warn("messages wait for accounts that the origin of the fork does not give", {
        error: error.message,
      });
    }
  }

  /** Whether messages wait for accounts that could not be fetched. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Runs something, and again with what it needs of the origin, until it needs nothing more. */
  async complete<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let runs = 1; ; runs++) {
      const before = this.#misses;
      const result = await this.withCells(run, signal);
      if (this.#misses === before || runs === maxRuns) return result;
      const hashes = [...this.#missedLibraries];
      await this.touchLibraries(hashes, signal);
      for (const hash of hashes) this.#missedLibraries.delete(hash);
    }
  }

  /** Runs something, and again while it reads cells that have to be fetched; it has no effect before that. */
  async withCells<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let runs = 1; ; runs++) {
      try {
        return await run();
      } catch (error) {
        if (runs === maxRuns || !isCoded(error, "cell/pruned")) throw error;
        await this.#fetchCell(error.data.hash as Hash, error, signal);
      }
    }
  }

  /** Logs whether the origin still has what this fork continues; the fork goes on with what it has in any case. */
  async checkOrigin(): Promise<void> {
    const { origin, log } = this.#modules;
    const { id } = this.base.master;
    if (origin === undefined) return;
    try {
      const ask = (_origin: ForkOrigin, signal: AbortSignal) => fetchBlockHeader(origin.server, id, { signal });
      await this.#ask("the header", ask, new AbortController().signal);
    } catch (error) {
      if (!isCoded(error, "localnet/origin")) throw error;
      log.warn("the origin of the fork gives nothing more; what was fetched stays", { error: error.message });
    }
  }

  close(): void {
    this.#modules.file?.close();
  }

  #homeOf(address: Address): BaseBlock | undefined {
    if (workchainOf(address) === masterchain) return this.base.master;
    return this.base.shards.find(({ id }) => shardHolds(id, address));
  }

  #accountsIn(block: BaseBlock): ShardAccounts {
    const accounts = this.#accountsOf.get(block) ?? loadCell(ShardStateUnsplit, block.state).accounts.load();
    this.#accountsOf.set(block, accounts);
    return accounts;
  }

  #isKnown(address: Address): boolean {
    if (this.#known.has(address)) return true;
    const home = this.#homeOf(address);
    // A workchain that does not exist has no accounts.
    const isKnown =
      home === undefined ||
      isThere(() => {
        const found = this.#accountsIn(home).find(accountOf(address));
        return found === undefined || this.#tree.isWhole(found.account.cell.latest());
      });
    if (isKnown) this.#known.add(address);
    return isKnown;
  }

  #isLibraryKnown(hash: Hash): boolean {
    return isThere(() => {
      const { libraries } = loadCell(ShardStateUnsplit, this.base.master.state).totals.load();
      const found = libraries.find(hash);
      return found === undefined || this.#tree.isWhole(found.library.latest());
    });
  }

  async #fetchAccount(address: Address, signal: AbortSignal): Promise<void> {
    const home = this.#homeOf(address);
    if (home === undefined) return;
    const ask = (origin: ForkOrigin, until: AbortSignal) =>
      fetchAccountCells(origin.server, home.id, address, { signal: until });
    const cells = await this.#ask(`account ${address}`, ask, signal);
    await this.#keep({ kind: "account", cells });
    this.#accounts++;
    this.#known.add(address);
  }

  async #fetchLibraries(hashes: readonly Hash[], signal: AbortSignal): Promise<void> {
    const ask = (origin: ForkOrigin, until: AbortSignal) =>
      fetchLibraryCells(origin.server, this.base.master.id, hashes, { signal: until });
    await this.#keep({ kind: "cells", cells: await this.#ask(`library ${hashes.join(", ")}`, ask, signal) });
  }

  /** A cell that is needed beside an account: where one is deleted, its neighbor moves up. */
  async #fetchCell(hash: Hash, cause: Error, signal?: AbortSignal): Promise<void> {
    for (const block of [this.base.master, ...this.base.shards]) {
      const root = this.#accountsIn(block).root;
      const key = root && findBranchKey(root, hash);
      if (key === undefined) continue;
      const address = makeAddress(block.id.workchain, key);
      this.#known.delete(address);
      await this.#fetching.share(address, (own) => this.#fetchAccount(address, own), signal);
      return;
    }
    const { libraries } = loadCell(ShardStateUnsplit, this.base.master.state).totals.load();
    const library = libraries.root && findBranchKey(libraries.root, hash);
    if (library !== undefined)
      return this.#fetching.share(library, (own) => this.#fetchLibraries([library], own), signal);
    throw new LocalnetError("localnet/origin", `cell ${hash} of ${this.facts.origin} cannot be asked for`, { cause });
  }

  async #keep(record: Extract<ForkRecord, { readonly cells: readonly Cell[] }>): Promise<void> {
    await this.#modules.file?.append(record);
    for (const cell of record.cells) this.#tree.add(cell);
  }

  async #ask<T>(
    what: string,
    ask: (origin: ForkOrigin, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { origin, clock } = this.#modules;
    const place = `${what} at block ${this.facts.master.seqno} of ${this.facts.origin}`;
    if (origin === undefined) {
      const text = `${place} was not fetched, and the fork was started without its origin (--fork)`;
      throw new LocalnetError("localnet/origin", text);
    }
    this.#queries++;
    try {
      return await runWithin(clock, patienceMs, ({ signal: until }) => ask(origin, until), signal);
    } catch (error) {
      if (signal.aborted || !isCoded(error)) throw error;
      throw new LocalnetError("localnet/origin", `cannot fetch ${place}: ${error.message}`, { cause: error });
    }
  }
}

/** Whether something can be read; what is not there is `cell/pruned`. */
function isThere(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (isCoded(error, "cell/pruned")) return false;
    throw error;
  }
}

function countQueued(blocks: readonly BaseBlock[]): number | undefined {
  let sum = 0;
  for (const { state } of blocks) {
    const info = loadCell(ShardStateUnsplit, state).outMsgQueueInfo;
    if (info.cell.latest().isAbsent) return undefined;
    const { queue, extra } = info.load();
    const size = queue.isEmpty ? 0 : extra?.outQueueSize;
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}
