import type { Need } from "../tl/need.ts";
import { type Health, type ServerHead, stateOf } from "./health.ts";
import { holds } from "./holds.ts";

/** A server, as far as choosing needs it. */
export interface Candidate {
  readonly access: "public" | "private";
  readonly health: Health;
  /** Queries in flight or waiting. */
  readonly load: number;
}

/** The need of the query, and the newest head. */
export interface ChooseInput {
  readonly need: Need;
  readonly access: "public" | "private";
  readonly newest: ServerHead | undefined;
  readonly behindMs: number;
  readonly nowMs: number;
  /**
   * Whether a server has already reported that it does not have the data: then servers with longer history come first.
   */
  readonly missed: boolean;
}

interface Ranked<C> {
  readonly candidate: C;
  readonly rank: readonly number[];
}

/** The assumed latency of a server without answers. */
const unknownMs = 100;
/** A server that always fails ranks like one with five times its latency. */
const errorCost = 4;

/** Where the query itself says how new a server must be, a server that is behind is as good as any. */
const datedPlaces: ReadonlySet<Need["place"]["kind"]> = new Set(["block", "state", "time"]);

/**
 * The usable servers, best first: those that have the data, then those where that is unknown. Servers that are known
 * not to have it come last, because this knowledge may be outdated.
 */
export function choose<C extends Candidate>(chooseInput: ChooseInput, servers: readonly C[]): C[] {
  const usable = servers.filter((server) => isUsable(server, chooseInput));
  const may = usable.filter(({ health }) => holds(chooseInput.need.place, health) !== false);
  return (may.length > 0 ? may : usable)
    .map((candidate) => ({ candidate, rank: rankOf(candidate, chooseInput) }))
    .sort(compareRanks)
    .map(({ candidate }) => candidate);
}

/** Whether the server may be used at all, for any query. */
export function isUsable(
  server: Candidate,
  { access, newest, behindMs, nowMs }: Omit<ChooseInput, "need" | "missed">,
): boolean {
  if (server.access === "private" && access !== "private") return false;
  const { kind } = stateOf(server.health, newest, behindMs, nowMs);
  return kind !== "down" && kind !== "quarantined";
}

/** Compared from the first number on, lower is better: requirements before preferences. */
function rankOf(server: Candidate, chooseInput: ChooseInput): readonly number[] {
  const { health } = server;
  const { need, missed, newest, behindMs, nowMs } = chooseInput;
  const { kind } = stateOf(health, newest, behindMs, nowMs);
  return [
    health.pausedUntilMs > nowMs ? 1 : 0,
    reaches(health, need) ? 0 : 1,
    kind === "behind" && !datedPlaces.has(need.place.kind) ? 1 : 0,
    holds(need.place, health) === true ? 0 : 1,
    missed ? (health.oldest?.seqno ?? Number.MAX_SAFE_INTEGER) : 0,
    kind === "starting" ? 1 : 0,
    costOf(server),
  ];
}

/** Whether the server is known to have reached the block. */
function reaches({ head }: Health, { atLeast, place }: Need): boolean {
  return head !== undefined && head.block.seqno >= atLeast && (place.kind !== "time" || head.genUtime >= place.at);
}

/**
 * The expected time of an answer: the latency times the number of queries before it. Each unanswered query doubles the
 * estimate.
 */
function costOf({ health, load }: Candidate): number {
  const { latency, errorRate, unanswered } = health;
  const fearedMs = (latency.averageMs ?? unknownMs) * 2 ** Math.min(unanswered, 10);
  return fearedMs * (load + 1) * (1 + errorCost * errorRate);
}

function compareRanks<C>(a: Ranked<C>, b: Ranked<C>): number {
  const at = a.rank.findIndex((value, index) => value !== b.rank[index]);
  return at < 0 ? 0 : (a.rank[at] ?? 0) - (b.rank[at] ?? 0);
}
