import type { IndexerStatus } from "../../../history/ingest/IndexStatus.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { StatusTerminal } from "../../terminal/StatusTerminal.ts";
import { formatRate, formatSpan } from "./describeIndex.ts";

/** The index of a network in the status line. */
export interface IndexPosition {
  readonly condition: "opening" | "open" | "away" | "closed";
  /** The newest block in the tables. */
  readonly seqno: number | undefined;
  /** Absent if it is only read. */
  readonly status: IndexerStatus | undefined;
}

/** A network in the status line. */
export interface StatusFacts {
  readonly name: string;
  /** −1 while none is known. */
  readonly headSeqno: number;
  /** Absent without an index. */
  readonly index: IndexPosition | undefined;
  readonly requestsPerSecond: number;
}

/** The status of the networks of a process in one line: `block 104 · index 104 · 3 req/s`. */
export function formatStatus(networks: readonly StatusFacts[]): string {
  const name = (each: StatusFacts) => (networks.length === 1 ? "" : `${each.name}: `);
  return networks.map((each) => `${name(each)}${formatNetwork(each)}`).join(" | ");
}

function formatNetwork({ headSeqno, index, requestsPerSecond }: StatusFacts): string {
  return [
    headSeqno < 0 ? "no block yet" : `block ${headSeqno}`,
    ...(index === undefined ? [] : [formatIndex(index)]),
    `${requestsPerSecond} req/s`,
  ].join(" · ");
}

function formatIndex({ condition, seqno, status }: IndexPosition): string {
  if (condition === "opening") return "index opening";
  if (condition !== "open") return "index unavailable";
  const at = `index ${seqno ?? "empty"}`;
  if (status === undefined) return at;
  if (status.kind === "failing") return `${at} failing`;
  const behind = status.workers.filter(({ blocksLeft }) => blocksLeft > usualLag);
  if (behind.length === 0) return at;
  const left = behind.reduce((sum, { blocksLeft }) => sum + blocksLeft, 0);
  const rate = behind.reduce((sum, { blocksPerSecond }) => sum + blocksPerSecond, 0);
  const seconds = Math.max(...behind.map(({ secondsLeft }) => secondsLeft ?? Number.POSITIVE_INFINITY));
  const time = Number.isFinite(seconds) ? `, ${formatSpan(seconds)} left` : "";
  return `${at}, ${left} left at ${formatRate(rate)} blocks/s${time}`;
}

/** An index that follows the chain may be this many blocks behind at any time. */
const usualLag = 3;
const everyMs = 1_000;

/** The sources of a network's status. */
export interface StatusSource {
  readonly name: string;
  readonly headSeqno: () => number;
  readonly index: () => IndexPosition | undefined;
  /** Number of answered requests so far. */
  readonly requests: () => number;
}

/** Keeps the status line of a terminal up to date; returns a function that stops it. */
export function showStatus(sources: () => readonly StatusSource[], clock: Clock, terminal: StatusTerminal): () => void {
  if (!terminal.isInteractive) return () => {};
  const stop = new AbortController();
  const before = new Map<string, number>();
  let lookedAtMs = clock.monotonic();
  const look = (): void => {
    const now = clock.monotonic();
    const seconds = Math.max((now - lookedAtMs) / 1_000, 0.001);
    lookedAtMs = now;
    const facts = sources().map(({ name, headSeqno, index, requests }) => {
      const count = requests();
      const rate = Math.max(0, Math.round((count - (before.get(name) ?? count)) / seconds));
      before.set(name, count);
      return { name, headSeqno: headSeqno(), index: index(), requestsPerSecond: rate };
    });
    terminal.show(formatStatus(facts));
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      look();
      await clock.sleep(everyMs, stop.signal).catch(() => {});
    }
  };
  void run();
  return () => {
    stop.abort();
    terminal.show("");
  };
}
