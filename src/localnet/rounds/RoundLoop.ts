import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";

/** When rounds are made: at a steady pace, only when there is work, or only when a caller asks for one. */
export type RoundPace =
  | { readonly kind: "steady"; readonly blockMs: number }
  | { readonly kind: "onDemand" }
  | { readonly kind: "manual" };

export interface RoundLoopModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Makes one round; the loop never calls it twice at a time. */
  readonly make: () => Promise<LedgerBlock>;
  /** Whether a round would have work; called only on demand. */
  readonly hasWork: () => boolean;
  /** Whether that work waits for something that cannot be had now; called only on demand. */
  readonly isStuck?: () => boolean;
}

/** The pause on demand while the work cannot be done. */
const stuckMs = 1_000;

/** The pause after a failed round, doubled with each further one. */
const retryMs = { first: 1_000, max: 8_000 };

type State = "idle" | "running" | "paused";

/** Makes rounds at a pace, one after another. A failed round is logged and tried again. */
export class RoundLoop {
  #pace: RoundPace;
  readonly #modules: RoundLoopModules;
  #state: State = "idle";
  #cancelTimer: (() => void) | undefined;
  /** When the round in flight, or the last one, was due. */
  #dueAt = 0;
  #retryMs = retryMs.first;
  #last: Promise<unknown> = Promise.resolve();
  /** Rounds are its work, those that wait for their turn included. */
  readonly #lifetime = new Lifetime((reason) => reason);

  constructor(pace: RoundPace, modules: RoundLoopModules) {
    this.#pace = pace;
    this.#modules = modules;
  }

  get isPaused(): boolean {
    return this.#state === "paused";
  }

  get pace(): RoundPace {
    return this.#pace;
  }

  /** Changes when rounds are made; the next one is planned anew. */
  setPace(pace: RoundPace): void {
    this.#pace = pace;
    this.#cancel();
    this.#dueAt = this.#modules.clock.monotonic();
    this.#plan();
  }

  start(): void {
    if (this.#state !== "idle") return;
    this.#state = "running";
    this.#dueAt = this.#modules.clock.monotonic();
    this.#plan();
  }

  pause(): void {
    if (this.#state !== "running") return;
    this.#state = "paused";
    this.#cancel();
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "idle";
    this.start();
  }

  /** Reports that there may be work. */
  wake(): void {
    if (this.#pace.kind === "onDemand") this.#plan();
  }

  /** Makes one round, after those requested before. */
  step(): Promise<LedgerBlock> {
    if (!this.#lifetime.isOpen) return Promise.reject(closed());
    const { end } = this.#lifetime.begin();
    const round = this.#last.then(() => this.#modules.make());
    const plan = (pauseMs?: number) => {
      end();
      this.#plan(pauseMs);
    };
    this.#last = round.then(
      () => {
        this.#retryMs = retryMs.first;
        plan();
      },
      () => {
        const pauseMs = this.#retryMs;
        this.#retryMs = Math.min(2 * pauseMs, retryMs.max);
        plan(pauseMs);
      },
    );
    return round;
  }

  /** Resolves when the round in flight has ended. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#lifetime.close(closed());
  }

  /** Makes no more rounds; the one in flight finishes or fails. */
  destroy(): void {
    this.#cancel();
    this.#lifetime.destroy(closed());
  }

  /** Starts a timer for the next round, unless a round is in flight: its end plans again. */
  #plan(pauseMs?: number): void {
    const isDue = this.#state === "running" && this.#lifetime.isOpen && this.#lifetime.running === 0;
    if (!isDue || this.#cancelTimer !== undefined) return;
    const delayMs = pauseMs ?? this.#delayMs();
    if (delayMs === undefined) return;
    this.#cancelTimer = this.#modules.clock.timer(delayMs, () => {
      this.#cancelTimer = undefined;
      void this.#runPlanned();
    });
  }

  /** The time until the next round; `undefined` when none is due. */
  #delayMs(): number | undefined {
    const { clock, hasWork, isStuck } = this.#modules;
    switch (this.#pace.kind) {
      case "steady":
        // Late rounds do not accumulate: the next one is due at most one interval from now.
        this.#dueAt = Math.max(this.#dueAt + this.#pace.blockMs, clock.monotonic());
        return this.#dueAt - clock.monotonic();
      case "onDemand":
        return hasWork() ? (isStuck?.() === true ? stuckMs : 0) : undefined;
      case "manual":
        return undefined;
    }
  }

  async #runPlanned(): Promise<void> {
    try {
      await this.step();
    } catch (error) {
      if (!this.#lifetime.isOpen) return;
      const text = isCoded(error, "lib/storage") ? error.message : describe(error);
      this.#modules.log.error("a round failed; retrying", { error: text });
    }
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function closed(): LocalnetError {
  return new LocalnetError("localnet/closed", "the chain is closed");
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
