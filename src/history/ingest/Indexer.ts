import { setMaxListeners } from "node:events";
import { abortReason, onAbort } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { LibError } from "../../lib/libErrors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { type Backoff, backoffMs } from "../../lib/retry.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { classifyStored } from "../meaning/classifyStored.ts";
import { listSegments } from "../store/checkpoint.ts";
import type { Database } from "../store/Database.ts";
import { checkChain } from "./checkChain.ts";
import type { Failure, IndexerStatus, SegmentStatus } from "./IndexStatus.ts";
import { joinSegments } from "./joinSegments.ts";
import { planSegments, type SegmentPlan, type StartAt } from "./planSegments.ts";
import { Progress, secondsLeft } from "./progress.ts";
import {
  SegmentWorker,
  type SegmentWorkerCounters,
  type SegmentWorkerModules,
  type SegmentWorkerOptions,
} from "./SegmentWorker.ts";
import type { Heads } from "./source/heads.ts";
import { usualMemory } from "./workerMemory.ts";

export interface IndexerModules extends SegmentWorkerModules {
  readonly database: Database;
  readonly heads: Heads;
  readonly random: Random;
  readonly log?: Log;
}

export interface IndexerOptions extends SegmentWorkerOptions {
  readonly from: StartAt;
  /** The last block to index; the chain is followed when absent. */
  readonly to?: number;
  /** The head gets its own segment when the index is more blocks behind than this; 2000 by default. */
  readonly mostBehind?: number;
  readonly backoff?: Backoff;
}

const defaultBackoff: Backoff = { firstMs: 500, factor: 2, maxMs: 60_000 };
/** When fewer blocks are left, each is committed alone, so that it is visible as soon as possible. */
const togetherFrom = 4;

/** State of a segment worker over all its attempts. */
interface WorkerState {
  readonly plan: SegmentPlan;
  readonly progress: Progress;
  nextSeqno: number;
  worker: SegmentWorker | undefined;
  failure: Failure | undefined;
  attempt: number;
}

/**
 * Keeps the tables up to date: follows the head and fills gaps at the same time. Failures are reported by `status` and
 * retried from the state of the tables.
 */
export class Indexer {
  readonly #modules: IndexerModules;
  readonly #options: IndexerOptions;
  #kind: "starting" | "running" | "done" | "stopped" = "starting";
  #running: WorkerState[] = [];
  #head: number | undefined;
  #last: { readonly seqno: number; readonly utime: number } | undefined;
  #failure: Failure | undefined;
  #attempt = 0;

