import type { Dictionary } from "../../cell/dictionary.ts";
import { isCoded } from "../../lib/errors.ts";
import { notThis } from "./stack.ts";

/** All entries of a dictionary of a contract; one with too many is none of that kind. */
export function listBounded<K, V>(dictionary: Dictionary<K, V>): [K, V][] {
  try {
    return dictionary.entries();
  } catch (error) {
    if (isCoded(error, "cell/dictionary-size")) throw notThis(error.message);
    throw error;
  }
}
