import { type HeldBlock, lagOf, type ServerHead, type ServerState, stateOf } from "./health.ts";
import type { PoolMember } from "./PoolMember.ts";

/** The public status of one server. */
export interface ServerStatus {
  readonly name: string;
  readonly address: string;
  readonly access: "public" | "private";
  readonly state: ServerState;
  /** Why it is not used; undefined when it is. */
  readonly unusedBecause: string | undefined;
  readonly head: ServerHead | undefined;
  /** How much older its newest block is than the newest one of any server. */
  readonly lagMs: number | undefined;
  readonly latency: { readonly p50Ms: number; readonly p95Ms: number } | undefined;
  readonly answers: number;
  readonly errors: number;
  /** The share of recent queries that failed: 0 is none, 1 all. */
  readonly errorRate: number;
  readonly busy: number;
  readonly proofErrors: number;
  /** The oldest masterchain block it has, undefined while unknown. */
  readonly oldest: HeldBlock | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** The current limit of concurrent queries. */
  readonly limit: number;
}

/** The public status of a pool. */
export interface PoolStatus {
  readonly head: ServerHead | undefined;
  /** The age of the newest block by our own clock. */
  readonly headAgeMs: number | undefined;
  /** Queries sent for callers, and how many of them were hedges. */
  readonly queries: number;
  readonly hedges: number;
  /** Queries that were not sent because the same one was in flight. */
  readonly shared: number;
  readonly servers: readonly ServerStatus[];
}

export function serverStatus(
  member: PoolMember,
  newest: ServerHead | undefined,
  behindMs: number,
  nowMs: number,
): ServerStatus {
  const { name, address, access, health, inFlight, waiting } = member;
  const { head, latency, answers, errors, errorRate, busy, proofErrors, oldest } = health;
  const { p50Ms, p95Ms } = latency;
  const state = stateOf(health, newest, behindMs, nowMs);
  return {
    name,
    address,
    access,
    state,
    unusedBecause: unusedBecause(state, health.pausedUntilMs - nowMs),
    head,
    lagMs: head === undefined ? undefined : lagOf(health, newest),
    latency: p50Ms === undefined || p95Ms === undefined ? undefined : { p50Ms, p95Ms },
    ...{ answers, errors, errorRate, busy, proofErrors, oldest, inFlight, waiting },
    limit: Math.floor(health.limit),
  };
}

function unusedBecause(state: ServerState, pausedMs: number): string | undefined {
  switch (state.kind) {
    case "ok":
      return pausedMs > 0 ? `it is busy; not used for ${Math.ceil(pausedMs)} ms` : undefined;
    case "starting":
    case "behind":
      return `used only if no other server can answer: ${state.reason}`;
    case "down":
    case "quarantined":
      return state.reason;
  }
}
