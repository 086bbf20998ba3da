import { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { Linked } from "../../../src/cell/linked.ts";

/** Limits the entries read in one value: above the size of real values, but bounded for hostile ones. */
const maxEntries = 10_000;

/**
 * Decodes everything in a loaded value, including lazily decoded dictionaries. Avoids recursion, because values can be
 * as deep as cells.
 */
export function openValue(value: unknown): void {
  const waiting: unknown[] = [value];
  let left = maxEntries;
  while (waiting.length > 0 && left > 0) {
    const next = waiting.pop();
    if (next instanceof Dictionary || next instanceof AugmentedDictionary) {
      const entries = next.entries({ limit: left });
      left -= entries.length;
      for (const [, inner] of entries) waiting.push(inner);
    } else if (next instanceof Linked) {
      waiting.push(next.load());
    } else if (next !== null && typeof next === "object" && !(next instanceof Cell) && !ArrayBuffer.isView(next)) {
      waiting.push(...Object.values(next));
    }
  }
}
