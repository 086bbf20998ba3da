import type { DetectSetting } from "../../contracts/detect.ts";
import type { Facts } from "../../contracts/Facts.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { LiteServer } from "../../lite/LiteServer.ts";
import { masterchain } from "../../model/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Executor } from "../../tvm/Executor.ts";
import { HistoryError } from "../errors.ts";
import type { BatchRows } from "../store/BatchRows.ts";
import type { Database } from "../store/Database.ts";
import { type AccountCounters, AccountReader } from "./accounts.ts";
import type { DecodedBatch } from "./Batch.ts";
import { decodeBatch } from "./decode.ts";
import { decodeAhead } from "./decodeAhead.ts";
import { Interpreter } from "./interpret.ts";
import type { LanePlan } from "./planLanes.ts";
import type { Advance } from "./progress.ts";
import type { Questions } from "./Questions.ts";
import { StateMemory } from "./StateMemory.ts";
import { type RunnerCounters, type RunPlace, StateRunner } from "./StateRunner.ts";
import type { BlockSource } from "./source.ts";
import { storedStates } from "./storedStates.ts";
import { loadTraceMemory, type SeqnoRange, TraceMemory } from "./TraceMemory.ts";
import { assembleTraces } from "./traces.ts";

/** Where rows go: all of some blocks and the new extent of their segment, or nothing of it. */
export interface Sink {
  commit(batches: readonly BatchRows[], segment: SeqnoRange): Promise<void>;
}

export interface LaneModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly server: LiteServer;
  readonly questions: Questions;
  readonly executor: Executor;
  readonly database: Pick<Database, "query">;
  readonly sink: Sink;
  readonly clock: Clock;
}

export interface LaneOptions {
  readonly network: Facts["network"];
  readonly domains?: DetectSetting["domains"];
  /** Data deeper than this is not stored beside the newest state. */
  readonly dataDepth?: number;
  /** How many blocks may be decoded ahead of the one that is worked on. */
  readonly decodedAhead?: number;
  /** What may be written in one transaction while far behind: rows, and milliseconds of work. */
  readonly mostRows?: number;
  readonly mostMs?: number;
  /** How many transactions of traces under way are remembered. */
  readonly rememberedTransactions?: number;
}

export interface LaneCounters extends RunnerCounters {
  readonly accounts: AccountCounters;
}

/** How a lane is told of the world around it. */
export interface LaneWatch {
  /** Whether more blocks are waiting than this one, so that some may be written together. */
  isBehind(seqno: number): boolean;
  committed(advance: Advance, last: { readonly seqno: number; readonly utime: number }): void;
}

const defaults = { decodedAhead: 4, mostRows: 20_000, mostMs: 1_000, rememberedTransactions: 50_000 };

/**
 * Reads one stretch of blocks in order into the tables: source, decode, accounts, traces, meaning, commit. It is used
 * once: whoever sees it fail makes a new one, which begins with what the tables hold.
 */
export class Lane {
  readonly #modules: LaneModules;
  readonly #plan: LanePlan;
  readonly #options: LaneOptions & typeof defaults;
  readonly #runner: StateRunner;
  readonly #interpreter: Interpreter;
  readonly #accounts: AccountReader;
  #traces = new TraceMemory();
  #place: RunPlace | undefined;
  #waiting: BatchRows[] = [];
  #waitingSince = 0;
  #nextSeqno: number;

  constructor(modules: LaneModules, plan: LanePlan, options: LaneOptions) {
    const { server, questions, database } = modules;
    this.#modules = modules;
    this.#plan = plan;
    this.#options = { ...defaults, ...options };
    this.#nextSeqno = plan.segment.nextSeqno;
    this.#runner = new StateRunner(modules);
    this.#interpreter = new Interpreter({ ...options, database, runner: this.#runner });
    const lookups = { ...storedStates(database), findLibrary: this.#findLibrary.bind(this) };
    const { dataDepth } = options;
    this.#accounts = new AccountReader(
      { server, questions, memory: new StateMemory(), lookups },
      dataDepth === undefined ? {} : { dataDepth },
    );
  }

