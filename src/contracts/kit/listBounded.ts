import type { Dictionary } from "../../cell/dictionary.ts";
import { notThis } from "./stack.ts";

/** More entries than any real contract has; with shared cells a few cells can represent any number. */
const mostEntries = 10_000;

/** All entries of a dictionary of a contract; too many are refused. */
export function listBounded<K, V>(dictionary: Dictionary<K, V>): [K, V][] {
  const found = dictionary.entries({ limit: mostEntries + 1 });
  if (found.length > mostEntries) throw notThis(`a dictionary of more than ${mostEntries} entries`);
  return found;
}
