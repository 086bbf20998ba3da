import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { backoffMs } from "../../lib/retry.ts";
import { LiteError } from "../errors.ts";
import { type Head, noteNoBlock, noteNoState, noteState, quarantine } from "../health.ts";
import { type Asking, type Attempt, attempt } from "./attempt.ts";
import type { Bell } from "./Bell.ts";
import { type HedgeBudget, hedgeDelayMs, patienceMs } from "./hedge.ts";
import type { PoolMember } from "./PoolMember.ts";

/** An answer, and who gave it. */
export interface Answered {
  readonly answer: Uint8Array;
  readonly member: PoolMember;
}

export interface RaceModules {
  readonly clock: Clock;
  readonly random: Random;
  /** Rings when a server is in use again and when the newest head moves. */
  readonly bell: Bell;
  readonly budget: HedgeBudget;
  readonly hedgeFloorMs: number;
  /** The servers to ask, best first. */
  readonly choose: (asking: Asking, missed: boolean) => readonly PoolMember[];
  /** All servers the asker may use, whether they work or not. */
  readonly members: (asking: Asking) => readonly PoolMember[];
  readonly newest: (asking: Asking) => Head | undefined;
  /** The error when there is no server left to ask, with the reason for each. */
  readonly none: (asking: Asking, cause?: unknown) => LiteError;
}

type Event =
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  /** The server asked last takes longer than it should. */
  | { readonly kind: "late" }
  | { readonly kind: "ended"; readonly reason: Error };

type Setback = Exclude<Attempt, { readonly kind: "answered" | "dropped" | "thrown" }>;

/** How often one question may break down on one server: a question that breaks servers must not go round for ever. */
const triesEach = 3;
const pauses = { firstMs: 50, factor: 2, maxMs: 1_000 };
const idleMs = 1_000;

/**
 * One read, from the first server asked to the answer: others are asked when one fails, lies, complains of itself or is
 * late. It ends with an answer, with the signal, or when no server can be hoped for.
 */
export class Race {
  readonly #asking: Asking;
  readonly #modules: RaceModules;
  readonly #over = new AbortController();
  readonly #events: Event[] = [];
  readonly #underWay = new Set<PoolMember>();
  readonly #tries = new Map<PoolMember, number>();
  /** Asked in this round, to their discredit. */
  readonly #setbacks = new Map<PoolMember, Setback>();
  /** Those whose word is taken, and need not be asked again. */
  readonly #settled = new Map<PoolMember, Setback>();
  #wake: () => void = () => {};
  #cancelTimer: CancelTimer = () => {};
  #hedged = false;

  constructor(asking: Asking, modules: RaceModules) {
    this.#asking = asking;
    this.#modules = modules;
  }

  async run(): Promise<Answered> {
    this.#modules.budget.earn();
    try {
      for (let round = 1; ; round++) {
        const answered = (await this.#round()) ?? this.#conclude();
        if (answered !== undefined) {
          return answered;
        }
        await this.#pause(round);
      }
    } finally {
      this.#cancelTimer();
      if (this.#underWay.size > 0) {
        this.#over.abort(new LiteError("lite/closed", "another server answered first"));
      }
    }
  }

  /** Ends the race, and everything under way, with the reason. */
  end(reason: Error): void {
    this.#push({ kind: "ended", reason });
    this.#over.abort(reason);
  }

  /** Asks one server after the other until one answers; undefined when there is none left to ask. */
  async #round(): Promise<Answered | undefined> {
    this.#setbacks.clear();
    for (;;) {
      if (this.#underWay.size === 0 && !this.#askNext()) {
        return undefined;
      }
      const event = await this.#nextEvent();
      switch (event.kind) {
        case "ended":
          throw event.reason;
        case "late":
          this.#askNext();
          break;
        case "attempt": {
          const answered = this.#take(event.attempt);
          if (answered !== undefined) {
            return answered;
          }
        }
      }
    }
  }

