import { CellKind } from "../../../cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { isMissingAnswer } from "../../../lite/pool/verdict.ts";
import { fetchAccount } from "../../../lite/queries/accounts.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import { type Address, accountOf } from "../../../model/Address.ts";
import { formatBlockId, shardHolds } from "../../../model/block/BlockId.ts";
import { prevBlockIds } from "../../../model/block/BlockInfo.ts";
import type { Hash } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import { accountStateRow, codeAndData, latestStateRow } from "../decode/accountRows.ts";
import type { AccountAfter, ChangedAccount, DecodedBatch } from "../decode/DecodedBatch.ts";
import type { AccountQueries } from "../source/AccountQueries.ts";
import { type FetchedBlock, readFetched } from "../source/BlockBatch.ts";
import { type AccountQueryReason, BlockStates, type Lacking, noAccount } from "./BlockStates.ts";
import { type LibraryLookup, NewCodes } from "./NewCodes.ts";
import type { CachedTree, StateMemory } from "./StateMemory.ts";
import { type HalfAccount, openStateUpdate } from "./stateUpdate.ts";
import { listZeroAccounts } from "./zeroAccounts.ts";

/** The stored parts of an account's latest state. */
export interface StoredState {
  readonly codeHash: Hash | undefined;
  readonly dataBoc: Uint8Array | undefined;
}

/** Looks up states and codes that are no longer in memory; what is not found is left out. */
export interface StateLookups extends LibraryLookup {
  findStates(addresses: readonly Address[], signal: AbortSignal): Promise<ReadonlyMap<Address, StoredState>>;
  /** Codes by hash, as bags of cells. */
  findCodes(hashes: readonly Hash[], signal: AbortSignal): Promise<ReadonlyMap<Hash, Uint8Array>>;
}

export interface AccountCounters {
  /** States derived from state updates alone. */
  rebuilt: number;
  /** Accounts that were looked up in the database. */
  lookedUp: number;
  queries: Record<AccountQueryReason, number>;
}

export interface AccountModules {
  readonly server: LiteServer;
  readonly queries: AccountQueries;
  readonly memory: StateMemory;
  readonly lookups: StateLookups;
}

export interface AccountOptions {
  /**
   * Data deeper than this is not stored with the latest state: 12 by default; 0 is no limit, a negative value stores
   * none.
   */
  readonly dataDepth?: number;
  /** Whether the row of a code is given with every state that has it, instead of once. */
  readonly repeatCodes?: boolean;
  /** Whether the code of an account before the block is told. */
  readonly codesBefore?: boolean;
  /** The codes of accounts whose states before the block are told as well. */
  readonly statesBefore?: ReadonlySet<Hash>;
}

/** The new states of a batch, in the order of `changed`, and their rows. */
export interface ReadAccounts {
  readonly accounts: readonly AccountAfter[];
  readonly rows: Pick<BatchRows, "accountStates" | "latestAccountStates" | "codes">;
}

/** How many states are fetched at the same time. */
const atATime = 8;