  counters(): LaneCounters {
    return { ...this.#runner.counters(), accounts: this.#accounts.counters() };
  }

  /** Reads up to the end of the plan; rejects with what went wrong, or with the signal's reason. */
  async run(watch: LaneWatch, signal: AbortSignal): Promise<void> {
    const { source, database } = this.#modules;
    const { segment, to } = this.#plan;
    if (to !== undefined && this.#nextSeqno > to) return;
    this.#traces = await loadTraceMemory(database, segment);
    const range = to === undefined ? { from: this.#nextSeqno } : { from: this.#nextSeqno, to };
    const batches = decodeAhead(source.batches(range, signal), this.#options.decodedAhead, decodeBatch);
    for await (const decoded of batches) {
      await this.#take(decoded, signal);
      if (this.#isFull(decoded.batch.mcSeqno, watch)) await this.#commit(watch, signal);
    }
    await this.#commit(watch, signal);
  }

  async #take(decoded: DecodedBatch, signal: AbortSignal): Promise<void> {
    const { mcSeqno } = decoded.batch;
    if (mcSeqno !== this.#nextSeqno + this.#waiting.length)
      throw new HistoryError("history/mismatch", `block ${mcSeqno} came out of turn`);
    if (this.#waiting.length === 0) this.#waitingSince = this.#modules.clock.monotonic();
    const place = placeOf(decoded, signal);
    this.#place = place;
    const { accounts, rows: accountRows } = await this.#accounts.read(decoded, signal);
    const transactions = decoded.transactions.map(({ seen }) => seen);
    const step = assembleTraces(this.#traces, { mcSeqno, transactions, normalized: normalizedOf(decoded) });
    const told = await this.#interpreter.interpret({ place, transactions, accounts, step });
    this.#traces.apply(step);
    this.#waiting.push({
      mcSeqno,
      ...decoded.rows,
      ...accountRows,
      ...told,
      transactions: decoded.transactions.map(({ row }) => ({
        ...row,
        traceId: step.traceIds.get(row.hash) ?? row.hash,
      })),
      openEdges: step.openEdges,
      closedEdges: step.closedEdges,
    });
  }

  #isFull(seqno: number, watch: LaneWatch): boolean {
    const { mostMs, mostRows } = this.#options;
    if (!watch.isBehind(seqno)) return true;
    if (this.#modules.clock.monotonic() - this.#waitingSince >= mostMs) return true;
    return this.#waiting.reduce((sum, rows) => sum + countRows(rows), 0) >= mostRows;
  }

  async #commit(watch: LaneWatch, signal: AbortSignal): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last === undefined) return;
    throwIfAborted(signal);
    const { firstSeqno } = this.#plan.segment;
    const nextSeqno = last.mcSeqno + 1;
    await this.#modules.sink.commit(this.#waiting, { firstSeqno, nextSeqno });
    const transactions = this.#waiting.reduce((sum, rows) => sum + rows.transactions.length, 0);
    const advance = { nextSeqno, blocks: this.#waiting.length, transactions };
    this.#nextSeqno = nextSeqno;
    this.#waiting = [];
    this.#interpreter.forget();
    this.#runner.settle();
    this.#traces.trim(this.#options.rememberedTransactions);
    watch.committed(advance, { seqno: last.mcSeqno, utime: this.#place?.now ?? 0 });
  }

  async #findLibrary(hash: Hash) {
    return this.#place === undefined ? undefined : this.#runner.findLibrary(hash, this.#place);
  }
}

function placeOf({ batch, rows }: DecodedBatch, signal: AbortSignal): RunPlace {
  const master = rows.blocks.find(({ workchain }) => workchain === masterchain);
  if (master === undefined)
    throw new HistoryError("history/mismatch", `no masterchain block in batch ${batch.mcSeqno}`);
  const keySeqno = master.keyBlock ? master.seqno : master.prevKeyBlockSeqno;
  return { master: batch.master.id, keySeqno, now: master.genUtime, signal };
}

function normalizedOf({ rows }: DecodedBatch): ReadonlyMap<Hash, Hash> {
  const normalized = new Map<Hash, Hash>();
  for (const { hash, hashNorm } of rows.messages)
    if (hashNorm !== undefined && hashNorm !== hash) normalized.set(hash, hashNorm);
  return normalized;
}

function countRows({ transactions, messages, accountStates, actions }: BatchRows): number {
  return transactions.length + messages.length * 2 + accountStates.length * 2 + actions.length * 3;
}
