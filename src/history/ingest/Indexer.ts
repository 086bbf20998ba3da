import { abortReason, onAbort } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded, LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { type Backoff, backoffMs } from "../../lib/retry.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { classifyStored } from "../meaning/classifyStored.ts";
import { factsAtBlocks } from "../meaning/factsAtBlocks.ts";
import { resolveBounds } from "../scope/resolveBounds.ts";
import { limitsAccounts } from "../scope/Scope.ts";
import { findScope } from "../scope/storedScope.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { listSegments, type Segment } from "../store/schema/checkpoint.ts";
import { Backfiller } from "./Backfiller.ts";
import { describeFailure, type Failure, type IndexerStatus, type SegmentStatus } from "./IndexStatus.ts";
import { joinSegments } from "./joinSegments.ts";
import { announceFollow, beatFollow, endLeases, findFirstSeqno, leaseTimes, listLeases, lockPlan } from "./leases.ts";
import {
  findAdjacent,
  type IngestPlan,
  isWithoutGaps,
  planSegments,
  type SegmentPlan,
  type StartAt,
} from "./planSegments.ts";
import { Progress, secondsLeft } from "./progress.ts";
import {
  SegmentWorker,
  type SegmentWorkerCounters,
  type SegmentWorkerModules,
  type SegmentWorkerOptions,
} from "./SegmentWorker.ts";
import type { Heads } from "./source/followHeads.ts";
import { checkChain } from "./steps/checkChain.ts";
import { usualMemory } from "./steps/workerMemory.ts";

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
  readonly maxBehind?: number;
  readonly backoff?: Backoff;
  /** How many ranges before the head this process fills at the same time while it holds the lock; 1 by default. */
  readonly backfillers?: number;
  /** Blocks of such a range. */
  readonly rangeBlocks?: number;
  /** The name of this process among those that index. */
  readonly holder?: string;
}

