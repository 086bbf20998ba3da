import { abortReason, onAbort } from "../../lib/abort.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { type Backoff, backoffMs } from "../../lib/retry.ts";
import type { Scope } from "../scope/Scope.ts";
import { findScope } from "../scope/storedScope.ts";
import type { Database } from "../store/Database.ts";
import { databaseSink } from "./databaseSink.ts";
import { describeFailure, type Failure, type SegmentStatus } from "./IndexStatus.ts";
import {
  beatLease,
  guardLease,
  type Lease,
  type LeaseTimes,
  leaseLost,
  leaseTimes,
  releaseLease,
  takeRange,
} from "./leases.ts";
import type { SegmentPlan } from "./planSegments.ts";
import { Progress, secondsLeft } from "./progress.ts";
import {
  SegmentWorker,
  type SegmentWorkerCounters,
  type SegmentWorkerModules,
  type SegmentWorkerOptions,
} from "./SegmentWorker.ts";

export interface BackfillerModules extends Omit<SegmentWorkerModules, "sink"> {
  /** Where this backfiller alone writes; the sessions are named after its holder. */
  readonly database: Database;
  readonly random: Random;
  readonly log?: Log | undefined;
  /** Called after each commit. */
  readonly onCommit?: () => void;
}

export interface BackfillerOptions extends SegmentWorkerOptions {
  /** The name of this backfiller among all of them. */
  readonly holder: string;
  /** Blocks of one range; 1000 by default. */
  readonly rangeBlocks?: number | undefined;
  readonly times?: LeaseTimes | undefined;
  readonly backoff?: Backoff | undefined;
  /** How long to wait before it looks for work again. */
  readonly lookEveryMs?: number | undefined;
}

const defaultBackoff: Backoff = { firstMs: 500, factor: 2, maxMs: 60_000 };
const usualRange = 1_000;

interface Work {
  readonly lease: Lease;
  readonly progress: Progress;
  readonly worker: SegmentWorker;
  nextSeqno: number;
}

/**
 * Fills gaps of the index range by range. Any number of them work at the same time, in any number of processes: the
 * database gives every range to one of them, and to another one when the first falls silent.
 */
export class Backfiller {
  readonly #modules: BackfillerModules;
  readonly #options: BackfillerOptions;
  #work: Work | undefined;
  #failure: Failure | undefined;
  #attempt = 0;

  constructor(modules: BackfillerModules, options: BackfillerOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  /** Works until the signal aborts; failures are reported by `status` and retried. */
  async run(signal: AbortSignal): Promise<never> {
    const { clock, random, log } = this.#modules;
    const { lookEveryMs = 1_000, backoff = defaultBackoff } = this.#options;
    for (;;) {
      try {
        if (await this.#runNext(signal)) this.#attempt = 0;
        else await clock.sleep(lookEveryMs, signal);
        this.#failure = undefined;
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        this.#attempt++;
        const waitMs = backoffMs(backoff, this.#attempt, random);
        this.#failure = describeFailure(error, { attempt: this.#attempt, waitMs, clock });
        log?.warn("indexing a range failed", { ...this.#failure, error });
        await clock.sleep(waitMs, signal);
      }
    }
  }

  counters(): readonly SegmentWorkerCounters[] {
    return this.#work === undefined ? [] : [this.#work.worker.counters()];
  }

  /** The range in progress, if there is one, or the failure that is waited out. */
  status(): readonly SegmentStatus[] {
    const work = this.#work;
    if (work === undefined) return [];
    const { lease, progress, nextSeqno } = work;
    const blocksLeft = Math.max(0, lease.lastSeqno + 1 - nextSeqno);
    const rates = progress.rates();
    return [
      {
        kind: "backfill",
        firstSeqno: lease.segment.firstSeqno,
        nextSeqno,
        to: lease.lastSeqno,
        blocks: progress.blocks,
        transactions: progress.transactions,
        ...rates,
        blocksLeft,
        secondsLeft: secondsLeft(blocksLeft, rates),
        failure: this.#failure,
      },
    ];
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Indexes the next range; returns whether there was one. */
  async #runNext(signal: AbortSignal): Promise<boolean> {
    const { holder, rangeBlocks = usualRange, times = leaseTimes } = this.#options;
    const { database } = this.#modules;
    const lease = await takeRange(database, { holder, rangeBlocks, silentMs: times.silentMs });
    if (lease === undefined) return false;
    const own = new AbortController();
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    const work = this.#begin(lease, await findScope(database));
    const beating = this.#keepBeating(work, own);
    try {
      await this.#index(work, own.signal);
    } finally {
      stopListening();
      own.abort();
      await beating;
      this.#work = undefined;
      // Who stops may have lost the right to write: it takes the range again, or loses it by its silence.
      if (!signal.aborted) await releaseLease(database, lease);
    }
    return true;
  }

  #begin(lease: Lease, scope: Scope | undefined): Work {
    const { database, clock, onCommit = () => {} } = this.#modules;
    const sink = databaseSink(database, onCommit, (session) => guardLease(session, lease));
    const plan: SegmentPlan = {
      kind: "backfill",
      segment: lease.segment,
      to: lease.lastSeqno,
      first: lease.first,
      scope,
    };
    const worker = new SegmentWorker({ ...this.#modules, sink }, plan, this.#options);
    const work = { lease, progress: new Progress(clock), worker, nextSeqno: lease.segment.nextSeqno };
    this.#work = work;
    return work;
  }

  #index(work: Work, signal: AbortSignal): Promise<void> {
    return work.worker.run(
      {
        isBehind: (seqno) => seqno < work.lease.lastSeqno,
        committed: (advance) => {
          work.progress.note(advance);
          work.nextSeqno = advance.nextSeqno;
        },
      },
      signal,
    );
  }

  /** A report that cannot be made is repeated; others decide by their own clock when the range is free. */
  async #keepBeating({ lease, progress }: Work, own: AbortController): Promise<void> {
    const { database, clock, log } = this.#modules;
    const { beatMs } = this.#options.times ?? leaseTimes;
    while (!own.signal.aborted) {
      await clock.sleep(beatMs, own.signal).catch(() => {});
      if (own.signal.aborted) return;
      try {
        if (!(await beatLease(database, lease, progress.rates()))) own.abort(leaseLost(lease));
      } catch (error) {
        log?.debug("a lease could not be renewed", { error });
      }
    }
  }
}
