/** A client may send this many frames a second, fragments and control frames included; as many may come at once. */
export const maxFramesPerSecond = 1_000;

/** Counts the frames of one connection against its rate. */
export class FrameRate {
  readonly #nowMs: () => number;
  #left = maxFramesPerSecond;
  #atMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#atMs = nowMs();
  }

  /** Takes this many frames; whether they are within the rate. */
  take(frames: number): boolean {
    const now = this.#nowMs();
    this.#left = Math.min(maxFramesPerSecond, this.#left + ((now - this.#atMs) * maxFramesPerSecond) / 1_000) - frames;
    this.#atMs = now;
    return this.#left >= 0;
  }
}