  constructor(modules: IndexerModules, options: IndexerOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  /** Resolves when the last wanted block is indexed; rejects only with the reason of the signal. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        try {
          if (await this.#runLocked(signal)) break;
        } catch (error) {
          if (signal.aborted) throw abortReason(signal);
          this.#attempt++;
          this.#failure = await this.#wait(error, this.#attempt, signal, (failure) => {
            this.#failure = failure;
          });
        }
      }
      this.#kind = "done";
    } finally {
      if (this.#kind !== "done") this.#kind = "stopped";
    }
  }

  /** Counters of each running segment worker. */
  counters(): readonly SegmentWorkerCounters[] {
    return this.#running.flatMap(({ worker }) => worker?.counters() ?? []);
  }

  status(): IndexerStatus {
    const { clock } = this.#modules;
    const workers = this.#running.map((going) => this.#workerStatus(going));
    const isFailing = this.#failure !== undefined || workers.some(({ failure }) => failure !== undefined);
    const isUp =
      workers.length > 0 && workers.every(({ kind, blocksLeft }) => kind === "follow" && blocksLeft <= togetherFrom);
    const running = isFailing ? "failing" : isUp ? "following" : "catchingUp";
    const lagSeconds = this.#last && Math.max(0, Math.round(clock.now() / 1000) - this.#last.utime);
    return {
      kind: this.#kind === "running" ? running : this.#kind === "starting" && isFailing ? "failing" : this.#kind,
      head: this.#head,
      lastSeqno: this.#last?.seqno,
      lastUtime: this.#last?.utime,
      lagSeconds,
      workers,
      failure: this.#failure,
    };
  }

  #workerStatus({ plan, progress, nextSeqno, failure }: WorkerState): SegmentStatus {
    const rates = progress.rates();
    const blocksLeft = Math.max(0, (plan.to ?? this.#head ?? nextSeqno - 1) + 1 - nextSeqno);
    return {
      kind: plan.kind,
      firstSeqno: plan.segment.firstSeqno,
      nextSeqno,
      to: plan.to,
      blocks: progress.blocks,
      transactions: progress.transactions,
      ...rates,
      blocksLeft,
      secondsLeft: secondsLeft(blocksLeft, rates),
      failure,
    };
  }

  /** Works while this process holds the writer lock; returns whether everything is done. */
  async #runLocked(signal: AbortSignal): Promise<boolean> {
    const { database } = this.#modules;
    const lock = await database.lockWriter(signal);
    const own = new AbortController();
    const stop = [signal, lock.lost].map((each) => onAbort(each, (reason) => own.abort(reason)));
    try {
      for (;;) {
        await classifyStored(database, this.#options.network, own.signal, this.#modules.reporter);
        if (await this.#runPlan(own.signal)) return true;
      }
    } finally {
      for (const stopListening of stop) stopListening();
      this.#running = [];
      await lock.release();
    }
  }

  /** Runs segment workers until two segments meet or the last block is indexed. */
  async #runPlan(signal: AbortSignal): Promise<boolean> {
    const { database } = this.#modules;
    const { from, to, mostBehind = 2000 } = this.#options;
    const segments = await listSegments(database);
    const head = await this.#reachIndexed(segments.at(-1)?.nextSeqno ?? 1, signal);
    const { follow, backfill } = planSegments({ segments, from, head, to, mostBehind });
    this.#kind = "running";
    this.#failure = undefined;
    this.#attempt = 0;
    const own = new AbortController();
    // Every pending query listens to this signal.
    setMaxListeners(0, own.signal);
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    // Two workers share the memory of one.
    const memoryBytes = (this.#options.memoryBytes ?? usualMemory) / (follow && backfill ? 2 : 1);
    const following = follow && this.#keepRunning(follow, memoryBytes, own.signal);
    following?.catch(() => {});
    try {
      if (backfill === undefined) {
        await following;
        return true;
      }
      await this.#keepRunning(backfill, memoryBytes, own.signal);
    } finally {
      stopListening();
      own.abort(new LibError("lib/aborted", "segments meet"));
      // A commit may still be running; it must end while the lock is held.
      await Promise.allSettled([following]);
      this.#running = [];
    }
    throwIfAborted(signal);
    await this.#join();
    return false;
  }

  async #join(): Promise<void> {
    const { database, log } = this.#modules;
    await database.write(async (session) => {
      const segments = await listSegments(session);
      for (let at = segments.length - 1; at > 0; at--) {
        const earlier = segments[at - 1];
        const later = segments[at];
        if (earlier === undefined || later === undefined || earlier.nextSeqno !== later.firstSeqno) continue;
        const completed = await joinSegments(session, earlier, later);
        log?.info("segments joined", { ...earlier, nextSeqno: later.nextSeqno, completedTraces: completed.length });
        // One pair at a time: joining changes the bounds of the others.
        return;
      }
    });
  }

  async #lookHead(signal: AbortSignal, seqno = 1): Promise<BlockIdExt> {
    const head = await this.#modules.heads.reach(seqno, signal);
    this.#head = Math.max(this.#head ?? 0, head.seqno);
    return head;
  }

  /** Waits until the chain has all indexed blocks, and compares every head on the way: a chain that was cut differs. */
  async #reachIndexed(nextSeqno: number, signal: AbortSignal): Promise<number> {
    let head = await this.#lookHead(signal);
    await checkChain(this.#modules.database, head);
    while (head.seqno < nextSeqno - 1) {
      head = await this.#lookHead(signal, head.seqno + 1);
      await checkChain(this.#modules.database, head);
    }
    return this.#head ?? head.seqno;
  }

  /** Runs a segment worker to its end and retries after failures. */
  async #keepRunning(plan: SegmentPlan, memoryBytes: number, signal: AbortSignal): Promise<void> {
    const progress = new Progress(this.#modules.clock);
    const { nextSeqno } = plan.segment;
    const going: WorkerState = { plan, progress, nextSeqno, worker: undefined, failure: undefined, attempt: 0 };
    this.#running.push(going);
    for (;;) {
      try {
        await this.#runOnce(going, memoryBytes, signal);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        going.attempt++;
        await this.#wait(error, going.attempt, signal, (failure) => {
          going.failure = failure;
        });
      }
    }
  }

  async #runOnce(going: WorkerState, memoryBytes: number, signal: AbortSignal): Promise<void> {
    const { firstSeqno } = going.plan.segment;
    // A commit may have succeeded although its answer was lost: the tables decide.
    const stored = (await listSegments(this.#modules.database)).find((segment) => segment.firstSeqno === firstSeqno);
    const segment = stored ?? going.plan.segment;
    going.nextSeqno = segment.nextSeqno;
    const worker = new SegmentWorker(this.#modules, { ...going.plan, segment }, { ...this.#options, memoryBytes });
    going.worker = worker;
    await worker.run(
      {
        isBehind: (seqno) => (going.plan.to ?? this.#head ?? 0) - seqno > togetherFrom,
        committed: (advance, last) => {
          going.progress.note(advance);
          going.nextSeqno = advance.nextSeqno;
          going.failure = undefined;
          going.attempt = 0;
          if (last.seqno > (this.#last?.seqno ?? 0)) this.#last = last;
          if (last.seqno > (this.#head ?? 0)) this.#head = last.seqno;
          this.#refreshHead(signal);
        },
      },
      signal,
    );
  }

  /** The head comes from the follower; work never waits for it. */
  #refreshHead(signal: AbortSignal): void {
    this.#lookHead(signal).catch(() => {});
  }

  async #wait(
    error: unknown,
    attempt: number,
    signal: AbortSignal,
    report: (failure: Failure) => void,
  ): Promise<Failure> {
    const { clock, random, log } = this.#modules;
    const waitMs = backoffMs(this.#options.backoff ?? defaultBackoff, attempt, random);
    const failure: Failure = {
      code: isCoded(error) ? error.code : "unexpected",
      message: error instanceof Error ? error.message : String(error),
      attempt,
      failedAt: Math.round(clock.now() / 1000),
      nextTryAt: Math.round((clock.now() + waitMs) / 1000),
    };
    report(failure);
    log?.warn("indexing failed", { ...failure, error });
    await clock.sleep(waitMs, signal);
    return failure;
  }
}
