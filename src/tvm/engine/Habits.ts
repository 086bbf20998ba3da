import { Lru } from "../../lib/lru.ts";
import type { Hash } from "../../model/Hash.ts";

/** What code turned out to want when it was run, so that it is run only once the next time. */
export interface Habit {
  readonly libraries: readonly Hash[];
  readonly wantsWholeConfig: boolean;
}

const noHabit: Habit = { libraries: [], wantsWholeConfig: false };
const maxEntries = 4096;

/** Remembers habits, within a bound. A habit that no longer holds costs a little time and never changes an outcome. */
export class Habits {
  readonly #known = new Lru<string, Habit>({ maxBytes: maxEntries, sizeOf: () => 1 });

  get(key: string): Habit {
    return this.#known.find(key) ?? noHabit;
  }

  set(key: string, habit: Habit): void {
    if (habit.libraries.length > 0 || habit.wantsWholeConfig) this.#known.set(key, habit);
  }
}
