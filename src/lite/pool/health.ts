import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { addSample, addUnanswered, type Latency, noLatency } from "./latency.ts";

/** The newest known masterchain block, and when it was made. */
export interface ServerHead {
  readonly block: BlockIdExt;
  readonly genUtime: number;
}

/** A masterchain block, as far as routing of queries about old data needs it. */
export interface HeldBlock {
  readonly seqno: number;
  readonly genUtime: number;
  readonly startLt: bigint;
}

/** The observed behaviour of a server; times are in the clock's monotonic time. */
export type ServerCondition =
  | { readonly kind: "starting" }
  | { readonly kind: "working"; readonly sinceMs: number }
  | { readonly kind: "down"; readonly sinceMs: number; readonly reason: string }
  | { readonly kind: "quarantined"; readonly untilMs: number; readonly reason: string };

/** The health of a server: a value; each `note…` returns a new one. */
export interface Health {
  readonly condition: ServerCondition;
  readonly head: ServerHead | undefined;
  readonly latency: Latency;
  /** Queries since the last answer that waited longer than usual and were not answered. */
  readonly unanswered: number;
  /** Answers of any kind, heads included. */
  readonly answers: number;
  readonly errors: number;
  /** The share of recent queries that failed: 0 is none, 1 all. */
  readonly errorRate: number;
  readonly busy: number;
  /** Consecutive busy answers. */
  readonly busyInARow: number;
  readonly pausedUntilMs: number;
  /** The limit of concurrent queries: halved by a busy answer, raised by one for each round of good ones. */
  readonly limit: number;
  readonly maxLimit: number;
  readonly proofErrors: number;
  readonly quarantines: number;
  readonly quarantineEndMs: number;
  /** The oldest masterchain block it has; undefined while unknown. */
  readonly oldest: HeldBlock | undefined;
  /** A bound learned from answers: it does not have the states of masterchain blocks before this one. */
  readonly oldestState: number;
}

/** Times that double with every repetition. */
const pauses = { firstMs: 100, maxMs: 5_000 };
const quarantineTimes = { firstMs: 30_000, maxMs: 3_600_000 };
const errorWeight = 0.1;
const leastLateMs = 50;

export function newHealth(maxLimit: number): Health {
  return {
    condition: { kind: "starting" },
    head: undefined,
    latency: noLatency,
    unanswered: 0,
    answers: 0,
    errors: 0,
    errorRate: 0,
    busy: 0,
    busyInARow: 0,
    pausedUntilMs: 0,
    limit: maxLimit,
    maxLimit,
    proofErrors: 0,
    quarantines: 0,
    quarantineEndMs: 0,
    oldest: undefined,
    oldestState: 0,
  };
}

/** It reported its head: this alone brings a server that was down or quarantined back into use. */
export function noteHead(health: Health, head: ServerHead, ms: number, nowMs: number): Health {
  const { condition } = health;
  const locked = condition.kind === "quarantined" && nowMs < condition.untilMs;
  const kept = locked || condition.kind === "working";
  return {
    ...noteAnswer(health, ms, nowMs),
    // A server may report its head and answer nothing else.
    unanswered: health.unanswered >> 1,
    head,
    condition: kept ? condition : { kind: "working", sinceMs: nowMs },
  };
}

/** It answered without an error about itself; `ms` is undefined where it was asked to delay its answer. */
export function noteAnswer(health: Health, ms: number | undefined, nowMs: number): Health {
  // A copy that is changed keeps its hidden class; a literal that begins with a spread gets a new one for each answer.
  const noted: { -readonly [K in keyof Health]: Health[K] } = { ...health };
  if (ms !== undefined) noted.latency = addSample(health.latency, ms, nowMs);
  noted.unanswered = 0;
  noted.answers++;
  noted.errorRate *= 1 - errorWeight;
  noted.busyInARow = 0;
  noted.limit = Math.min(health.limit + 1 / health.limit, health.maxLimit);
  return noted;
}

/** It has not answered a query for this long, and the caller has left. */
export function noteUnanswered(health: Health, ms: number, nowMs: number): Health {
  const late = ms >= Math.max(health.latency.p95Ms ?? 0, leastLateMs);
  const unanswered = health.unanswered + (late ? 1 : 0);
  return { ...health, latency: addUnanswered(health.latency, ms, nowMs), unanswered };
}

/** It answered with an internal error: other servers are preferred, but it stays in use. */
export function noteError(health: Health): Health {
  return { ...health, errors: health.errors + 1, errorRate: health.errorRate * (1 - errorWeight) + errorWeight };
}

