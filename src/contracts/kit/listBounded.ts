import type { Dictionary } from "../../cell/dictionary.ts";
import { notThis } from "./stack.ts";

/** More entries than any real contract has; shared cells let a few stand for any number. */
const mostEntries = 10_000;

/** All entries of a dictionary that a contract gave; one of too many is refused. */
export function listBounded<K, V>(dictionary: Dictionary<K, V>): [K, V][] {
  const found = dictionary.entries({ limit: mostEntries + 1 });
  if (found.length > mostEntries) throw notThis(`a dictionary of more than ${mostEntries} entries`);
  return found;
}
