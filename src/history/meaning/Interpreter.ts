import { type DetectedEntity, detect } from "../../contracts/detect.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lru } from "../../lib/lru.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import type { AccountAfter } from "../ingest/Batch.ts";
import { type EventRows, listEventAccounts, makeEvents } from "../ingest/decode/tokenEvents.ts";
import { inParallel } from "../ingest/inParallel.ts";
import { makeLargeRows } from "../ingest/traces/largeTraces.ts";
import { completeTraces } from "../ingest/traces/storedTraces.ts";
import type { OpenTrace, TraceStep } from "../ingest/traces/TraceMemory.ts";
import type { BatchRows } from "../store/BatchRows.ts";
import type { SqlSession } from "../store/Database.ts";
import type { RowDraft } from "../store/Table.ts";
import type { TraceRow } from "../store/tables.ts";
import { type ActionRows, makeActionRows, mostTransactions as usualMost } from "./actionRows.ts";
import { DomainRoots } from "./DomainRoots.ts";
import { type Detected, makeEntityRows } from "./entityRows.ts";
import { gatherFacts } from "./gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames, type PastAccount, type PastStates } from "./KnownEntities.ts";
import type { RunPlace, StateRunner } from "./StateRunner.ts";

/** Accounts detected at once; each may run a dozen get-methods. */
const accountsAtOnce = 16;

export interface InterpretModules {
  readonly database: Pick<SqlSession, "query">;
  readonly runner: Pick<StateRunner, "put" | "findMethods" | "callerAt" | "getConfig" | "fetchState">;
  /** The range of blocks that is interpreted while others are indexed elsewhere; the tables are complete when absent. */
  readonly range?: InterpretedRange | undefined;
  readonly network: Facts["network"];
  /** Where failures of matchers are reported. */
  readonly reporter?: FailureReporter | undefined;
  /** How many transactions of a trace are read for classification; the classifier's limit by default. */
  readonly mostTransactions?: number;
}

/** A range of blocks, by which facts of other times are told apart. */
export interface InterpretedRange extends Pick<PastStates, "since" | "first"> {
  /** The logical time at which the index begins. */
  startLt(signal: AbortSignal): Promise<bigint>;
}

/** Memory for accounts that were looked up, in accounts. */
const mostLooked = 20_000;

/** One masterchain block with its assembled traces. */
export interface Interpreted {
  readonly place: RunPlace;
  readonly transactions: readonly TraceTransaction[];
  /** Changed accounts; the last state of an account comes last. */
  readonly accounts: readonly AccountAfter[];
  readonly step: TraceStep;
}

export type InterpretedRows = { readonly entities: EntityRows; readonly traces: readonly TraceRow[] } & EventRows &
  Pick<BatchRows, "traceAccounts" | "actions" | "actionAccounts">;

/**
 * Interprets blocks: detects contracts, recognises token events and classifies complete traces. Blocks come in order;
 * the results of one are known to the next before they are committed.
 */