/** Derives new account states from blocks. Batches must come in order, one at a time. */
export class AccountReader {
  readonly #modules: AccountModules;
  readonly #dataDepth: number;
  readonly #codes: NewCodes;
  readonly #codesBefore: boolean;
  readonly #statesBefore: ReadonlySet<Hash>;
  readonly #counters: AccountCounters = {
    rebuilt: 0,
    lookedUp: 0,
    queries: { unknown: 0, missing: 0, hidden: 0 },
  };

  constructor(
    modules: AccountModules,
    { dataDepth = 12, repeatCodes = false, codesBefore = false, statesBefore = new Set() }: AccountOptions = {},
  ) {
    this.#modules = modules;
    this.#dataDepth = dataDepth;
    this.#codesBefore = codesBefore;
    this.#statesBefore = statesBefore;
    this.#codes = new NewCodes(modules.memory, modules.lookups, { isRepeated: repeatCodes });
  }

  counters(): AccountCounters {
    return { ...this.#counters, queries: { ...this.#counters.queries } };
  }

  /** The new states of a batch, after those of accounts that no transaction mentions. */
  async read(
    { batch, changed }: DecodedBatch,
    signal: AbortSignal,
    unmentioned: readonly AccountAfter[] = listZeroAccounts(batch),
  ): Promise<ReadAccounts> {
    const collected = new Collected();
    const collect = async (accounts: readonly AccountAfter[]): Promise<void> => {
      for (const after of accounts) {
        const { code } = after;
        // Without a promise for each account: almost all codes are known.
        const isNew = code !== undefined && !this.#codes.isWritten(code);
        this.#collect(after, isNew ? await this.#codes.read(code, signal) : undefined, collected);
      }
    };
    await collect(unmentioned);
    for (const block of [...batch.shardBlocks, batch.master]) {
      const own = changed.filter(({ block: at }) => at.rootHash === block.id.rootHash);
      if (own.length > 0) await collect(await this.#readBlock(block, own, signal));
    }
    return collected.finish();
  }

  async #readBlock(
    block: FetchedBlock,
    changed: readonly ChangedAccount[],
    signal: AbortSignal,
  ): Promise<AccountAfter[]> {
    const update = openStateUpdate(block);
    const addresses = changed.map(({ address }) => address);
    const making = new BlockStates(update, this.#modules.memory, addresses);
    const made = new Map<Address, Cell>();
    let lacking = making.make(changed, made);
    if (lacking.length > 0) {
      await this.#lookUp(making, lacking, signal);
      lacking = making.make(
        lacking.map((entry) => entry.changed),
        made,
      );
    }
    this.#counters.rebuilt += changed.length - lacking.length;
    for (let i = 0; i < lacking.length; i += atATime) {
      const some = lacking.slice(i, i + atATime);
      const cells = await Promise.all(some.map((entry) => this.#askState(entry, signal)));
      for (const [at, entry] of some.entries()) made.set(entry.changed.address, cells[at] as Cell);
    }
    const accounts = changed.map((entry): AccountAfter => {
      const cell = made.get(entry.address) as Cell;
      if (cell.hash() !== entry.stateHash) {
        throw new HistoryError(
          "history/mismatch",
          `${formatBlockId(entry.block)} leads ${entry.address} to ${cell.hash()} and not to ${entry.stateHash}`,
        );
      }
      const { code, data } = codeAndData(cell);
      const { address, block: at, stateHash, lastTransHash, lastTransLt, now } = entry;
      // Properties in one order: rows of accounts that begin with a spread would have a hidden class each.
      const after = { address, block: at, stateHash, lastTransHash, lastTransLt, now, cell, code, data };
      return this.#codesBefore ? { ...after, codeBefore: findCode(update.before(accountOf(address))) } : after;
    });
    return this.#addBefore(block, accounts, making, signal);
  }

  /** Adds the states before the block, of the few accounts that need them; memory has what the update leaves out. */
  async #addBefore(
    block: FetchedBlock,
    accounts: AccountAfter[],
    making: BlockStates,
    signal: AbortSignal,
  ): Promise<AccountAfter[]> {
    for (const [at, after] of accounts.entries()) {
      if (after.code === undefined || !this.#statesBefore.has(after.code.hash())) continue;
      const before = making.findBefore(after.address) ?? (await this.#askBefore(block, after.address, signal));
      if (before !== undefined) accounts[at] = { ...after, before };
    }
    return accounts;
  }

  /** The account after the previous block; a server that does not have that block any more has no answer. */
  async #askBefore(block: FetchedBlock, address: Address, signal: AbortSignal): Promise<Cell | undefined> {
    const { server, queries } = this.#modules;
    const previous = prevBlockIds(readFetched(block).info).find((id) => shardHolds(id, address));
    if (previous === undefined) return undefined;
    this.#counters.queries.unknown++;
    try {
      const { entry } = await queries.run((own) => fetchAccount(server, previous, address, { signal: own }), signal);
      return entry?.cell ?? noAccount;
    } catch (error) {
      if (isMissingAnswer(error)) return undefined;
      throw error;
    }
  }

  /** Loads from the database what is missing: accounts that could not be derived, and codes with missing cells. */
  async #lookUp(making: BlockStates, lacking: readonly Lacking[], signal: AbortSignal): Promise<void> {
    const { lookups, memory } = this.#modules;
    const addresses = lacking.filter(({ reason }) => reason === "unknown").map(({ changed }) => changed.address);
    const stored: ReadonlyMap<Address, StoredState> =
      addresses.length === 0 ? new Map() : await lookups.findStates(addresses, signal);
    this.#counters.lookedUp += addresses.length;
    const codes = new Set(making.missing);
    for (const { codeHash } of stored.values()) if (codeHash !== undefined) codes.add(codeHash);
    const wanted = [...codes].filter((hash) => memory.findCode(hash) === undefined);
    const found = wanted.length === 0 ? new Map<Hash, Uint8Array>() : await lookups.findCodes(wanted, signal);
    for (const boc of found.values()) making.addCode(memory.keepCode(readRoot(boc)).code);
    for (const hash of codes) {
      const code = memory.findCode(hash);
      if (code !== undefined) making.addCode(code);
    }
    for (const [address, { dataBoc }] of stored)
      making.takeTrees(address, dataBoc === undefined ? [] : [readRoot(dataBoc)]);
  }

  async #askState({ changed, reason }: Lacking, signal: AbortSignal): Promise<Cell> {
    const { server, queries } = this.#modules;
    this.#counters.queries[reason]++;
    const { block, address } = changed;
    const { entry } = await queries.run((own) => fetchAccount(server, block, address, { signal: own }), signal);
    return entry?.cell ?? noAccount;
  }

  #collect(after: AccountAfter, newCode: BatchRows["codes"][number] | undefined, collected: Collected): void {
    const { memory } = this.#modules;
    const { address, cell, code, data } = after;
    if (newCode !== undefined) collected.codes.push(newCode);
    const before = memory.findTrees(address) ?? [];
    const others = cell.refs().filter((tree) => code === undefined || tree.hash() !== code.hash());
    const trees = others.map((tree) => keep(tree, before));
    memory.keepTrees(address, trees);
    const dataBoc = data !== undefined && this.#isStored(data) ? keep(data, trees).boc : undefined;
    const row = accountStateRow(after);
    collected.add(row, latestStateRow(row, after, dataBoc), after);
  }

  #isStored(data: Cell): boolean {
    return this.#dataDepth === 0 || data.depth() <= this.#dataDepth;
  }
}

