import { expect } from "vitest";
import { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { rebuild } from "../../../src/cell/augmentedEdits.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { Linked } from "../../../src/cell/linked.ts";
import { isCoded } from "../../../src/lib/errors.ts";

/** Counts of a walk through a value. */
export interface Stored {
  links: number;
  entries: number;
  /** Links and branches that are pruned in the proof. */
  pruned: number;
}

/**
 * Walks through a whole value. Each link is loaded and stored again to the same cell; each dictionary is rebuilt from
 * its entries, including sums, with the same root. Skips pruned parts and cells in `seen`.
 */
export function checkStored(value: unknown, seen: Set<Cell> = new Set()): Stored {
  const met: Stored = { links: 0, entries: 0, pruned: 0 };
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next instanceof Linked) enterLink(next, waiting, seen, met);
    else if (next instanceof Dictionary || next instanceof AugmentedDictionary) enterTree(next, waiting, seen, met);
    else if (typeof next === "object" && next !== null && !(next instanceof Cell) && !ArrayBuffer.isView(next))
      waiting.push(...Object.values(next));
  }
  return met;
}

function enterLink(link: Linked<unknown>, waiting: unknown[], seen: Set<Cell>, met: Stored): void {
  if (seen.has(link.cell)) return;
  seen.add(link.cell);
  const inner = unlessPruned(() => link.load());
  if (inner === "pruned") {
    met.pruned++;
    return;
  }
  met.links++;
  const again = unlessPruned(() => link.with(inner).cell);
  if (again !== "pruned" && !again.equals(link.cell)) expect(again.hash()).toBe(link.cell.hash());
  waiting.push(inner);
}

type Tree = Dictionary<unknown, unknown> | AugmentedDictionary<unknown, unknown, unknown>;

function enterTree(tree: Tree, waiting: unknown[], seen: Set<Cell>, met: Stored): void {
  const { root } = tree;
  if (root === undefined || seen.has(root)) return;
  seen.add(root);
  const isWhole = root.level === 0;
  const entries = tree.entries({ skipPruned: !isWhole });
  if (!isWhole) met.pruned++;
  else if (tree instanceof AugmentedDictionary) expect(rebuilt(tree)?.hash()).toBe(root.hash());
  else for (const [key, inner] of entries) expect(tree.set(key, inner).root?.hash()).toBe(root.hash());
  met.entries += entries.length;
  for (const [, inner] of entries) waiting.push(inner);
}

function rebuilt(tree: AugmentedDictionary<unknown, unknown, unknown>): Cell | undefined {
  const entries: [unknown, unknown, unknown][] = [];
  tree.forEach((value, key, extra) => void entries.push([key, value, extra]));
  return rebuild(tree, entries).root;
}

function unlessPruned<T>(work: () => T): T | "pruned" {
  try {
    return work();
  } catch (error) {
    if (isCoded(error) && error.code === "cell/pruned") return "pruned";
    throw error;
  }
}

export function addStored(to: Stored, more: Stored): void {
  to.links += more.links;
  to.entries += more.entries;
  to.pruned += more.pruned;
}