/** It cannot be reached or does not answer: not used until it reports its head again. */
export function noteFailure(health: Health, reason: string, nowMs: number): Health {
  const { condition } = health;
  if (condition.kind === "quarantined" && nowMs < condition.untilMs) return noteError(health);
  const sinceMs = condition.kind === "down" ? condition.sinceMs : nowMs;
  return { ...noteError(health), condition: { kind: "down", sinceMs, reason } };
}

/** It reports overload: fewer concurrent queries, and none for a moment. */
export function noteBusy(health: Health, nowMs: number): Health {
  const pauseMs = doubled(pauses, health.busyInARow);
  return {
    ...health,
    answers: health.answers + 1,
    busy: health.busy + 1,
    busyInARow: health.busyInARow + 1,
    pausedUntilMs: nowMs + pauseMs,
    limit: Math.max(health.limit / 2, 1),
  };
}

/** An answer did not follow from its proof; whether the server is at fault shows when another one answers. */
export function noteProofError(health: Health): Health {
  return { ...noteError(health), proofErrors: health.proofErrors + 1 };
}

/**
 * After a proof error: not used for half a minute, twice as long each time it happens again within the longest time.
 */
export function quarantine(health: Health, reason: string, nowMs: number): Health {
  const { condition, quarantineEndMs } = health;
  if (condition.kind === "quarantined" && nowMs < condition.untilMs) return health;
  const quarantines = nowMs - quarantineEndMs > quarantineTimes.maxMs ? 1 : health.quarantines + 1;
  const untilMs = nowMs + doubled(quarantineTimes, quarantines - 1);
  return {
    ...health,
    quarantines,
    quarantineEndMs: untilMs,
    condition: { kind: "quarantined", untilMs, reason },
  };
}

export function noteOldest(health: Health, oldest: HeldBlock): Health {
  return { ...health, oldest };
}

/** It did not have a masterchain block that another server has: its oldest block must be determined again. */
export function noteNoBlock(health: Health, seqno: number): Health {
  return health.oldest !== undefined && seqno >= health.oldest.seqno ? { ...health, oldest: undefined } : health;
}

/** It had the state of a masterchain block. */
export function noteState(health: Health, seqno: number): Health {
  return seqno < health.oldestState ? { ...health, oldestState: seqno } : health;
}

/** It did not have the state of a masterchain block that another server has. */
export function noteNoState(health: Health, seqno: number): Health {
  return seqno >= health.oldestState ? { ...health, oldestState: seqno + 1 } : health;
}

/** The public condition of a server; `behind` depends on the newest known head. */
export type ServerState =
  | { readonly kind: "starting"; readonly reason: string }
  | { readonly kind: "ok" }
  | { readonly kind: "behind"; readonly lagMs: number; readonly reason: string }
  | { readonly kind: "down"; readonly forMs: number; readonly reason: string }
  | { readonly kind: "quarantined"; readonly forMs: number; readonly reason: string };

/** Judges a server by the newest known head. */
export function stateOf(health: Health, newest: ServerHead | undefined, behindMs: number, nowMs: number): ServerState {
  const { condition } = health;
  switch (condition.kind) {
    case "starting":
      return { kind: "starting", reason: "has not reported its head yet" };
    case "down":
      return { kind: "down", forMs: nowMs - condition.sinceMs, reason: condition.reason };
    case "quarantined":
      return quarantinedState(condition, nowMs);
    case "working":
      return workingState(lagOf(health, newest), behindMs);
  }
}

/** How much older its newest block is than the newest known one. */
export function lagOf({ head }: Health, newest: ServerHead | undefined): number {
  return head === undefined || newest === undefined ? 0 : Math.max(newest.genUtime - head.genUtime, 0) * 1_000;
}

function workingState(lagMs: number, behindMs: number): ServerState {
  if (lagMs <= behindMs) return { kind: "ok" };
  return { kind: "behind", lagMs, reason: `its newest block is ${lagMs / 1_000} s older than the newest one known` };
}

function quarantinedState(condition: ServerCondition & { readonly kind: "quarantined" }, nowMs: number): ServerState {
  const forMs = Math.max(condition.untilMs - nowMs, 0);
  const reason = forMs > 0 ? condition.reason : `${condition.reason}; it must report a valid head first`;
  return { kind: "quarantined", forMs, reason };
}

function doubled({ firstMs, maxMs }: typeof pauses, times: number): number {
  return Math.min(firstMs * 2 ** Math.min(times, 20), maxMs);
}