/** A serialized tree; the earlier one if nothing changed. */
function keep(tree: Cell, known: readonly CachedTree[]): CachedTree {
  const hash = tree.hash();
  return known.find((kept) => kept.hash === hash) ?? { hash, boc: writeBoc(tree) };
}

/** Rows while they are collected. */
class Collected {
  readonly codes: BatchRows["codes"][number][] = [];
  readonly #accounts: AccountAfter[] = [];
  readonly #states = new Map<string, BatchRows["accountStates"][number]>();
  readonly #latest = new Map<Address, BatchRows["latestAccountStates"][number]>();

  add(
    state: BatchRows["accountStates"][number],
    latest: BatchRows["latestAccountStates"][number],
    after: AccountAfter,
  ): void {
    this.#accounts.push(after);
    this.#states.set(`${state.account} ${state.hash}`, state);
    // Blocks come parents first, so the last one is the newest.
    this.#latest.set(state.account, latest);
  }

  finish(): ReadAccounts {
    const rows = {
      accountStates: [...this.#states.values()],
      latestAccountStates: [...this.#latest.values()],
      codes: this.codes,
    };
    return { accounts: this.#accounts, rows };
  }
}

/** The hash of an account's code, as far as a half of the update shows the account. */
function findCode(half: HalfAccount): Hash | "hidden" | undefined {
  if (half.kind === "none") return undefined;
  if (half.kind === "hidden" || half.cell.kind === CellKind.pruned) return "hidden";
  return codeAndData(half.cell).code?.hash(0);
}
