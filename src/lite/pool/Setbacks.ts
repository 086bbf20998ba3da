import type { Need } from "../tl/need.ts";
import type { Attempt } from "./attempt.ts";
import { noteNoBlock, noteNoState, noteState, quarantine } from "./health.ts";
import type { PoolMember } from "./PoolMember.ts";

/** An attempt without a usable answer. */
export type FailedAttempt = Extract<Attempt, { readonly kind: "serverError" | "badProof" | "failed" }>;

export type ErrorAttempt = Extract<Attempt, { readonly kind: "serverError" }>;

/** How often one query may fail on one server: a query that breaks servers must not be retried forever. */
const triesEach = 3;

/** The failed attempts of one query, and the servers that remain. */
export class FailedAttempts {
  /** Failed attempts of the current round. */
  readonly #round = new Map<PoolMember, FailedAttempt>();
  /** Proof errors, and errors about a server's data or abilities: such a server is not asked again. */
  readonly #final = new Map<PoolMember, FailedAttempt>();
  readonly #tries = new Map<PoolMember, number>();

  /** Whether an attempt of this round failed. */
  get any(): boolean {
    return this.#round.size > 0;
  }

  /** Whether a server has reported that it does not have the data. */
  get missed(): boolean {
    return this.#lacking().length > 0;
  }

  beginRound(): void {
    this.#round.clear();
  }

  add(outcome: FailedAttempt): void {
    const { member } = outcome;
    this.#round.set(member, outcome);
    if (isFinal(outcome)) {
      this.#final.set(member, outcome);
    } else if (!isBusy(outcome) || this.#final.size > 0) {
      // While no server has a final error, it is worth waiting for a busy server until the caller gives up.
      this.#tries.set(member, (this.#tries.get(member) ?? 0) + 1);
    }
  }

  mayAsk(member: PoolMember): boolean {
    return !this.#round.has(member) && !this.isSpent(member);
  }

  /** Whether the server is excluded. */
  isSpent(member: PoolMember): boolean {
    return this.#final.has(member) || (this.#tries.get(member) ?? 0) >= triesEach;
  }

  /** Whether a failed server may succeed later. */
  mayMend(): boolean {
    return [...this.#round.keys()].some((member) => !this.isSpent(member));
  }

  /** Whether a server was too busy, and may be free later. */
  mayRest(): boolean {
    return [...this.#round].some(([member, outcome]) => isBusy(outcome) && !this.isSpent(member));
  }

  /** Whether the missing data is known to exist and has only not reached the servers yet; then they are asked again. */
  awaitsNews(need: Need, newestSeqno: number): boolean {
    const short = (member: PoolMember) => need.newest || headOf(member) < need.atLeast;
    const lacking = this.#lacking();
    if (newestSeqno < need.atLeast || !lacking.some(short)) return false;
    for (const member of lacking) this.#final.delete(member);
    return true;
  }

  /**
   * A good answer explains the others: which proofs were bad, and which servers have dropped data that still exists.
   */
  learnFrom(by: PoolMember, { place }: Need, nowMs: number): void {
    for (const [member, outcome] of this.#final) {
      if (outcome.kind === "badProof")
        member.update((health) => quarantine(health, `proof error: ${outcome.error.message}`, nowMs));
      else if (isMissing(outcome) && place.kind === "state" && place.seqno <= headOf(member))
        member.update((health) => noteNoState(health, place.seqno));
      else if (isMissing(outcome) && place.kind === "block" && place.seqno <= headOf(member))
        member.update((health) => noteNoBlock(health, place.seqno));
    }
    if (place.kind === "state") by.update((health) => noteState(health, place.seqno));
  }

  /** The most informative error. */
  findBestServerError(): ErrorAttempt | undefined {
    const errors = [...this.#final.values(), ...this.#round.values()].filter(
      (outcome) => outcome.kind === "serverError",
    );
    return errors.sort((a, b) => errorOrder.indexOf(a.errorKind) - errorOrder.indexOf(b.errorKind))[0];
  }

  findLie(): Error | undefined {
    return [...this.#final.values()].find((outcome) => outcome.kind === "badProof")?.error;
  }

  findFailure(): Error | undefined {
    return [...this.#round.values()].find((outcome) => outcome.kind === "failed")?.error;
  }

  #lacking(): PoolMember[] {
    return [...this.#final.values()].filter(isMissing).map(({ member }) => member);
  }
}

const errorOrder = ["missing", "unsupported", "broken", "busy"];

function isFinal(outcome: FailedAttempt): boolean {
  const refused = outcome.kind === "serverError" && outcome.errorKind === "unsupported";
  return outcome.kind === "badProof" || refused || isMissing(outcome);
}

function isMissing(outcome: FailedAttempt): boolean {
  return outcome.kind === "serverError" && outcome.errorKind === "missing";
}

function isBusy(outcome: FailedAttempt): boolean {
  return outcome.kind === "serverError" && outcome.errorKind === "busy";
}

function headOf({ health }: PoolMember): number {
  return health.head?.block.seqno ?? 0;
}
