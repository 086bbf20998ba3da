import type { Transaction } from "../api/types.ts";

/** A value that differs, with the names that lead to it. */
export interface Change {
  readonly path: readonly string[];
  /** Undefined where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Contracts decide how much they store. */
const maxChanges = 200;
const maxDepth = 16;

/** The values of decoded data that differ, in the order of the data. */
export function listChanges(before: unknown, after: unknown): readonly Change[] {
  const changes: Change[] = [];
  compare([], before, after, changes);
  return changes;
}

function compare(path: readonly string[], before: unknown, after: unknown, changes: Change[]): void {
  if (changes.length >= maxChanges || JSON.stringify(before) === JSON.stringify(after)) return;
  const [old, young] = [partsOf(before), partsOf(after)];
  if (old === undefined || young === undefined || path.length >= maxDepth) {
    changes.push({ path, before, after });
    return;
  }
  for (const name of new Set([...old.keys(), ...young.keys()]))
    compare([...path, name], old.get(name), young.get(name), changes);
}

/**
 * The parts of a value by name: fields, entries of a dictionary by key, items by place; undefined for a plain value.
 */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  if (value.length > 0 && value.every(isEntry))
    return new Map(value.map(({ key, value: held }) => [nameKey(key), held]));
  return new Map(value.map((item, at) => [String(at + 1), item]));
}

function isEntry(item: unknown): item is { readonly key: unknown; readonly value: unknown } {
  return typeof item === "object" && item !== null && "key" in item && "value" in item;
}

function nameKey(key: unknown): string {
  return typeof key === "string" ? key : JSON.stringify(key);
}

/**
 * Transactions after which the chain keeps a state: the last one of the account in each masterchain block. Newest
 * first, as they are given.
 */
export function listStates<Of extends Pick<Transaction, "mc_block_seqno">>(transactions: readonly Of[]): readonly Of[] {
  return transactions.filter(({ mc_block_seqno: seqno }, at) => transactions[at - 1]?.mc_block_seqno !== seqno);
}
