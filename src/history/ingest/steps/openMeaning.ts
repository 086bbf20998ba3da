import type { Facts } from "../../../contracts/engine/Facts.ts";
import { Interpreter, type InterpretModules } from "../../meaning/Interpreter.ts";
import { StateRunner, type StateRunnerModules } from "../../meaning/StateRunner.ts";
import { AccountScope } from "../../scope/AccountScope.ts";
import { limitsAccounts, type Scope } from "../../scope/Scope.ts";
import type { Segment } from "../../store/schema/checkpoint.ts";
import type { BlockSource } from "../source/BlockSource.ts";
import { indexStart } from "../source/indexStart.ts";
import type { WorkerMemory } from "./workerMemory.ts";

/** The blocks of a segment worker, and what the index covers. */
export interface IndexedRange {
  /** The segment that is extended; it may still be empty. */
  readonly segment: Segment;
  /** The first block of the index. */
  readonly first: number;
  /** What the index covers; the whole chain when absent. */
  readonly scope?: Scope | undefined;
}

export interface MeaningModules extends StateRunnerModules {
  readonly source: Pick<BlockSource, "batches">;
  /** Where failures of matchers are reported. */
  readonly reporter?: NonNullable<InterpretModules["reporter"]>;
}

export interface MeaningOptions {
  readonly network: Facts["network"];
  readonly memory: WorkerMemory;
}

/** What interprets blocks, and what runs get-methods for it. */
export interface Meaning {
  readonly interpreter: Interpreter;
  readonly runner: StateRunner;
}

/** Tables that have nothing, so that everything comes from the chain. */
const noTables = { query: async () => [] };

/** Opens what a segment worker interprets its blocks with. */
export function openMeaning(
  modules: MeaningModules,
  { segment, first, scope: indexed }: IndexedRange,
  { network, memory }: MeaningOptions,
): Meaning {
  const { database, source, reporter } = modules;
  const { accountBytes, libraryBytes, pastBytes } = memory;
  const since = segment.firstSeqno;
  const scope = indexed && limitsAccounts(indexed) ? new AccountScope(indexed) : undefined;
  const runner = new StateRunner(modules, {
    ...{ accountBytes, libraryBytes, sinceSeqno: since },
    isCovered: scope && ((address) => scope.names(address)),
  });
  const interpreter = new Interpreter({
    ...{ network, database, runner, scope, pastBytes, reporter },
    range: { since, first, startLt: indexStart(source, first) },
    openRunner: () => new StateRunner({ ...modules, database: noTables }),
  });
  return { interpreter, runner };
}
