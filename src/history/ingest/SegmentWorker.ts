import { loadCell } from "../../cell/codec.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { Block } from "../../model/block/Block.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import { HistoryError } from "../errors.ts";
import { Interpreter } from "../meaning/Interpreter.ts";
import { type RunBlock, type RunnerCounters, StateRunner } from "../meaning/StateRunner.ts";
import { AccountScope } from "../scope/AccountScope.ts";
import { applyDecisions, type TraceDecisions } from "../scope/decideTraces.ts";
import { limitsAccounts } from "../scope/Scope.ts";
import { splitRows } from "../scope/splitRows.ts";
import type { Database } from "../store/Database.ts";
import type { Segment } from "../store/schema/checkpoint.ts";
import { beginsFact, findFact } from "../store/schema/indexFacts.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";
import type { IndexExtent } from "../store/write/commit.ts";
import { checkChain } from "./checkChain.ts";
import type { AccountAfter, DecodedBatch } from "./decode/DecodedBatch.ts";
import { decodeAhead } from "./decode/decodeAhead.ts";
import { decodeInSteps } from "./decode/decodeBatch.ts";
import type { SegmentPlan } from "./planSegments.ts";
import type { Advance } from "./progress.ts";
import type { AccountQueries } from "./source/AccountQueries.ts";
import type { BlockBatch } from "./source/BlockBatch.ts";
import type { BlockSource } from "./source/BlockSource.ts";
import { indexStart } from "./source/indexStart.ts";
import { weighBlocks } from "./source/weighBlocks.ts";
import { type AccountCounters, type AccountOptions, AccountReader } from "./states/AccountReader.ts";
import { StateMemory } from "./states/StateMemory.ts";
import { storedStates } from "./states/storedStates.ts";
import { assembleTraces } from "./traces/assembleTraces.ts";
import { loadTraceMemory, TraceMemory, type TraceStep } from "./traces/TraceMemory.ts";
import { shareMemory, usualMemory, type WorkerMemory } from "./workerMemory.ts";

/**
 * Where rows go: all rows of some blocks with the new end of their segment, or nothing. Rows that were made before older
 * ones were removed are refused.
 */
export interface Sink {
  commit(batches: readonly BatchRows[], segment: Segment, made?: IndexExtent): Promise<void>;
}

export interface SegmentWorkerModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly server: LiteServer;
  readonly queries: AccountQueries;
  readonly executor: Executor;
  readonly database: Pick<Database, "query">;
  readonly sink: Sink;
  readonly clock: Clock;
  /** Where failures of matchers are reported. */
  readonly reporter?: FailureReporter;
}

export interface SegmentWorkerOptions {
  readonly network: Facts["network"];
  /** Data deeper than this is not stored with the latest state. */
  readonly dataDepth?: number;
  /** How many blocks may be decoded ahead of the current one. */
  readonly decodedAhead?: number;
  /** What one transaction may write while far behind: rows, and milliseconds of work. */
  readonly maxRows?: number;
  readonly maxMs?: number;
  /** Memory for cached cells in bytes; see `shareMemory`. */
  readonly memoryBytes?: number;
  /** How many transactions of open traces are remembered, and for how many blocks. */
  readonly rememberedTransactions?: number;
  readonly rememberedBlocks?: number;
}

export interface SegmentWorkerCounters extends RunnerCounters {
  readonly failedDetections: number;
  readonly accounts: AccountCounters;
}

/** What a segment worker learns from its owner. */
export interface SegmentWatch {
  /** Whether more blocks are waiting, so that several may be committed together. */
  isBehind(seqno: number): boolean;
  committed(advance: Advance, last: { readonly seqno: number; readonly utime: number }): void;
}

/** A block that waits for its commit. */
interface Made {
  readonly rows: BatchRows;
  /** Those of all accounts, also of accounts outside the scope. */
  readonly entities: EntityRows;
  readonly accounts: readonly AccountAfter[];
  /** How many transactions the block has. */
  readonly transactions: number;
}

/** Tables that have nothing, so that everything comes from the chain. */
const noTables = { query: async () => [] };

const defaults = {
  decodedAhead: 4,
  maxRows: 20_000,
  maxMs: 1_000,
  memoryBytes: usualMemory,
  rememberedTransactions: 20_000,
  rememberedBlocks: 64,
};

/**
 * Indexes one range of blocks in order: source, decode, accounts, traces, meaning, commit. A worker is used once: after
 * a failure a new one starts from the state of the tables.
 */
export class SegmentWorker {
  readonly #modules: SegmentWorkerModules;
  readonly #plan: SegmentPlan;
  readonly #options: SegmentWorkerOptions & typeof defaults;
  readonly #memory: WorkerMemory;
  readonly #runner: StateRunner;
  readonly #interpreter: Interpreter;
  readonly #accounts: AccountReader;
  #traces = new TraceMemory();
  /** Where history began when the traces were read. */
  #begins: string | undefined;
  #place: RunBlock | undefined;
  /** Blocks that will be committed together. */
  #waiting: Made[] = [];
  #waitingRows = 0;
  #waitingSince = 0;
  /** The commit in progress. */
  #committing: Promise<void> = Promise.resolve();
  #nextSeqno: number;
  /** Weight of the last blocks, the newest last. */
  #weights: { readonly seqno: number; readonly bytes: number }[] = [];

