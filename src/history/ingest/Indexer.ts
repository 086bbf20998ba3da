import { setMaxListeners } from "node:events";
import { abortReason, onAbort } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { LibError } from "../../lib/libErrors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { type Backoff, backoffMs } from "../../lib/retry.ts";
import { classifyStored } from "../meaning/classifyStored.ts";
import { listSegments } from "../store/checkpoint.ts";
import type { Database } from "../store/Database.ts";
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
  /** The last block to read; without one the chain is followed. */
  readonly to?: number;
  /** How far the index may be behind the head before the head is followed in a segment of its own; 2000 when not said. */
  readonly mostBehind?: number;
  readonly backoff?: Backoff;
}

const defaultBackoff: Backoff = { firstMs: 500, factor: 2, maxMs: 60_000 };
/** Fewer blocks than these are written one by one, so that each is seen as soon as it can be. */
const togetherFrom = 4;

/** A lane as it goes, over all its attempts. */
interface Going {
  readonly plan: SegmentPlan;
  readonly progress: Progress;
  nextSeqno: number;
  lane: SegmentWorker | undefined;
  failure: Failure | undefined;
  attempt: number;
}

/**
 * Keeps the tables up with the chain: follows its head and fills the gaps behind it at the same time. Whatever goes wrong
 * is told by `status` and tried again, from what the tables hold.
 */
export class Indexer {
  readonly #modules: IndexerModules;
  readonly #options: IndexerOptions;
  #kind: "starting" | "running" | "done" | "stopped" = "starting";
  #going: Going[] = [];
  #head: number | undefined;
  #last: { readonly seqno: number; readonly utime: number } | undefined;
  #failure: Failure | undefined;
  #attempt = 0;

  constructor(modules: IndexerModules, options: IndexerOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  /** Resolves when the last block asked for is in the tables; rejects with the signal's reason, and with nothing else. */
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

  /** What each lane that runs asked for so far. */
  counters(): readonly SegmentWorkerCounters[] {
    return this.#going.flatMap(({ lane }) => lane?.counters() ?? []);
  }

  status(): IndexerStatus {
    const { clock } = this.#modules;
    const lanes = this.#going.map((going) => this.#laneStatus(going));
    const isFailing = this.#failure !== undefined || lanes.some(({ failure }) => failure !== undefined);
    const isUp =
      lanes.length > 0 && lanes.every(({ kind, blocksLeft }) => kind === "follow" && blocksLeft <= togetherFrom);
    const running = isFailing ? "failing" : isUp ? "following" : "catchingUp";
    const lagSeconds = this.#last && Math.max(0, Math.round(clock.now() / 1000) - this.#last.utime);
    return {
      kind: this.#kind === "running" ? running : this.#kind === "starting" && isFailing ? "failing" : this.#kind,
      head: this.#head,
      lastSeqno: this.#last?.seqno,
      lastUtime: this.#last?.utime,
      lagSeconds,
      lanes,
      failure: this.#failure,
    };
  }

  #laneStatus({ plan, progress, nextSeqno, failure }: Going): SegmentStatus {
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

  /** Works while this process is the writer; tells whether all is done. */
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
      this.#going = [];
      await lock.release();
    }
  }

  /** Runs lanes until two segments meet, or the last block is there. */
  async #runPlan(signal: AbortSignal): Promise<boolean> {
    const { database } = this.#modules;
    const { from, to, mostBehind = 2000 } = this.#options;
    const head = await this.#lookHead(signal);
    const segments = await listSegments(database);
    const { follow, backfill } = planSegments({ segments, from, head, to, mostBehind });
    this.#kind = "running";
    this.#failure = undefined;
    this.#attempt = 0;
    const own = new AbortController();
    // Every question under way listens to it.
    setMaxListeners(0, own.signal);
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    // Two lanes share what one alone would have.
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
      // It may be writing yet, which must end while the lock is held.
      await Promise.allSettled([following]);
      this.#going = [];
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
        // One pair at a time: the bounds of the others have changed.
        return;
      }
    });
  }

  async #lookHead(signal: AbortSignal): Promise<number> {
    const head = await this.#modules.heads.reach(1, signal);
    this.#head = Math.max(this.#head ?? 0, head.seqno);
    return this.#head;
  }

  /** Runs a lane to its end, again and again after failures. */
  async #keepRunning(plan: SegmentPlan, memoryBytes: number, signal: AbortSignal): Promise<void> {
    const progress = new Progress(this.#modules.clock);
    const { nextSeqno } = plan.segment;
    const going: Going = { plan, progress, nextSeqno, lane: undefined, failure: undefined, attempt: 0 };
    this.#going.push(going);
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

  async #runOnce(going: Going, memoryBytes: number, signal: AbortSignal): Promise<void> {
    const { firstSeqno } = going.plan.segment;
    // A commit whose answer got lost may have been done: the tables know.
    const stored = (await listSegments(this.#modules.database)).find((segment) => segment.firstSeqno === firstSeqno);
    const segment = stored ?? going.plan.segment;
    going.nextSeqno = segment.nextSeqno;
    const lane = new SegmentWorker(this.#modules, { ...going.plan, segment }, { ...this.#options, memoryBytes });
    going.lane = lane;
    await lane.run(
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

  /** The head is told by whoever follows it; it is looked at beside the work and never waited for. */
  #refreshHead(signal: AbortSignal): void {
    this.#lookHead(signal).catch(() => {});
  }

  async #wait(
    error: unknown,
    attempt: number,
    signal: AbortSignal,
    tell: (failure: Failure) => void,
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
    tell(failure);
    log?.warn("indexing failed", { ...failure, error });
    await clock.sleep(waitMs, signal);
    return failure;
  }
}
