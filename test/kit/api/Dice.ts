import type { Random } from "../../../src/lib/random.ts";

/** Random choices; the same seed gives the same ones. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number below `end`. */
  int(end: number): number {
    return this.#random.int(end);
  }

  chance(percent: number): boolean {
    return this.#random.int(100) < percent;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.#random.int(from.length)] as T;
  }
}
