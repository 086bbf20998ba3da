import { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { Linked } from "../../../src/cell/linked.ts";

/** Most entries looked at in one value: enough for what is real, an end for what is made to have none. */
const maxEntries = 10_000;

/**
 * Reads everything in a loaded value, dictionaries included, which otherwise are read when asked. Without recursion,
 * since values may lie as deep as cells do.
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
