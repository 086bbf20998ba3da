import type { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { changeEntriesInSteps } from "../../../src/cell/augmentedEdits.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";

/** The dictionary without a key. */
export function deleteEntry<K, V, E>(dict: AugmentedDictionary<K, V, E>, key: K): AugmentedDictionary<K, V, E> {
  return runAtOnce(changeEntriesInSteps(dict, [[key, undefined]]));
}
