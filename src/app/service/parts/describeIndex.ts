import type { Failure, IndexerStatus, SegmentStatus } from "../../../history/ingest/IndexStatus.ts";
import { describeScope, type Scope } from "../../../history/scope/Scope.ts";
import type { DatabaseCondition } from "../../../history/store/engine/DeferredDatabase.ts";
import type { IndexedHead } from "../../../history/store/schema/indexedHead.ts";

/** The state of an index that is written or only read here. */
export interface IndexFacts {
  readonly condition: DatabaseCondition;
  /** Whether this writer waits because another process writes. */
  readonly waitsForWriter: boolean;
  /** Absent when it is only read. */
  readonly status: IndexerStatus | undefined;
  readonly head: IndexedHead | undefined;
  /** What it covers, when that is known and is not the whole chain. */
  readonly scope?: Scope | undefined;
  /** Unix time. */
  readonly now: number;
}

/** The state of an index, in one line. */
export function describeIndex(facts: IndexFacts): string {
  const { condition, scope } = facts;
  if (condition.kind === "opening") return "opening its database";
  if (condition.kind === "away") return `its database cannot be used: ${condition.reason}`;
  const covered = scope === undefined ? "" : `; covers ${describeScope(scope)}`;
  return `${describeProgress(facts)}${covered}`;
}

function describeProgress({ waitsForWriter, status, head, now, scope }: IndexFacts): string {
  const at = head === undefined ? "no block indexed yet" : `block ${head.seqno}, ${behind(now - head.utime)}`;
  if (status === undefined) return `read only; ${at}`;
  if (waitsForWriter) return `waiting, because another process writes it; ${at}`;
  const failure = findFailure(status);
  if (failure !== undefined) return `${describeFailure(failure, now)}; ${at}`;
  switch (status.kind) {
    case "catchingUp":
      return `catching up; ${at}; ${status.workers.map(describeSegment).join("; ")}`;
    case "following":
      return `follows the chain; ${at}`;
    case "starting":
      return `starting; ${at}`;
    case "done":
      return hasEnded(scope, head, now) ? `complete to the end of its scope; ${at}` : `done; ${at}`;
    default:
      return `${status.kind}; ${at}`;
  }
}

/** Whether an index with a scope has its last block, so that it gets no newer ones. */
export function hasEnded(scope: Scope | undefined, head: IndexedHead | undefined, now: number): boolean {
  const until = scope?.until;
  if (until === undefined || head === undefined) return false;
  if (until.kind === "block") return head.seqno >= until.seqno;
  // The first block after that time ends it; it is not in the tables.
  return now > until.at && until.at - head.utime < longestPause;
}

/** Seconds between two masterchain blocks, at most; usually there are a few. */
const longestPause = 120;

/** Why the index is not written, if it is not. */
export function findFailure(status: IndexerStatus): Failure | undefined {
  return status.failure ?? status.workers.find((worker) => worker.failure !== undefined)?.failure;
}

function describeFailure({ message, attempt, nextTryAt }: Failure, now: number): string {
  return `failing, attempt ${attempt}, next in ${Math.max(0, nextTryAt - now)} s: ${message}`;
}

/** The rate of a worker and its remaining time. */
export function describeSegment(worker: SegmentStatus): string {
  const { kind, nextSeqno, blocksLeft, blocksPerSecond, transactionsPerSecond, secondsLeft } = worker;
  const rate = `${formatRate(blocksPerSecond)} blocks/s, ${formatRate(transactionsPerSecond)} tx/s`;
  const left = secondsLeft === undefined || blocksLeft === 0 ? "" : `, ${formatSpan(secondsLeft)} left`;
  return `${kind === "follow" ? "head" : "gap"} at ${nextSeqno - 1}, ${blocksLeft} blocks left, ${rate}${left}`;
}

function behind(seconds: number): string {
  return `${formatSpan(Math.max(0, seconds))} old`;
}

/** Events per second, with a decimal digit only if it is significant. */
export function formatRate(rate: number): string {
  return rate >= 100 ? rate.toFixed(0) : rate.toFixed(1);
}

/** Seconds as readable text. */
export function formatSpan(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