  constructor(modules: SegmentWorkerModules, plan: SegmentPlan, options: SegmentWorkerOptions) {
    const { server, queries, database } = modules;
    this.#modules = modules;
    this.#plan = plan;
    this.#options = { ...defaults, ...options };
    this.#nextSeqno = plan.segment.nextSeqno;
    this.#memory = shareMemory(this.#options.memoryBytes);
    const { accountBytes, libraryBytes } = this.#memory;
    const scope = plan.scope && limitsAccounts(plan.scope) ? new AccountScope(plan.scope) : undefined;
    this.#runner = new StateRunner(modules, {
      ...{ accountBytes, libraryBytes, sinceSeqno: plan.segment.firstSeqno },
      isCovered: scope && ((address) => scope.names(address)),
    });
    const range = {
      since: plan.segment.firstSeqno,
      first: plan.first,
      startLt: indexStart(modules.source, plan.first),
    };
    this.#interpreter = new Interpreter({
      ...{ ...options, database, range, scope, pastBytes: this.#memory.pastBytes },
      runner: this.#runner,
      openRunner: () => new StateRunner({ ...modules, database: noTables }),
      reporter: modules.reporter,
    });
    const lookups = { ...storedStates(database), findLibrary: this.#findLibrary.bind(this) };
    const { dataDepth } = options;
    this.#accounts = new AccountReader(
      { server, queries, memory: new StateMemory(this.#memory), lookups },
      { ...(dataDepth !== undefined && { dataDepth }), ...codesOf(plan) },
    );
  }

  counters(): SegmentWorkerCounters {
    const { failedDetections } = this.#interpreter;
    return { ...this.#runner.counters(), failedDetections, accounts: this.#accounts.counters() };
  }

  /** Indexes to the end of the plan; rejects with the failure or with the reason of the signal. */
  async run(watch: SegmentWatch, signal: AbortSignal): Promise<void> {
    const { source, database } = this.#modules;
    const { segment, to, untilTime = Number.POSITIVE_INFINITY } = this.#plan;
    if (to !== undefined && this.#nextSeqno > to) return;
    // First, so that a removal between the two statements is noticed.
    this.#begins = await findFact(database, beginsFact);
    this.#traces = await loadTraceMemory(database, segment);
    const range = to === undefined ? { from: this.#nextSeqno } : { from: this.#nextSeqno, to };
    const own = new AbortController();
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    const turns = new TurnBudget(this.#modules.clock);
    const decode = (batch: BlockBatch) => runInTurns(decodeInSteps(batch), () => turns.yieldIfDue());
    const batches = decodeAhead(source.batches(range, own.signal), this.#options.decodedAhead, decode);
    try {
      for await (const decoded of batches) {
        const { mcSeqno } = decoded.batch;
        if (placeOf(decoded, signal).now > untilTime) break;
        await this.#take(decoded, signal);
        if (this.#isFull(mcSeqno, watch)) await this.#startCommit(watch, signal);
        if (!watch.isBehind(mcSeqno)) await this.#committing;
      }
      await this.#startCommit(watch, signal);
    } finally {
      stopListening();
      own.abort();
      // The next worker must find in the tables what this one leaves.
      await this.#committing;
    }
  }

  async #take(decoded: DecodedBatch, signal: AbortSignal): Promise<void> {
    const { mcSeqno } = decoded.batch;
    if (mcSeqno !== this.#nextSeqno + this.#waiting.length)
      throw new HistoryError("history/mismatch", `block ${mcSeqno} is out of order`);
    if (this.#place === undefined) await this.#checkFirst(decoded);
    if (this.#waiting.length === 0) this.#waitingSince = this.#modules.clock.monotonic();
    const runBlock = placeOf(decoded, signal);
    this.#place = runBlock;
    this.#weights.push({ seqno: mcSeqno, bytes: weighBlocks(decoded.batch) });
    const { accounts, rows: accountRows } = await this.#accounts.read(decoded, signal);
    const transactions = decoded.transactions.map(({ seen }) => seen);
    const input = { mcSeqno, transactions, normalized: normalizedOf(decoded), startLt: startOf(decoded) };
    const step = assembleTraces(this.#traces, input);
    const { decisions, ...meaning } = await this.#interpreter.interpret({ runBlock, transactions, accounts, step });
    const { openEdges, closedEdges } = this.#applyDecisions(step, decisions);
    const rows: BatchRows = {
      mcSeqno,
      transactions: decoded.transactions.map(({ row }) => ({
        traceId: step.traceIds.get(row.hash) ?? row.hash,
        ...row,
      })),
      openEdges,
      closedEdges,
      ...decoded.rows,
      ...accountRows,
      ...meaning,
    };
    const batchRows = decisions === undefined ? rows : splitRows(rows, decisions);
    this.#waitingRows += countRows(batchRows);
    this.#waiting.push({ rows: batchRows, accounts, entities: rows.entities, transactions: transactions.length });
  }

  /** Applies a step as it was decided. */
  #applyDecisions(step: TraceStep, decisions: TraceDecisions | undefined): TraceStep {
    const settled = decisions === undefined ? step : applyDecisions(step, decisions, this.#traces);
    this.#traces.apply(settled);
    return settled;
  }

  /** The first block must follow the last one that is indexed: a chain may have been cut and continued otherwise. */
  async #checkFirst({ batch }: DecodedBatch): Promise<void> {
    const { firstSeqno, nextSeqno } = this.#plan.segment;
    if (nextSeqno === firstSeqno) return;
    const [previous] = prevBlockIds(loadCell(Block, batch.master.root).info.load());
    if (previous !== undefined) await checkChain(this.#modules.database, previous);
  }

  #isFull(seqno: number, watch: SegmentWatch): boolean {
    const { maxMs, maxRows } = this.#options;
    if (!watch.isBehind(seqno)) return true;
    if (this.#modules.clock.monotonic() - this.#waitingSince >= maxMs) return true;
    return this.#waitingRows >= maxRows;
  }

  /** Starts the next commit when the previous one is done; indexing continues in the meantime. */
  async #startCommit(watch: SegmentWatch, signal: AbortSignal): Promise<void> {
    await this.#committing;
    const made = this.#waiting;
    if (made.length === 0) return;
    throwIfAborted(signal);
    const { rememberedTransactions: max } = this.#options;
    this.#traces.trim({ max, sinceSeqno: this.#firstRemembered(), storedBefore: this.#nextSeqno });
    this.#waiting = [];
    this.#waitingRows = 0;
    this.#nextSeqno += made.length;
    this.#interpreter.turn(made);
    this.#committing = this.#commit(made, { ...watch, utime: this.#place?.now ?? 0 });
    // The next caller that waits gets the failure.
    this.#committing.catch(() => {});
  }

  /** The first block whose traces are remembered: blocks from there on must fit in memory. */
  #firstRemembered(): number {
    const { rememberedBlocks } = this.#options;
    let bytes = 0;
    const tooMuch = this.#weights.findLastIndex((weight) => {
      bytes += weight.bytes;
      return bytes > this.#memory.traceBytes;
    });
    this.#weights = this.#weights.slice(tooMuch + 1).slice(-rememberedBlocks);
    return Math.max(this.#nextSeqno - rememberedBlocks, this.#weights[0]?.seqno ?? this.#nextSeqno);
  }

  async #commit(made: readonly Made[], { committed, utime }: SegmentWatch & { readonly utime: number }): Promise<void> {
    const batches = made.map(({ rows }) => rows);
    const { firstSeqno } = this.#plan.segment;
    const seqno = batches.reduce((last, { mcSeqno }) => Math.max(last, mcSeqno), 0);
    await this.#modules.sink.commit(batches, { firstSeqno, nextSeqno: seqno + 1 }, { begins: this.#begins });
    for (const { accounts } of made) this.#runner.forgetCommitted(accounts);
    const transactions = made.reduce((sum, each) => sum + each.transactions, 0);
    committed({ nextSeqno: seqno + 1, blocks: batches.length, transactions }, { seqno, utime });
  }

  async #findLibrary(hash: Hash) {
    return this.#place === undefined ? undefined : this.#runner.findLibrary(hash, this.#place);
  }
}

/** An index with a scope decides later which rows of codes it needs, and may look at codes that were replaced. */
function codesOf({ scope }: SegmentPlan): Pick<AccountOptions, "repeatCodes" | "codesBefore"> {
  const isLimited = scope !== undefined && limitsAccounts(scope);
  return { repeatCodes: isLimited, codesBefore: isLimited && scope.codeHashes.length > 0 };
}

/** Where get-methods run on the states after a batch. */
export function placeOf({ batch, rows }: DecodedBatch, signal: AbortSignal): RunBlock {
  const master = rows.blocks.find(({ workchain }) => workchain === masterchain);
  if (master === undefined)
    throw new HistoryError("history/mismatch", `no masterchain block in batch ${batch.mcSeqno}`);
  const keySeqno = master.keyBlock ? master.seqno : master.prevKeyBlockSeqno;
  return { master: batch.master.id, keySeqno, now: master.genUtime, signal };
}

function startOf({ rows }: DecodedBatch): bigint {
  return rows.blocks.reduce((least, { startLt }) => (startLt < least ? startLt : least), rows.blocks[0]?.startLt ?? 0n);
}

/** Normalized hashes of external messages, where they differ from the plain hashes. */
export function normalizedOf({ rows }: DecodedBatch): ReadonlyMap<Hash, Hash> {
  const normalized = new Map<Hash, Hash>();
  for (const { hash, hashNorm } of rows.messages)
    if (hashNorm !== undefined && hashNorm !== hash) normalized.set(hash, hashNorm);
  return normalized;
}

function countRows({ transactions, messages, latestAccountStates, actions }: BatchRows): number {
  return transactions.length * 2 + messages.length * 2 + latestAccountStates.length + actions.length * 3;
}