  #take(outcome: Attempt): Answered | undefined {
    const { member } = outcome;
    this.#underWay.delete(member);
    switch (outcome.kind) {
      case "answered":
        if (!outcome.complained) {
          this.#learn(member);
        }
        return outcome;
      case "thrown":
        throw outcome.error;
      case "dropped":
        return undefined;
      default:
        this.#setbacks.set(member, outcome);
        this.#count(outcome);
        return undefined;
    }
  }

  /** Words about what a server has are final for now; of trouble each server may have so much and no more. */
  #count(outcome: Setback): void {
    const { member } = outcome;
    if (isSettled(outcome)) {
      this.#settled.set(member, outcome);
      return;
    }
    // As long as nobody knows better, it is worth waiting for a busy server until the asker gives up.
    if (!isBusy(outcome) || this.#settled.size > 0) {
      this.#tries.set(member, (this.#tries.get(member) ?? 0) + 1);
    }
  }

  /** A good answer shows in what light the others' words were: who lied, and who has forgotten what is still known. */
  #learn(by: PoolMember): void {
    const { place } = this.#asking.need;
    const nowMs = this.#modules.clock.monotonic();
    for (const [member, outcome] of this.#settled) {
      if (outcome.kind === "lied") {
        member.update((health) => quarantine(health, `lied: ${outcome.error.message}`, nowMs));
      } else if (isMissing(outcome) && place.kind === "state" && place.seqno <= headOf(member)) {
        member.update((health) => noteNoState(health, place.seqno));
      } else if (isMissing(outcome) && place.kind === "block" && place.seqno <= headOf(member)) {
        member.update((health) => noteNoBlock(health, place.seqno));
      }
    }
    if (place.kind === "state") {
      by.update((health) => noteState(health, place.seqno));
    }
  }

  /** Asks the best server that may still be asked, and says whether there was one. */
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
    const missed = [...this.#settled.values()].some(isMissing);
    return this.#modules
      .choose(this.#asking, missed)
      .filter((member) => (only === undefined || member === only) && this.#mayAsk(member));
  }

  #mayAsk(member: PoolMember): boolean {
    if (this.#underWay.has(member) || this.#setbacks.has(member) || this.#settled.has(member)) {
      return false;
    }
    return this.#hasTries(member);
  }

  /** Asks a second server when this one is slower than it mostly is, and there is something to spend. */
  #armHedge(member: PoolMember): void {
    const { clock, budget, hedgeFloorMs } = this.#modules;
    const { need, only } = this.#asking;
    this.#cancelTimer();
    if (only !== undefined) {
      return;
    }
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

  /** Asks another server when those asked seem not to answer at all; the last one has already been given some time. */
  #armPatience(givenMs = 0): void {
    this.#cancelTimer();
    const last = [...this.#underWay].at(-1);
    if (last !== undefined) {
      const delayMs = Math.max(patienceMs(last.health, this.#asking.need) - givenMs, 0);
      this.#cancelTimer = this.#modules.clock.timer(delayMs, () => this.#push({ kind: "late" }));
    }
  }

  /** What is to be said when everybody was asked: an answer, an error, or undefined when waiting may help. */
  #conclude(): Answered | undefined {
    if (this.#isAwaited()) {
      this.#settled.clear();
      return undefined;
    }
    if (this.#mayChange()) {
      return undefined;
    }
    return bestComplaint([...this.#settled.values(), ...this.#setbacks.values()]) ?? this.#concludeUnheard();
  }

  /** Nobody said anything that could be handed on. */
  #concludeUnheard(): undefined {
    const { only } = this.#asking;
    const spent = (member: PoolMember) => this.#settled.has(member) || !this.#hasTries(member);
    if (only !== undefined || this.#modules.members(this.#asking).every(spent)) {
      this.#giveUp();
    }
    return undefined;
  }

  /** Whether what some servers lack is known to exist and only has not come to them yet. */
  #isAwaited(): boolean {
    const { need } = this.#asking;
    const newest = this.#modules.newest(this.#asking)?.block.seqno ?? 0;
    const lacking = [...this.#settled].filter(([, outcome]) => isMissing(outcome)).map(([member]) => member);
    return newest >= need.atLeast && lacking.some((member) => need.newest || headOf(member) < need.atLeast);
  }

  /** Whether a server that works is still to be asked, or to be asked again. */
  #mayChange(): boolean {
    const bound = this.#asking.only !== undefined;
    const again = [...this.#setbacks].some(
      ([member, outcome]) => !this.#settled.has(member) && this.#hasTries(member) && (!bound || isBusy(outcome)),
    );
    return again || this.#candidates().length > 0;
  }

  #hasTries(member: PoolMember): boolean {
    return (this.#tries.get(member) ?? 0) < triesEach;
  }

  #giveUp(): never {
    const lie = [...this.#settled.values()].find(({ kind }) => kind === "lied");
    if (lie?.kind === "lied") {
      throw lie.error;
    }
    const failure = [...this.#setbacks.values()].find(({ kind }) => kind === "failed");
    const cause = failure?.kind === "failed" ? failure.error : undefined;
    // Who is bound to one server wants to know what became of that one.
    throw this.#asking.only !== undefined && isCoded(cause) ? cause : this.#modules.none(this.#asking, cause);
  }

  /** Waits until something has changed, or it is time to try again. */
  async #pause(round: number): Promise<void> {
    const { clock, random, bell } = this.#modules;
    const nowMs = clock.monotonic();
    const pausedMs = this.#candidates().map(({ health }) => health.pausedUntilMs - nowMs);
    const tried = this.#setbacks.size > 0;
    const delayMs = tried ? backoffMs(pauses, Math.min(round, 10), random) : Math.min(idleMs, ...pausedMs);
    await bell.waitAtMost(clock, Math.max(delayMs, 1), this.#over.signal);
  }

  #push(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  async #nextEvent(): Promise<Event> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) {
        return event;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Lies, and words about what a server has or does, are not asked for twice. */
function isSettled(outcome: Setback): boolean {
  const refused = outcome.kind === "complained" && outcome.complaint === "unsupported";
  return outcome.kind === "lied" || refused || isMissing(outcome);
}

function isMissing(outcome: Setback): boolean {
  return outcome.kind === "complained" && outcome.complaint === "missing";
}

function isBusy(outcome: Setback): boolean {
  return outcome.kind === "complained" && outcome.complaint === "busy";
}

const complaintOrder = ["missing", "unsupported", "broken", "busy"];

/** The complaint that says most about the question. */
function bestComplaint(outcomes: readonly Setback[]): Answered | undefined {
  const complaints = outcomes.flatMap((outcome) => (outcome.kind === "complained" ? [outcome] : []));
  const place = ({ complaint }: (typeof complaints)[number]) => complaintOrder.indexOf(complaint);
  return complaints.sort((a, b) => place(a) - place(b))[0];
}

function headOf({ health }: PoolMember): number {
  return health.head?.block.seqno ?? 0;
}