const defaultBackoff: Backoff = { firstMs: 500, factor: 2, maxMs: 60_000 };
/** When fewer blocks are left, each is committed alone, so that it is visible as soon as possible. */
const togetherFrom = 4;
/** How often the process that follows the chain looks at what others have filled. */
const gapsEveryMs = 500;

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
  #hasGaps = true;
  readonly #backfillers: readonly Backfiller[];
  #running: WorkerState[] = [];
  #head: number | undefined;
  #last: { readonly seqno: number; readonly utime: number } | undefined;
  #failure: Failure | undefined;
  #attempt = 0;

  constructor(modules: IndexerModules, options: IndexerOptions) {
    this.#modules = modules;
    this.#options = options;
    const { backfillers = 1, rangeBlocks, backoff, memoryBytes = usualMemory } = options;
    this.#backfillers = Array.from({ length: backfillers }, (_, index) => {
      // Only the holder of the lock has this name, so that its successor continues at once.
      const own = { holder: `writer ${index + 1}`, rangeBlocks, backoff, lookEveryMs: gapsEveryMs };
      return new Backfiller(modules, { ...options, ...own, memoryBytes: memoryBytes / (1 + backfillers) });
    });
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

  /** Whether blocks before the head are missing, so that other processes may write, too. */
  get hasGaps(): boolean {
    return this.#hasGaps;
  }

  /** Counters of each running segment worker. */
  counters(): readonly SegmentWorkerCounters[] {
    const following = this.#running.flatMap(({ worker }) => worker?.counters() ?? []);
    return [...following, ...this.#backfillers.flatMap((each) => each.counters())];
  }

  status(): IndexerStatus {
    const { clock } = this.#modules;
    const workers = [
      ...this.#running.map((going) => this.#workerStatus(going)),
      ...this.#backfillers.flatMap((each) => each.status()),
    ];
    const failure = this.#failure ?? this.#backfillers.find((each) => each.failure !== undefined)?.failure;
    const isFailing = failure !== undefined || workers.some((each) => each.failure !== undefined);
    const isUp =
      !this.#hasGaps &&
      workers.length > 0 &&
      workers.every(({ kind, blocksLeft }) => kind === "follow" && blocksLeft <= togetherFrom);
    const running = isFailing ? "failing" : isUp ? "following" : "catchingUp";
    const lagSeconds = this.#last && Math.max(0, Math.round(clock.now() / 1000) - this.#last.utime);
    return {
      kind: this.#kind === "running" ? running : this.#kind === "starting" && isFailing ? "failing" : this.#kind,
      head: this.#head,
      lastSeqno: this.#last?.seqno,
      lastUtime: this.#last?.utime,
      lagSeconds,
      workers,
      failure,
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
    this.#hasGaps = true;
    try {
      for (;;) {
        await this.#classify(own.signal);
        if (await this.#runPlan(own.signal)) return true;
      }
    } finally {
      for (const stopListening of stop) stopListening();
      this.#running = [];
      await lock.release();
    }
  }

  /** Follows the chain until there is no gap before it, or the last block is indexed. */
  async #runPlan(signal: AbortSignal): Promise<boolean> {
    const { database } = this.#modules;
    const { memoryBytes = usualMemory } = this.#options;
    const { follow, hasGaps } = await this.#plan(signal);
    this.#hasGaps = hasGaps;
    const { holder = "writer" } = this.#options;
    if (!hasGaps) await endLeases(database);
    else await announceFollow(database, { ...follow.segment, first: follow.first, holder });
    this.#kind = "running";
    this.#failure = undefined;
    this.#attempt = 0;
    const own = new AbortController();
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    // All workers share the memory of one.
    const workers = hasGaps ? 1 + this.#backfillers.length : 1;
    const following = this.#keepRunning(follow, memoryBytes / workers, own.signal);
    following.catch(() => {});
    const backfilling = hasGaps ? this.#backfillers.map((each) => each.run(own.signal)) : [];
    for (const each of backfilling) each.catch(() => {});
    try {
      if (!hasGaps) {
        await following;
        return true;
      }
      await this.#waitForGaps(follow, own.signal);
    } finally {
      stopListening();
      own.abort(new LibError("lib/aborted", "segments are adjacent"));
      // A commit may still be running; it must end while the lock is held.
      await Promise.allSettled([following, ...backfilling]);
      this.#running = [];
    }
    throwIfAborted(signal);
    await this.#join(undefined);
    return false;
  }

  /** What to index now; the ends of a scope are as firm as the newest block. */
  async #plan(signal: AbortSignal): Promise<IngestPlan> {
    const { database, server } = this.#modules;
    const { from, to, maxBehind = 2000 } = this.#options;
    const segments = await listSegments(database);
    const head = await this.#reachIndexed(segments.at(-1)?.nextSeqno ?? 1, signal);
    const scope = await findScope(database);
    if (scope === undefined) return planSegments({ segments, from, head: head.seqno, to, maxBehind });
    const bounds = await resolveBounds(scope, { server, head }, signal);
    const last = to ?? bounds.to ?? head.seqno;
    const plan = planSegments({
      ...{ segments, from: bounds.from ?? from, to, maxBehind },
      head: Math.min(head.seqno, last),
    });
    const { untilTime } = bounds;
    return { ...plan, follow: { ...plan.follow, scope, to: to ?? bounds.to, untilTime } };
  }

  /** Joins what others have filled; resolves when nothing is missing before the followed segment. */
  async #waitForGaps({ segment, first }: SegmentPlan, signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#modules;
    let beatAt = clock.monotonic();
    for (;;) {
      if (await this.#join(segment.firstSeqno)) await this.#classify(signal);
      const segments = await listSegments(database);
      const leases = await listLeases(database);
      const isDone = isWithoutGaps(segments, first, segment.firstSeqno);
      if (isDone && leases.every(({ kind }) => kind === "follow")) return;
      await clock.sleep(gapsEveryMs, signal);
      const progress = this.#running[0]?.progress;
      if (progress === undefined || clock.monotonic() - beatAt < leaseTimes.beatMs) continue;
      beatAt = clock.monotonic();
      await beatFollow(database, progress.rates());
    }
  }

  /** Joins adjacent segments that nobody indexes, except the one that begins here; returns whether there were any. */
  async #join(except: number | undefined): Promise<boolean> {
    const { database, log } = this.#modules;
    let count = 0;
    const findPair = async (session: Pick<SqlSession, "query">) => {
      const leased = new Set((await listLeases(session)).map(({ firstSeqno }) => firstSeqno));
      const isFree = ({ firstSeqno }: Segment) =>
        except === undefined || !(leased.has(firstSeqno) || firstSeqno === except);
      return findAdjacent((await listSegments(session)).map((each) => ({ ...each, isFree: isFree(each) })));
    };
    // Most of the time there is nothing to join, which needs no lock.
    while ((await findPair(database)) !== undefined) {
      await database.write(async (session) => {
        await lockPlan(session);
        const pair = await findPair(session);
        if (pair === undefined) return;
        const [earlier, later] = pair;
        const completed = await joinSegments(session, earlier, later);
        const { firstSeqno } = earlier;
        log?.info("segments joined", { firstSeqno, nextSeqno: later.nextSeqno, completedTraces: completed.length });
      });
      count += 1;
    }
    return count > 0;
  }

  async #classify(signal: AbortSignal): Promise<number> {
    const { database, reporter } = this.#modules;
    const { network } = this.#options;
    const scope = await findScope(database);
    const first = (await findFirstSeqno(database)) ?? (await listSegments(database))[0]?.firstSeqno;
    const isLimited = scope !== undefined && limitsAccounts(scope) && first !== undefined;
    const prepare = isLimited ? factsAtBlocks({ ...this.#modules, network, first }, signal) : undefined;
    return classifyStored(database, network, signal, { reporter, prepare });
  }

  async #lookHead(signal: AbortSignal, seqno = 1): Promise<BlockIdExt> {
    const head = await this.#modules.heads.reach(seqno, signal);
    this.#head = Math.max(this.#head ?? 0, head.seqno);
    return head;
  }

  /** Waits until the chain has all indexed blocks, and compares every head on the way: a chain that was cut differs. */
  async #reachIndexed(nextSeqno: number, signal: AbortSignal): Promise<BlockIdExt> {
    let head = await this.#lookHead(signal);
    await checkChain(this.#modules.database, head);
    while (head.seqno < nextSeqno - 1) {
      head = await this.#lookHead(signal, head.seqno + 1);
      await checkChain(this.#modules.database, head);
    }
    return head;
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
        // The next worker reads what is left; nothing failed.
        if (isCoded(error, "history/removed")) continue;
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
        isBehind: (seqno) => Math.min(going.plan.to ?? this.#head ?? 0, this.#head ?? 0) - seqno > togetherFrom,
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
    const failure = describeFailure(error, { attempt, waitMs, clock });
    report(failure);
    log?.warn("indexing failed", { ...failure, error });
    await clock.sleep(waitMs, signal);
    return failure;
  }
}
