import { type DetectedEntity, detect } from "../../contracts/detect.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lru } from "../../lib/lru.ts";
import { inParallel } from "../../lib/sharing/inParallel.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace, TraceTransaction } from "../../model/Trace.ts";
import { type Detected, makeEntityRows } from "../entities/entityRows.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import type { AccountAfter } from "../ingest/decode/DecodedBatch.ts";
import { type EventRows, listEventAccounts, makeEvents } from "../ingest/decode/tokenEvents.ts";
import { completeTraces } from "../ingest/traces/storedTraces.ts";
import type { OpenTrace, TraceStep } from "../ingest/traces/TraceMemory.ts";
import type { AccountScope, CodedAccount } from "../scope/AccountScope.ts";
import { decideTraces, type TraceDecisions } from "../scope/decideTraces.ts";
import type { SqlSession } from "../store/Database.ts";
import type { RowDraft } from "../store/schema/Table.ts";
import type { TraceRow } from "../store/schema/tables.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";
import { type ActionRows, makeActionRows, transactionsLimit as usualMax } from "./actionRows.ts";
import { DeletedAccounts, weighPast } from "./DeletedAccounts.ts";
import { DomainRoots } from "./DomainRoots.ts";
import { findRunBlock } from "./findRunBlock.ts";
import { gatherFacts } from "./gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames, type PastAccount, type PastStates } from "./KnownEntities.ts";
import { makeLargeRows } from "./largeTraces.ts";
import type { RunBlock, StateRunner } from "./StateRunner.ts";

/** Accounts detected at once; each may run a dozen get-methods. */
const accountsAtOnce = 16;

export interface InterpretModules {
  readonly database: Pick<SqlSession, "query">;
  readonly runner: Pick<StateRunner, "put" | "findMethods" | "callerAt" | "getConfig" | "fetchState">;
  /**
   * The range of blocks that is interpreted while others are indexed elsewhere; the tables are complete when absent.
   */
  readonly range?: InterpretedRange | undefined;
  readonly network: Facts["network"];
  /** Where failures of matchers are reported. */
  readonly reporter?: FailureReporter | undefined;
  /** How many transactions of a trace are read for classification; the classifier's limit by default. */
  readonly maxTransactions?: number;
  /** The accounts of the index; all when absent. */
  readonly scope?: AccountScope | undefined;
  /** A runner without a past, for states before the current block; needed with a scope. */
  readonly openRunner?: (() => InterpretModules["runner"]) | undefined;
  /** Memory for accounts that were looked up and that were deleted. */
  readonly pastBytes?: number;
}

/** A range of blocks, by which facts of other times are told apart. */
export interface InterpretedRange extends Pick<PastStates, "since" | "first"> {
  /** The logical time at which the index begins. */
  startLt(signal: AbortSignal): Promise<bigint>;
}

/** Memory for accounts of the past, unless the owner says otherwise. */
const usualPastBytes = 8 << 20;
/** Blocks whose states can be looked at before they are in the tables. */
const maxPlaces = 256;

/** One masterchain block with its assembled traces. */
export interface Interpreted {
  readonly runBlock: RunBlock;
  readonly transactions: readonly TraceTransaction[];
  /** Changed accounts; the last state of an account comes last. */
  readonly accounts: readonly AccountAfter[];
  readonly step: TraceStep;
}

/** The rows of a block, and where its traces are in respect of the scope. */
export type InterpretedRows = { readonly decisions: TraceDecisions | undefined } & MeaningRows;

