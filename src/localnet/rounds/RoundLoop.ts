import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";

/** When rounds are made: again and again, only when there is something to do, or only when told to. */
export type RoundPace =
  | { readonly kind: "steady"; readonly blockMs: number }
  | { readonly kind: "onDemand" }
  | { readonly kind: "manual" };

export interface RoundLoopModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Makes one round; the loop never calls it twice at a time. */
  readonly make: () => Promise<LedgerBlock>;
  /** Whether a round would have something to do; asked only on demand. */
  readonly hasWork: () => boolean;
}

/** After a round that failed, so long until the next try. */
const retryMs = 1_000;

type State = "idle" | "running" | "paused" | "closed";

/** Makes rounds at a pace, one after another. A round that fails is told to the log and tried again. */
export class RoundLoop {
  readonly #pace: RoundPace;
  readonly #modules: RoundLoopModules;
  #state: State = "idle";
  #cancelTimer: (() => void) | undefined;
  /** When the round in flight, or the last one, was due. */
  #dueAt = 0;
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  constructor(pace: RoundPace, modules: RoundLoopModules) {
    this.#pace = pace;
    this.#modules = modules;
  }

  get isPaused(): boolean {
    return this.#state === "paused";
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

  /** Says that there may be something to do. */
  wake(): void {
    if (this.#pace.kind === "onDemand") this.#plan();
  }

  /** One round, after those that were asked for before. */
  step(): Promise<LedgerBlock> {
    if (this.#state === "closed") return Promise.reject(new LocalnetError("localnet/closed", "the chain is closed"));
    this.#queued++;
    const round = this.#last.then(() => this.#modules.make());
    this.#last = round.then(
      () => this.#ended(),
      () => this.#ended(retryMs),
    );
    return round;
  }

  /** Resolves when the round in flight has ended. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#cancel();
    await this.#last;
  }

  /** Makes no more rounds; the one in flight ends by itself or fails. */
  destroy(): void {
    this.#state = "closed";
    this.#cancel();
  }

  #ended(pauseMs?: number): void {
    this.#queued--;
    this.#plan(pauseMs);
  }

  /** Sees to it that a timer runs for the next round, unless one is in flight: its end plans again. */
  #plan(pauseMs?: number): void {
    if (this.#state !== "running" || this.#cancelTimer !== undefined || this.#queued > 0) return;
    const delayMs = pauseMs ?? this.#delayMs();
    if (delayMs === undefined) return;
    this.#cancelTimer = this.#modules.clock.timer(delayMs, () => {
      this.#cancelTimer = undefined;
      void this.#runPlanned();
    });
  }

  /** How long until the next round; `undefined` when nothing calls for one. */
  #delayMs(): number | undefined {
    const { clock, hasWork } = this.#modules;
    switch (this.#pace.kind) {
      case "steady":
        // Rounds that come late do not pile up: the next is due a whole pace after now at the most.
        this.#dueAt = Math.max(this.#dueAt + this.#pace.blockMs, clock.monotonic());
        return this.#dueAt - clock.monotonic();
      case "onDemand":
        return hasWork() ? 0 : undefined;
      case "manual":
        return undefined;
    }
  }

  async #runPlanned(): Promise<void> {
    try {
      await this.step();
    } catch (error) {
      if (this.#state === "closed") return;
      this.#modules.log.error("a round failed and is tried again", { error: describe(error) });
    }
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
