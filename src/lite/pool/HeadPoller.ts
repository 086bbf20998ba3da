import { orAborted } from "../../lib/abort.ts";
import type { CancelTimer } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import type { LiteError } from "../errors.ts";
import { type Health, noteUnanswered, type ServerHead } from "./health.ts";
import type { PoolMember } from "./PoolMember.ts";
import type { PoolModules } from "./PoolModules.ts";

export interface HeadPollerOptions {
  readonly pollMs: number;
  readonly headTimeoutMs: number;
  readonly onHead: (member: PoolMember, head: ServerHead, ms: number) => void;
  readonly onFailure: (member: PoolMember, error: unknown) => void;
}

type Modules = Pick<PoolModules, "clock" | "random" | "head">;

const maxUnanswered = 8;
const leastGapMs = 50;
const quarantinedPollMs = 5_000;

/**
 * Polls one server for its head, without waiting for the previous answer: a lost query must not hide a recovered
 * server, and a slow server must still be heard.
 */
export class HeadPoller {
  readonly #member: PoolMember;
  readonly #modules: Modules;
  readonly #options: HeadPollerOptions;
  readonly #over = new AbortController();
  /** When the queries in flight were sent, oldest first. */
  readonly #unanswered = new Set<{ readonly startedMs: number }>();
  #cancelTimer: CancelTimer = () => {};
  #dueMs = Number.POSITIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;
  #heardMs = Number.NEGATIVE_INFINITY;

  constructor(member: PoolMember, modules: Modules, options: HeadPollerOptions) {
    this.#member = member;
    this.#modules = modules;
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Polls soon, because a new head is likely. */
  nudge(): void {
    const nowMs = this.#modules.clock.monotonic();
    const delayMs = Math.max(this.#askedMs + leastGapMs - nowMs, 1);
    if (!this.#over.signal.aborted && nowMs + delayMs < this.#dueMs) this.#schedule(delayMs);
  }

  stop(reason: LiteError): void {
    this.#cancelTimer();
    this.#over.abort(reason);
  }

  #schedule(delayMs: number): void {
    const { clock } = this.#modules;
    this.#cancelTimer();
    this.#dueMs = clock.monotonic() + delayMs;
    this.#cancelTimer = clock.timer(delayMs, () => this.#tick());
  }

  #tick(): void {
    const nowMs = this.#modules.clock.monotonic();
    const [oldest] = this.#unanswered;
    if (oldest !== undefined) this.#member.update((health) => noteUnanswered(health, nowMs - oldest.startedMs, nowMs));
    if (this.#unanswered.size < maxUnanswered) void this.#poll(nowMs);
    this.#schedule(this.#delayMs(this.#member.health, nowMs));
  }

  #delayMs({ condition }: Health, nowMs: number): number {
    const { pollMs } = this.#options;
    if (condition.kind === "quarantined" && condition.untilMs > nowMs)
      return Math.min(Math.max(condition.untilMs - nowMs, 1), quarantinedPollMs);
    // With jitter, so that pools do not poll in step.
    return pollMs * (0.9 + this.#modules.random.next() / 10);
  }

  /** Never rejects. The answer to a query older than an answered one is ignored. */
  async #poll(startedMs: number): Promise<void> {
    const { clock, head } = this.#modules;
    const { headTimeoutMs, onHead, onFailure } = this.#options;
    const asked = { startedMs };
    this.#unanswered.add(asked);
    this.#askedMs = startedMs;
    try {
      const serverHead = await runWithin(
        clock,
        headTimeoutMs,
        ({ signal }) => orAborted(head(this.#member.server, signal), signal),
        this.#over.signal,
      );
      if (startedMs >= this.#heardMs) {
        this.#heardMs = startedMs;
        onHead(this.#member, serverHead, clock.monotonic() - startedMs);
      }
    } catch (error) {
      if (startedMs >= this.#heardMs && !this.#over.signal.aborted) {
        onFailure(this.#member, error);
        this.#retryWhenAllowed(error);
      }
    } finally {
      this.#unanswered.delete(asked);
    }
  }

  /** A connection that waits after a failure reports how long: the next poll is not later. */
  #retryWhenAllowed(error: unknown): void {
    const retryInMs = isCoded(error) && "retryInMs" in error.data ? error.data.retryInMs : undefined;
    const nowMs = this.#modules.clock.monotonic();
    if (typeof retryInMs === "number" && nowMs + retryInMs < this.#dueMs) this.#schedule(Math.max(retryInMs, 1));
  }
}
