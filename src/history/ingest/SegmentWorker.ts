import { onAbort } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { RunBlock, RunnerCounters } from "../meaning/StateRunner.ts";
import type { Segment } from "../store/schema/checkpoint.ts";
import { listMissing } from "../store/schema/missingParts.ts";
import type { IndexExtent } from "../store/write/commit.ts";
import type { DecodedBatch } from "./decode/DecodedBatch.ts";
import type { SegmentPlan } from "./planSegments.ts";
import type { AccountCounters } from "./states/AccountReader.ts";
import { AccountStep, type AccountStepModules, type AccountStepOptions } from "./steps/AccountStep.ts";
import { type Advance, type CommitLimits, type CommitModules, CommitQueue } from "./steps/CommitQueue.ts";
import { checkFollows } from "./steps/checkChain.ts";
import { type DecodeModules, decodeBlocks, runBlockOf } from "./steps/decodeBlocks.ts";
import { ElectionStep } from "./steps/ElectionStep.ts";
import { makeBatchRows } from "./steps/makeBatchRows.ts";
import { type Meaning, type MeaningModules, type MeaningOptions, openMeaning } from "./steps/openMeaning.ts";
import { PoolEventStep } from "./steps/PoolEventStep.ts";
import { TraceAssembly, type TraceMemoryLimits } from "./steps/TraceAssembly.ts";
import { shareMemory, usualMemory } from "./steps/workerMemory.ts";

export interface SegmentWorkerModules
  extends DecodeModules,
    Omit<AccountStepModules, "runner">,
    Omit<MeaningModules, "queries">,
    CommitModules {}

export interface SegmentWorkerOptions
  extends Pick<MeaningOptions, "network">,
    Pick<AccountStepOptions, "dataDepth">,
    Partial<CommitLimits>,
    Partial<Omit<TraceMemoryLimits, "traceBytes">> {
  /** How many blocks may be decoded ahead of the current one. */
  readonly decodedAhead?: number;
  /** Memory for cached cells in bytes; see `shareMemory`. */
  readonly memoryBytes?: number;
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
  readonly #decodedAhead: number;
  readonly #accounts: AccountStep;
  readonly #traces: TraceAssembly;
  readonly #meaning: Meaning;
  readonly #elections: ElectionStep;
  readonly #pools: PoolEventStep;
  readonly #commits: CommitQueue;
  /** What was known of the index when the traces were read. */
  #extent: IndexExtent = { begins: undefined };
  /** Blocks that were indexed without elections. */
  #missing: readonly Segment[] = [];
  #runBlock: RunBlock | undefined;

  constructor(modules: SegmentWorkerModules, plan: SegmentPlan, options: SegmentWorkerOptions) {
    const all = { ...defaults, ...options };
    const memory = shareMemory(all.memoryBytes);
    this.#modules = modules;
    this.#plan = plan;
    this.#decodedAhead = all.decodedAhead;
    this.#meaning = openMeaning(modules, plan, { network: all.network, memory });
    const { runner } = this.#meaning;
    this.#accounts = new AccountStep({ ...modules, runner }, { memory, dataDepth: all.dataDepth, scope: plan.scope });
    this.#traces = new TraceAssembly({ ...all, traceBytes: memory.traceBytes });
    this.#elections = new ElectionStep({ runner });
    this.#pools = new PoolEventStep({ ...modules, runner });
    this.#commits = new CommitQueue(modules, plan.segment, all);
  }

  counters(): SegmentWorkerCounters {
    const { runner, interpreter } = this.#meaning;
    const { failedDetections } = interpreter;
    return { ...runner.counters(), failedDetections, accounts: this.#accounts.counters() };
  }

  /** Indexes to the end of the plan; rejects with the failure or with the reason of the signal. */
  async run(watch: SegmentWatch, signal: AbortSignal): Promise<void> {
    const { segment, to, untilTime = Number.POSITIVE_INFINITY } = this.#plan;
    const from = this.#commits.nextSeqno;
    if (to !== undefined && from > to) return;
    this.#extent = await this.#traces.load(this.#modules.database, segment);
    this.#missing = await listMissing(this.#modules.database, "validators");
    const own = new AbortController();
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    const blocks = decodeBlocks(this.#modules, { from, to, decodedAhead: this.#decodedAhead }, own.signal);
    try {
      for await (const decoded of blocks) {
        const { mcSeqno } = decoded.batch;
        const runBlock = runBlockOf(decoded, signal);
        if (runBlock.now > untilTime) break;
        await this.#take(decoded, runBlock);
        if (!watch.isBehind(mcSeqno) || this.#commits.isFull) await this.#startCommit(watch, signal);
        if (!watch.isBehind(mcSeqno)) await this.#commits.finish();
      }
      await this.#startCommit(watch, signal);
    } finally {
      stopListening();
      own.abort();
      // The next worker must find in the tables what this one leaves.
      await this.#commits.finish();
    }
  }

  /** Makes the rows of one block. */
  async #take(decoded: DecodedBatch, runBlock: RunBlock): Promise<void> {
    this.#commits.begin(decoded.batch.mcSeqno);
    await this.#checkFirst(decoded);
    this.#runBlock = runBlock;

    const { accounts, rows: accountRows } = await this.#accounts.read(decoded, runBlock);
    const assembled = this.#traces.assemble(decoded);
    const transactions = decoded.transactions.map(({ seen }) => seen);
    const block = { runBlock, transactions, accounts, step: assembled };
    const interpreted = await this.#meaning.interpreter.interpret(block);
    const step = this.#traces.apply(assembled, interpreted.decisions);
    const isStart = this.#isElectionStart(decoded.batch.mcSeqno);
    const elections = await this.#elections.read({ decoded, accounts, runBlock, isStart });
    const pools = await this.#pools.read(decoded, accounts, runBlock);
    const rows = makeBatchRows({ decoded, accountRows, step, interpreted, elections, pools });

    this.#commits.add({ rows, accounts, entities: interpreted.entities, transactions: transactions.length });
  }

  /**
   * Whether elections before a block are not in the tables: it is the first one, or follows those of an older version.
   */
  #isElectionStart(mcSeqno: number): boolean {
    return mcSeqno === this.#plan.first || this.#missing.some(({ nextSeqno }) => nextSeqno === mcSeqno);
  }

  /** The first block must follow the last one that is indexed. */
  async #checkFirst({ batch }: DecodedBatch): Promise<void> {
    const { firstSeqno, nextSeqno } = this.#plan.segment;
    const isFirst = this.#runBlock === undefined;
    if (isFirst && nextSeqno !== firstSeqno) await checkFollows(this.#modules.database, batch);
  }

  /** Starts the next commit when the previous one is done; indexing continues in the meantime. */
  async #startCommit({ committed }: SegmentWatch, signal: AbortSignal): Promise<void> {
    await this.#commits.finish();
    if (this.#commits.isEmpty) return;
    throwIfAborted(signal);
    this.#traces.trim(this.#commits.nextSeqno);
    const blocks = this.#commits.take();
    const { interpreter, runner } = this.#meaning;
    interpreter.turn(blocks);
    const utime = this.#runBlock?.now ?? 0;
    this.#commits.start(blocks, this.#extent, (advance) => {
      for (const { accounts } of blocks) runner.forgetCommitted(accounts);
      committed(advance, { seqno: advance.nextSeqno - 1, utime });
    });
  }
}
