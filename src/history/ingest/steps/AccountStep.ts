import { nominatorPoolCodes } from "../../../contracts/families/nominators/poolStorage.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { RunBlock, StateRunner } from "../../meaning/StateRunner.ts";
import { limitsAccounts, type Scope } from "../../scope/Scope.ts";
import type { Database } from "../../store/Database.ts";
import type { DecodedBatch } from "../decode/DecodedBatch.ts";
import type { AccountQueries } from "../source/AccountQueries.ts";
import {
  type AccountCounters,
  type AccountOptions,
  AccountReader,
  type ReadAccounts,
} from "../states/AccountReader.ts";
import { type ArrivedAccounts, NewArrivals } from "../states/ArrivedAccounts.ts";
import { StateMemory } from "../states/StateMemory.ts";
import { storedStates } from "../states/storedStates.ts";
import { listZeroAccounts } from "../states/zeroAccounts.ts";
import type { WorkerMemory } from "./workerMemory.ts";

export interface AccountStepModules {
  readonly server: LiteServer;
  readonly queries: AccountQueries;
  readonly database: Pick<Database, "query">;
  /** Finds libraries of codes. */
  readonly runner: Pick<StateRunner, "findLibrary">;
  /** Accounts that the chain has from another one. */
  readonly arrived?: ArrivedAccounts | undefined;
}

export interface AccountStepOptions {
  readonly memory: WorkerMemory;
  /** Data deeper than this is not stored with the latest state. */
  readonly dataDepth?: number | undefined;
  readonly scope?: Scope | undefined;
}

/** Derives the account states after each block, with what the tables and the chain know of the accounts. */
export class AccountStep {
  readonly #runner: AccountStepModules["runner"];
  readonly #reader: AccountReader;
  readonly #arrivals: NewArrivals | undefined;
  #runBlock: RunBlock | undefined;

  constructor(
    { server, queries, database, runner, arrived }: AccountStepModules,
    { memory, dataDepth, scope }: AccountStepOptions,
  ) {
    this.#runner = runner;
    this.#arrivals = arrived && new NewArrivals(arrived, storedStates(database));
    const lookups = { ...storedStates(database), findLibrary: (hash: Hash) => this.#findLibrary(hash) };
    this.#reader = new AccountReader(
      { server, queries, memory: new StateMemory(memory), lookups },
      { ...(dataDepth !== undefined && { dataDepth }), ...codesOf(scope), statesBefore: poolCodes },
    );
  }

  counters(): AccountCounters {
    return this.#reader.counters();
  }

  /** The states after a block, with those that came from another chain; libraries are looked up there. */
  async read(decoded: DecodedBatch, runBlock: RunBlock): Promise<ReadAccounts> {
    this.#runBlock = runBlock;
    const arrived = (await this.#arrivals?.take(runBlock.signal)) ?? [];
    return this.#reader.read(decoded, runBlock.signal, [...listZeroAccounts(decoded.batch), ...arrived]);
  }

  async #findLibrary(hash: Hash) {
    return this.#runBlock === undefined ? undefined : this.#runner.findLibrary(hash, this.#runBlock);
  }
}

/** What changed in a pool follows from its states before and after a transaction. */
export const poolCodes: ReadonlySet<Hash> = new Set(nominatorPoolCodes);

/** An index with a scope decides later which rows of codes it needs, and may look at codes that were replaced. */
function codesOf(scope: Scope | undefined): Pick<AccountOptions, "repeatCodes" | "codesBefore"> {
  const isLimited = scope !== undefined && limitsAccounts(scope);
  return { repeatCodes: isLimited, codesBefore: isLimited && scope.codeHashes.length > 0 };
}
