import type { Need } from "../tl/need.ts";
import { type Health, type ServerHead, stateOf } from "./health.ts";
import { holds } from "./holds.ts";

/** A server as choosing sees it. */
export interface Candidate {
  readonly access: "public" | "private";
  readonly health: Health;
  /** Queries in flight or in line for it. */
  readonly load: number;
}

/** What is asked, and what is known beside the servers. */
export interface ChooseInput {
  readonly need: Need;
  readonly access: "public" | "private";
  readonly newest: ServerHead | undefined;
  readonly behindMs: number;
  readonly nowMs: number;
  /** Whether a server has already said that it has not got what is asked: then the longest memory goes first. */
  readonly missed: boolean;
}

interface Ranked<C> {
  readonly candidate: C;
  readonly rank: readonly number[];
}

/** The latency taken for a server that has not answered anything yet. */
const unknownMs = 100;
/** A server that fails every time is worth five times its latency. */
const errorCost = 4;

/** Where the query itself says how new a server must be, one that is behind serves as well as any. */
const datedPlaces: ReadonlySet<Need["place"]["kind"]> = new Set(["block", "state", "time"]);

/**
 * The servers that may be asked, best first: those that have what is asked, then those of which it is not known. Servers
 * that are known not to have it come only when there is no other, because what is known may be out of date.
 */
export function choose<C extends Candidate>(asked: ChooseInput, servers: readonly C[]): C[] {
  const usable = servers.filter((server) => isUsable(server, asked));
  const may = usable.filter(({ health }) => holds(asked.need.place, health) !== false);
  return (may.length > 0 ? may : usable)
    .map((candidate) => ({ candidate, rank: rankOf(candidate, asked) }))
    .sort(compareRanks)
    .map(({ candidate }) => candidate);
}

/** Whether the server may be asked at all, whatever the query is about. */
export function isUsable(
  server: Candidate,
  { access, newest, behindMs, nowMs }: Omit<ChooseInput, "need" | "missed">,
): boolean {
  if (server.access === "private" && access !== "private") return false;
  const { kind } = stateOf(server.health, newest, behindMs, nowMs);
  return kind !== "down" && kind !== "quarantined";
}

/** Compared from the first number on, lower is better: what must hold before what is merely pleasant. */
function rankOf(server: Candidate, asked: ChooseInput): readonly number[] {
  const { health } = server;
  const { need, missed, newest, behindMs, nowMs } = asked;
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

/** Whether the server is known to have got so far. */
function reaches({ head }: Health, { atLeast, place }: Need): boolean {
  return head !== undefined && head.block.seqno >= atLeast && (place.kind !== "time" || head.genUtime >= place.at);
}

/**
 * The time an answer may be expected to take: that of one query for each that is before it. How long one takes that
 * was never answered nobody knows; with each of them twice as much is feared.
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
