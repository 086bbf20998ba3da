import type { Clock } from "./clock.ts";

/** Of equal lines, this many are written in each window; the others are counted. */
const maxEqual = 20;
const windowMs = 10_000;
/** Different lines that are tracked at once; when there are more, all start again. */
const maxKinds = 1_000;

interface Window {
  readonly endsAtMs: number;
  lines: number;
}

/** A kind of line of which some were not written. */
interface SkippedLines {
  readonly kind: string;
  readonly count: number;
}

/** Limits lines that are repeated, such as one for each refused request of a client that asks thousands of times. */
export class RepeatedLines {
  readonly #clock: Pick<Clock, "monotonic">;
  /** In the order in which their windows end. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Whether one more line of this kind is written. */
  mayWrite(kind: string): boolean {
    const window = this.#windows.get(kind);
    if (window === undefined) {
      if (this.#windows.size >= maxKinds) this.#windows.clear();
      this.#windows.set(kind, { endsAtMs: this.#clock.monotonic() + windowMs, lines: 1 });
      return true;
    }
    window.lines += 1;
    return window.lines <= maxEqual;
  }

  /** Ends the windows whose time is over; returns what was not written in them. */
  takeSkipped(): readonly SkippedLines[] {
    const nowMs = this.#clock.monotonic();
    const skipped: SkippedLines[] = [];
    for (const [kind, { endsAtMs, lines }] of this.#windows) {
      if (endsAtMs > nowMs) break;
      this.#windows.delete(kind);
      if (lines > maxEqual) skipped.push({ kind, count: lines - maxEqual });
    }
    return skipped;
  }
}