type MeaningRows = { readonly entities: EntityRows; readonly traces: readonly TraceRow[] } & EventRows &
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
  readonly #deleted: DeletedAccounts;
  /** The last blocks, by their seqnos. */
  readonly #places = new Map<number, RunBlock>();
  /** Accounts that did not change since they were looked up; the index does not know those without an account. */
  readonly #looked: Lru<Address, { readonly found: PastAccount | undefined }>;
  #failedDetections = 0;

  constructor(modules: InterpretModules) {
    const pastBytes = modules.pastBytes ?? usualPastBytes;
    this.#modules = modules;
    this.#looked = new Lru({ maxBytes: pastBytes * (3 / 4), sizeOf: weighPast });
    this.#domains = new DomainRoots(modules.runner);
    this.#deleted = new DeletedAccounts((address, mcSeqno) => this.#lookBefore(address, mcSeqno), pastBytes / 4);
  }

  /** Contracts whose detection failed because of a bug. */
  get failedDetections(): number {
    return this.#failedDetections;
  }

  /** Forgets everything except these blocks, which are not in the tables yet. */
  turn(made: readonly { readonly entities: EntityRows; readonly accounts: readonly AccountAfter[] }[]): void {
    const known = new KnownEntities(this.#modules.network, this.#names ?? new Map());
    for (const { entities, accounts } of made) known.add(entities, accounts);
    this.#known = known;
  }

  async interpret({ runBlock, transactions, accounts, step }: Interpreted): Promise<InterpretedRows> {
    const { database, runner } = this.#modules;
    const known = await this.#getKnown();
    const latest = [...new Map(accounts.map((account) => [account.address, account])).values()];
    runner.put(latest);
    for (const { address } of latest) this.#looked.delete(address);
    const past = this.pastAt(runBlock);
    if (past !== undefined) known.at(past);
    await this.#domains.forgetChanged(latest.map(({ address }) => address));
    const entities = makeEntityRows(runBlock.master.seqno, await this.#detect(latest, runBlock));
    known.add(entities, latest);
    const decisions = await this.#decide({ runBlock, transactions, accounts, step }, entities, known);
    const isLeft = decisions && leftBy(decisions, step);
    const left = isLeft === undefined ? transactions : transactions.filter(isLeft);
    await known.load(database, listEventAccounts(left));
    const completed = step.touched.filter(
      ({ row }) => row.state === "complete" && decisions?.kept.has(row.traceId) !== false,
    );
    const byTrace = await this.#classify(completed, known);
    const classifiedRows = [...byTrace.values()];
    const { jettonTransfers, jettonBurns, nftTransfers } = makeEvents(left, step.traceIds, known.facts);
    return {
      decisions,
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

  /** Makes facts about a trace come from its last block. */
  async prepare(trace: Trace, known: KnownEntities, runBlock: RunBlock): Promise<void> {
    this.#places.set(runBlock.master.seqno, runBlock);
    const past = this.pastAt(runBlock);
    if (past !== undefined) known.at(past);
    for (const { rows } of await this.#deleted.list(trace.transactions)) known.add(rows, []);
  }

  /** Facts at a block, where the tables alone do not tell them. */
  pastAt(runBlock: RunBlock): PastStates | undefined {
    const { range } = this.#modules;
    if (range === undefined) return undefined;
    const { since, first } = range;
    const { scope } = this.#modules;
    return {
      since,
      first,
      mcSeqno: runBlock.master.seqno,
      isCovered: scope && ((address) => scope.names(address)),
      look: (addresses) => this.#look(addresses, runBlock, range),
    };
  }

  /**
   * Decides which traces touch the scope. An account counts by its code before and after each block; one that the block
   * deleted counts as what it was before.
   */
  async #decide(
    { runBlock, transactions, accounts, step }: Interpreted,
    entities: EntityRows,
    known: KnownEntities,
  ): Promise<TraceDecisions | undefined> {
    const { scope, range } = this.#modules;
    if (scope === undefined) return undefined;
    this.#places.set(runBlock.master.seqno, runBlock);
    const [oldest] = this.#places.keys();
    if (this.#places.size > maxPlaces && oldest !== undefined) this.#places.delete(oldest);
    const deleted = await this.#deleted.list(transactions);
    for (const { rows } of deleted) known.add(rows, []);
    const coded = [...accounts, ...deleted.map(({ account }) => account)].map(({ address, code }) => {
      return { address, codeHash: code?.hash() };
    });
    const before = await this.#listBefore(accounts, runBlock);
    const inside = scope.find(
      transactions.map(({ account }) => account),
      [...coded, ...before],
      {
        jettonWallets: [entities, ...deleted.map(({ rows }) => rows)].flatMap((rows) => rows.jettonWallets),
        nftItems: [entities, ...deleted.map(({ rows }) => rows)].flatMap((rows) => rows.nftItems),
      },
    );
    const isFirstSegment = range?.since === range?.first;
    return decideTraces(step, transactions, inside, { now: runBlock.now, isFirstSegment });
  }

  /** The codes of accounts before the block; where it does not show them, they are those after the previous one. */
  async #listBefore(accounts: readonly AccountAfter[], runBlock: RunBlock): Promise<readonly CodedAccount[]> {
    return inParallel(accounts, accountsAtOnce, async ({ address, codeBefore }) => {
      if (codeBefore !== "hidden") return { address, codeHash: codeBefore };
      const state = await this.#fetchBefore(this.#modules.runner, address, runBlock);
      return { address, codeHash: state?.code?.hash() };
    });
  }

  /** An account after the block before this one. */
  async #fetchBefore(runner: InterpretModules["runner"], address: Address, { master, signal }: RunBlock) {
    const mcSeqno = master.seqno - 1;
    const previous = this.#places.get(mcSeqno) ?? (await findRunBlock(this.#modules.database, mcSeqno, signal));
    return previous && runner.fetchState(address, { ...previous, signal });
  }

  /** An account after an earlier block, if the index would know it. */
  async #lookBefore(address: Address, mcSeqno: number): Promise<PastAccount | undefined> {
    const { database, range, openRunner } = this.#modules;
    const current = [...this.#places.values()].at(-1);
    if (openRunner === undefined || range === undefined || current === undefined || mcSeqno < 1) return undefined;
    const { signal } = current;
    const place = this.#places.get(mcSeqno) ?? (await findRunBlock(database, mcSeqno, signal));
    // Before its first block the index knows nothing.
    if (place === undefined) return undefined;
    const runner = openRunner();
    const account = await runner.fetchState(address, { ...place, signal });
    if (account === undefined || account.lastTransLt < (await range.startLt(signal))) return undefined;
    return { rows: makeEntityRows(mcSeqno, await this.#detect([account], { ...place, signal }, { runner })), account };
  }

  async #look(
    addresses: readonly Address[],
    runBlock: RunBlock,
    { startLt }: InterpretedRange,
  ): Promise<readonly PastAccount[]> {
    const begin = await startLt(runBlock.signal);
    const all = await inParallel(addresses, accountsAtOnce, async (address) => {
      const known = this.#looked.find(address);
      if (known !== undefined) return known.found;
      const account = await this.#modules.runner.fetchState(address, runBlock);
      const isIndexed = account !== undefined && account.lastTransLt >= begin;
      const found = isIndexed
        ? { rows: makeEntityRows(runBlock.master.seqno, await this.#detect([account], runBlock)), account }
        : undefined;
      this.#looked.set(address, { found });
      return found;
    });
    return all.filter((each) => each !== undefined);
  }

  /** Rows of complete traces by trace id, in order. */
  async #classify(completed: readonly OpenTrace[], known: KnownEntities): Promise<ReadonlyMap<Hash, ActionRows>> {
    const { database, reporter, maxTransactions = usualMax } = this.#modules;
    const isLarge = ({ row }: OpenTrace): boolean => row.nodes > maxTransactions;
    const traces = await completeTraces(
      database,
      completed.filter((trace) => !isLarge(trace)),
    );
    if (this.#modules.scope !== undefined) {
      const deleted = await this.#deleted.list(traces.flatMap(({ transactions }) => transactions));
      for (const { rows } of deleted) known.add(rows, []);
    }
    await gatherFacts(database, traces, known, reporter);
    const usual = new Map(traces.map((trace) => [trace.id, trace]));
    const byTrace = new Map<Hash, ActionRows>();
    for (const open of completed) {
      const trace = usual.get(open.row.traceId);
      const rows = trace
        ? makeActionRows(trace, known.facts, reporter)
        : await makeLargeRows(database, open, maxTransactions);
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

  async #detect(
    accounts: readonly PastAccount["account"][],
    runBlock: RunBlock,
    { runner }: Pick<InterpretModules, "runner"> = this.#modules,
  ): Promise<readonly Detected[]> {
    const caller = runner.callerAt(runBlock);
    const setting = { domains: () => this.#domains.find(runBlock) };
    const detecteds = await inParallel(accounts, accountsAtOnce, async (account): Promise<Detected | undefined> => {
      const { address, code, data, lastTransLt } = account;
      if (code === undefined || data === undefined) return undefined;
      const codeHash = code.hash();
      const methods = await runner.findMethods(code, runBlock);
      if (methods === undefined) return undefined;
      const state = { address, code, codeHash, data, methods: methods.ids };
      const entities = await this.#lookAt(() => detect(state, caller, setting));
      return entities.length === 0 ? undefined : { address, codeHash, dataHash: data.hash(), lastTransLt, entities };
    });
    return detecteds.filter((each) => each !== undefined).sort(byAddress);
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

/** Whether a transaction is of a trace that is not outside the scope. */
function leftBy(
  { kept, undecided }: TraceDecisions,
  { traceIds }: TraceStep,
): (traceTransaction: TraceTransaction) => boolean {
  return ({ hash }) => {
    const id = traceIds.get(hash) ?? hash;
    return kept.has(id) || undecided.has(id);
  };
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