export class Interpreter {
  readonly #modules: InterpretModules;
  #names: ReadonlyMap<Address, string> | undefined;
  #known: KnownEntities | undefined;
  readonly #domains: DomainRoots;
  /** Accounts that did not change since they were looked up; the index does not know those without an account. */
  readonly #looked = new Lru<Address, { readonly found: PastAccount | undefined }>({
    maxBytes: mostLooked,
    sizeOf: () => 1,
  });
  #failedDetections = 0;

  constructor(modules: InterpretModules) {
    this.#modules = modules;
    this.#domains = new DomainRoots(modules.runner);
  }

  /** Contracts whose detection failed because of a bug. */
  get failedDetections(): number {
    return this.#failedDetections;
  }

  /** Forgets everything except these blocks, which are not in the tables yet. */
  turn(made: readonly { readonly rows: BatchRows; readonly accounts: readonly AccountAfter[] }[]): void {
    const known = new KnownEntities(this.#modules.network, this.#names ?? new Map());
    for (const { rows, accounts } of made) known.add(rows.entities, accounts);
    this.#known = known;
  }

  async interpret({ place, transactions, accounts, step }: Interpreted): Promise<InterpretedRows> {
    const { database, runner } = this.#modules;
    const known = await this.#getKnown();
    const latest = [...new Map(accounts.map((account) => [account.address, account])).values()];
    runner.put(latest);
    for (const { address } of latest) this.#looked.delete(address);
    const past = this.pastAt(place);
    if (past !== undefined) known.at(past);
    await this.#domains.settle(latest.map(({ address }) => address));
    const entities = makeEntityRows(place.master.seqno, await this.#detect(latest, place));
    known.add(entities, latest);
    await known.load(database, listEventAccounts(transactions));
    const completed = step.touched.filter(({ row }) => row.state === "complete");
    const byTrace = await this.#classify(completed, known);
    const classifiedRows = [...byTrace.values()];
    const { jettonTransfers, jettonBurns, nftTransfers } = makeEvents(transactions, step.traceIds, known.facts);
    return {
      entities,
      jettonTransfers,
      jettonBurns,
      nftTransfers,
      traces: step.touched.map(({ row }) => classified(row, byTrace.get(row.traceId))),
      traceAccounts: classifiedRows.flatMap((rows) => rows.traceAccounts),
      actions: classifiedRows.flatMap((rows) => rows.actions),
      actionAccounts: classifiedRows.flatMap((rows) => rows.actionAccounts),
    };
  }

  /** Facts at a block, where the tables alone do not tell them. */
  pastAt(place: RunPlace): PastStates | undefined {
    const { range } = this.#modules;
    if (range === undefined) return undefined;
    const { since, first } = range;
    return { since, first, mcSeqno: place.master.seqno, look: (addresses) => this.#look(addresses, place, range) };
  }

  async #look(
    addresses: readonly Address[],
    place: RunPlace,
    { startLt }: InterpretedRange,
  ): Promise<readonly PastAccount[]> {
    const begin = await startLt(place.signal);
    const all = await inParallel(addresses, accountsAtOnce, async (address) => {
      const known = this.#looked.find(address);
      if (known !== undefined) return known.found;
      const account = await this.#modules.runner.fetchState(address, place);
      const isIndexed = account !== undefined && account.lastTransLt >= begin;
      const found = isIndexed
        ? { rows: makeEntityRows(place.master.seqno, await this.#detect([account], place)), account }
        : undefined;
      this.#looked.set(address, { found });
      return found;
    });
    return all.filter((each) => each !== undefined);
  }

  /** Rows of complete traces by trace id, in order. */
  async #classify(completed: readonly OpenTrace[], known: KnownEntities): Promise<ReadonlyMap<Hash, ActionRows>> {
    const { database, reporter, mostTransactions = usualMost } = this.#modules;
    const isLarge = ({ row }: OpenTrace): boolean => row.nodes > mostTransactions;
    const traces = await completeTraces(
      database,
      completed.filter((trace) => !isLarge(trace)),
    );
    await gatherFacts(database, traces, known, reporter);
    const usual = new Map(traces.map((trace) => [trace.id, trace]));
    const byTrace = new Map<Hash, ActionRows>();
    for (const open of completed) {
      const trace = usual.get(open.row.traceId);
      const rows = trace
        ? makeActionRows(trace, known.facts, reporter)
        : await makeLargeRows(database, open, mostTransactions);
      byTrace.set(open.row.traceId, rows);
    }
    return byTrace;
  }

  async #getKnown(): Promise<KnownEntities> {
    const { database, network } = this.#modules;
    this.#names ??= await loadMarketplaceNames(database);
    this.#known ??= new KnownEntities(network, this.#names);
    return this.#known;
  }

  async #detect(accounts: readonly PastAccount["account"][], place: RunPlace): Promise<readonly Detected[]> {
    const { runner } = this.#modules;
    const caller = runner.callerAt(place);
    const setting = { domains: () => this.#domains.find(place) };
    const found = await inParallel(accounts, accountsAtOnce, async (account): Promise<Detected | undefined> => {
      const { address, code, data, lastTransLt } = account;
      if (code === undefined || data === undefined) return undefined;
      const codeHash = code.hash();
      const methods = await runner.findMethods(code, place);
      if (methods === undefined) return undefined;
      const state = { address, code, codeHash, data, methods: methods.ids };
      const entities = await this.#lookAt(() => detect(state, caller, setting));
      return entities.length === 0 ? undefined : { address, codeHash, dataHash: data.hash(), lastTransLt, entities };
    });
    return found.filter((each) => each !== undefined).sort(byAddress);
  }

  /**
   * An error without a code is a bug in code that reads what anybody may deploy. The contract then counts as unknown
   * and is counted in a metric, because it must not block indexing. Coded errors mean that nothing was found out.
   */
  async #lookAt(look: () => Promise<readonly DetectedEntity[]>): Promise<readonly DetectedEntity[]> {
    try {
      return await look();
    } catch (error) {
      if (isCoded(error)) throw error;
      this.#failedDetections++;
      return [];
    }
  }
}

function classified(row: TraceRow, rows: ActionRows | undefined): TraceRow {
  if (rows === undefined) return row;
  const copy: RowDraft<TraceRow> = { ...row };
  copy.classificationState = rows.state;
  return copy;
}

function byAddress(a: { readonly address: Address }, b: { readonly address: Address }): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
