import type { Cell } from "./Cell.ts";
import { CellKind } from "./CellKind.ts";
import { CellError } from "./errors.ts";
import { makeUpdateCell, rebuildCell } from "./exotic.ts";
import type { Hash } from "./Hash.ts";
import { pruneTree } from "./merkleProof.ts";

/** Checks a Merkle update and gives its two halves. */
export function openMerkleUpdate(update: Cell): { readonly from: Cell; readonly to: Cell } {
  if (update.kind !== CellKind.merkleUpdate)
    throw new CellError("cell/update", "a Merkle update is expected and this is another cell");
  update.hashBytes();
  return { from: update.ref(0), to: update.ref(1) };
}

/**
 * An update from one tree to another. `opened` are the cells of the old tree that were read while the new one was
 * made; without it the whole old tree is walked. Cells of the new tree that the old one has are pruned in both.
 */
export function makeMerkleUpdate(from: Cell, to: Cell, opened?: ReadonlySet<Cell>): Cell {
  const known = knownCells(from, opened);
  const used = new Set<Hash>();
  const newHalf = pruneTree(to, (cell) => {
    const hash = cell.hash(0);
    if (!known.has(hash) || cell.refCount === 0) return true;
    used.add(hash);
    return false;
  });
  const leads = leadsToUsed(from, used, known);
  const oldHalf = pruneTree(from, (cell) => !used.has(cell.hash(0)) && leads.has(cell.hash(0)));
  return makeUpdateCell(oldHalf, newHalf);
}

function knownCells(from: Cell, opened: ReadonlySet<Cell> | undefined): Set<Hash> {
  const known = new Set<Hash>([from.hash(0)]);
  if (opened !== undefined) {
    for (const cell of opened) for (const child of cell.refs()) known.add(child.hash(0));
    return known;
  }
  const stack = [from];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    for (const child of cell.refs()) {
      const hash = child.hash(0);
      if (known.has(hash)) continue;
      known.add(hash);
      stack.push(child);
    }
  }
  return known;
}

/** The known cells of the old tree on a way to a cell that the new tree uses. */
function leadsToUsed(from: Cell, used: ReadonlySet<Hash>, known: ReadonlySet<Hash>): Set<Hash> {
  const leads = new Map<Hash, boolean>();
  const visit = (cell: Cell): boolean => {
    const hash = cell.hash(0);
    if (used.has(hash)) return true;
    const before = leads.get(hash);
    if (before !== undefined) return before;
    let found = false;
    if (known.has(hash)) for (const child of cell.refs()) if (known.has(child.hash(0)) && visit(child)) found = true;
    leads.set(hash, found);
    return found;
  };
  visit(from);
  return new Set([...leads].filter(([, found]) => found).map(([hash]) => hash));
}

/** The tree an update leads to, given the tree it starts from. Both are checked by hash. */
export function applyMerkleUpdate(from: Cell, update: Cell): Cell {
  const halves = openMerkleUpdate(update);
  if (from.hash(0) !== halves.from.hash(0))
    throw new CellError("cell/update", `an update of ${halves.from.hash(0)} cannot be applied to ${from.hash(0)}`);
  const known = new Map<Hash, Cell>();
  collectKnown(from, halves.from, known, new Set());
  const made = restore(halves.to, (hash) => known.get(hash));
  if (made.hash(0) !== halves.to.hash(0))
    throw new CellError("cell/update", `the update names ${halves.to.hash(0)} and leads to ${made.hash(0)}`);
  return made;
}

/** Walks the old tree along the update's old half; where that is pruned, the old tree has the cell. */
function collectKnown(tree: Cell, half: Cell, known: Map<Hash, Cell>, seen: Set<Cell>): void {
  if (seen.has(half)) return;
  seen.add(half);
  known.set(half.hash(0), tree);
  if (half.kind === CellKind.pruned) return;
  for (let i = 0; i < half.refCount; i++) collectKnown(tree.ref(i), half.ref(i), known, seen);
}

/**
 * A tree with its pruned branches of level 1 filled in by `find`, which is asked for the hash of what is missing.
 * What cannot be found is `cell/update` with the hash.
 */
export function restore(half: Cell, find: (hash: Hash) => Cell | undefined): Cell {
  const done = new Map<Cell, Cell>();
  const fill = (cell: Cell): Cell => {
    if (cell.levelMask === 0) return cell;
    const before = done.get(cell);
    if (before !== undefined) return before;
    const made = cell.kind === CellKind.pruned ? fetch(cell) : rebuildCell(cell, cell.refs().map(fill));
    done.set(cell, made);
    return made;
  };
  const fetch = (cell: Cell): Cell => {
    const hash = cell.hash(0);
    const found = find(hash);
    if (found === undefined) throw new CellError("cell/update", `cell ${hash} is missing`, { data: { hash } });
    return found;
  };
  return fill(half);
}
