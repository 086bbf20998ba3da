import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { backoffMs } from "../../lib/retry.ts";
import type { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";
import { type Attempt, attempt, type PoolQuery } from "./attempt.ts";
import type { ServerHead } from "./health.ts";
import { type HedgeBudget, hedgeDelayMs, lateAfterMs } from "./hedge.ts";
import type { PoolMember } from "./PoolMember.ts";
import { FailedAttempts } from "./Setbacks.ts";

/** An answer and its server; `isServerError` when another server might know better but must not be asked. */
export interface RaceResult {
  readonly kind: "answered" | "serverError";
  readonly answer: Uint8Array;
  readonly member: PoolMember;
}

export interface RaceModules {
  readonly clock: Clock;
  readonly random: Random;
  /** Notifies when a server is in use again and when the newest head changes. */
  readonly changed: WaitQueue;
  readonly budget: HedgeBudget;
  readonly hedgeFloorMs: number;
  /** The servers to ask, best first. */
  readonly choose: (asking: PoolQuery, missed: boolean) => readonly PoolMember[];
  /** All servers that the caller may use, whether they work or not. */
  readonly members: (asking: PoolQuery) => readonly PoolMember[];
  readonly newest: (asking: PoolQuery) => ServerHead | undefined;
  /** The error when no server is left, with the reason of each. */
  readonly none: (asking: PoolQuery, cause?: unknown) => LiteError;
}

type Event =
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  /** The last asked server is late. */
  | { readonly kind: "late" }
  | { readonly kind: "ended"; readonly reason: Error };

const pauses = { firstMs: 50, factor: 2, maxMs: 1_000 };
const idleMs = 1_000;

/**
 * One read, from the first query to the answer: other servers are asked when one fails, sends a bad proof or an error,
 * or is late. It ends with an answer, with its signal, or when no server can answer.
 */
export class Race {
  readonly #asking: PoolQuery;
  readonly #modules: RaceModules;
  readonly #setbacks = new FailedAttempts();
  readonly #over = new AbortController();
  readonly #events: Event[] = [];
  readonly #underWay = new Set<PoolMember>();
  #wake: () => void = () => {};
  #cancelTimer: CancelTimer = () => {};
  #hedged = false;

  constructor(asking: PoolQuery, modules: RaceModules) {
    this.#asking = asking;
    this.#modules = modules;
  }

  async run(): Promise<RaceResult> {
    this.#modules.budget.earn();
    try {
      for (let round = 1; ; round++) {
        const answered = (await this.#askRound()) ?? this.#conclude();
        if (answered !== undefined) return answered;
        await this.#pause(round);
      }
    } finally {
      this.#cancelTimer();
      if (this.#underWay.size > 0) this.#over.abort(new LiteError("lite/closed", "another server answered first"));
    }
  }

  /** Ends the race, and everything in flight, with the reason. */
  end(reason: Error): void {
    this.#push({ kind: "ended", reason });
    this.#over.abort(reason);
  }

  /** Asks one server after the other until one answers; undefined when none is left. */
  async #askRound(): Promise<RaceResult | undefined> {
    this.#setbacks.beginRound();
    for (;;) {
      if (this.#underWay.size === 0 && !this.#askNext()) return undefined;
      const event = await this.#nextEvent();
      if (event.kind === "ended") throw event.reason;
      if (event.kind === "late") {
        this.#askNext();
        continue;
      }
      const answered = this.#take(event.attempt);
      if (answered !== undefined) return answered;
    }
  }

  #take(outcome: Attempt): RaceResult | undefined {
    this.#underWay.delete(outcome.member);
    switch (outcome.kind) {
      case "answered":
        if (!outcome.isServerError)
          this.#setbacks.learnFrom(outcome.member, this.#asking.need, this.#modules.clock.monotonic());
        return outcome;
      case "thrown":
        throw outcome.error;
      case "dropped":
        return undefined;
      default:
        this.#setbacks.add(outcome);
        return undefined;
    }
  }

  /** Asks the best remaining server; returns whether there was one. */
  #askNext(): boolean {
    const [member] = this.#candidates();
    const { clock } = this.#modules;
    if (member === undefined || member.health.pausedUntilMs > clock.monotonic()) {
      this.#armPatience();
      return false;
    }
    this.#underWay.add(member);
    void attempt(member, this.#asking, clock, this.#over.signal).then((outcome) =>
      this.#push({ kind: "attempt", attempt: outcome }),
    );
    this.#armHedge(member);
    return true;
  }

  #candidates(): readonly PoolMember[] {
    const { only } = this.#asking;
    const mayAsk = (member: PoolMember) =>
      (only === undefined || member === only) && !this.#underWay.has(member) && this.#setbacks.mayAsk(member);
    return this.#modules.choose(this.#asking, this.#setbacks.missed).filter(mayAsk);
  }

  /** Hedges with a second server when this one is slower than usual and the hedge budget allows it. */
  #armHedge(member: PoolMember): void {
    const { clock, budget, hedgeFloorMs } = this.#modules;
    const { need, only } = this.#asking;
    this.#cancelTimer();
    if (only !== undefined) return;
    if (this.#hedged || this.#underWay.size > 1 || need.waitMs > 0) {
      this.#armPatience();
      return;
    }
    const delayMs = hedgeDelayMs(member.health, hedgeFloorMs);
    this.#cancelTimer = clock.timer(delayMs, () => {
      if (this.#candidates().length > 0 && budget.take()) {
        this.#hedged = true;
        this.#push({ kind: "late" });
      } else {
        this.#armPatience(delayMs);
      }
    });
  }

  /** Asks another server when those asked do not seem to answer at all; the last one has had some time. */
  #armPatience(givenMs = 0): void {
    this.#cancelTimer();
    const last = [...this.#underWay].at(-1);
    if (last !== undefined) {
      const delayMs = Math.max(lateAfterMs(last.health, this.#asking.need) - givenMs, 0);
      this.#cancelTimer = this.#modules.clock.timer(delayMs, () => this.#push({ kind: "late" }));
    }
  }

  /** The outcome when all servers were asked: an answer, an error, or undefined when waiting may help. */
  #conclude(): RaceResult | undefined {
    const { need, only } = this.#asking;
    const newestSeqno = this.#modules.newest(this.#asking)?.block.seqno ?? 0;
    if (this.#setbacks.awaitsNews(need, newestSeqno) || this.#candidates().length > 0) return undefined;
    if (only === undefined ? this.#setbacks.mayMend() : this.#setbacks.mayRest()) return undefined;
    const best = this.#setbacks.findBestServerError();
    if (best !== undefined) return best;
    const hopeless = this.#modules.members(this.#asking).every((member) => this.#setbacks.isSpent(member));
    if (only !== undefined || hopeless) throw this.#defeat();
    return undefined;
  }

  #defeat(): Error {
    const failure = this.#setbacks.findFailure();
    // A caller that is bound to one server needs the error of that server.
    const own = this.#asking.only !== undefined && isCoded(failure) ? failure : undefined;
    return this.#setbacks.findLie() ?? own ?? this.#modules.none(this.#asking, failure);
  }

  /** Waits for a change, or until the next attempt is due. */
  async #pause(round: number): Promise<void> {
    const { clock, random, changed } = this.#modules;
    const nowMs = clock.monotonic();
    const pausedMs = this.#candidates().map(({ health }) => health.pausedUntilMs - nowMs);
    const againMs = backoffMs(pauses, Math.min(round, 10), random);
    const delayMs = this.#setbacks.any ? againMs : Math.min(idleMs, ...pausedMs);
    await changed.waitAtMost(clock, Math.max(delayMs, 1), this.#over.signal);
  }

  #push(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  async #nextEvent(): Promise<Event> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
