import type { Cell } from "./Cell.ts";
import { CellKind } from "./CellKind.ts";
import { CellError } from "./errors.ts";
import { makeUpdateCell, rebuildCell } from "./exotic.ts";
import type { Hash } from "./Hash.ts";
import { rebuildTree } from "./internal/rebuildTree.ts";
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
 * made; without it the whole old tree is walked. Cells of the new tree that the old one has are pruned in both. Merkle
 * cells within the trees are taken or left as a whole.
 */
export function makeMerkleUpdate(from: Cell, to: Cell, opened?: ReadonlySet<Cell>): Cell {
  const parents = listParents(from, opened);
  const used = new Set<Hash>();
  const newHalf = pruneTree(to, (cell, merkles) => {
    const hash = cell.hash(0);
    if (merkles > 0 || !parents.has(hash)) return true;
    used.add(hash);
    return false;
  });
  const above = listAbove(used, parents);
  const oldHalf = pruneTree(from, (cell, merkles) => merkles === 0 && above.has(cell.hash(0)));
  return makeUpdateCell(oldHalf, newHalf);
}

/** The old tree as far as it was opened: each cell's hash with that of the cell through which it was first met. */
function listParents(from: Cell, opened: ReadonlySet<Cell> | undefined): Map<Hash, Hash | undefined> {
  const parents = new Map<Hash, Hash | undefined>([[from.hash(0), undefined]]);
  const stack = [from];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (cell.kind >= CellKind.merkleProof || opened?.has(cell) === false) continue;
    for (const child of cell.refs()) {
      const hash = child.hash(0);
      if (parents.has(hash)) continue;
      parents.set(hash, cell.hash(0));
      stack.push(child);
    }
  }
  return parents;
}

/** All cells of the old tree on the way from the root to the used ones. */
function listAbove(used: ReadonlySet<Hash>, parents: ReadonlyMap<Hash, Hash | undefined>): Set<Hash> {
  const above = new Set<Hash>();
  for (const hash of used) {
    let parent = parents.get(hash);
    while (parent !== undefined && !above.has(parent)) {
      above.add(parent);
      parent = parents.get(parent);
    }
  }
  return above;
}

/** The tree an update leads to, given the tree it starts from. Both are checked by hash. */
export function applyMerkleUpdate(from: Cell, update: Cell): Cell {
  const halves = openMerkleUpdate(update);
  if (from.hash(0) !== halves.from.hash(0))
    throw new CellError("cell/update", `an update of ${halves.from.hash(0)} cannot be applied to ${from.hash(0)}`);
  const known = collectKnown(from, halves.from);
  const made = restore(halves.to, (hash) => known.get(hash));
  if (made.hash(0) !== halves.to.hash(0))
    throw new CellError("cell/update", `the update names ${halves.to.hash(0)} and leads to ${made.hash(0)}`);
  return made;
}

/** Walks the old tree along the update's old half; where that is pruned, the old tree has the cell. */
function collectKnown(from: Cell, half: Cell): Map<Hash, Cell> {
  const known = new Map<Hash, Cell>();
  const seen: Set<Cell>[] = [];
  const stack = [{ tree: from, half, merkles: 0 }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { tree, half: along, merkles } = place;
    seen[merkles] ??= new Set();
    if (seen[merkles].has(along)) continue;
    seen[merkles].add(along);
    known.set(along.hash(merkles), tree);
    if (along.kind === CellKind.pruned) continue;
    const below = along.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
    for (let i = 0; i < along.refCount; i++) stack.push({ tree: tree.ref(i), half: along.ref(i), merkles: below });
  }
  return known;
}

/**
 * A tree with the pruned branches of its outermost level filled in by `find`, which is asked for the hash of what is
 * missing; branches that belong to Merkle cells within the tree stay. What cannot be found is `cell/update`.
 */
export function restore(half: Cell, find: (hash: Hash) => Cell | undefined): Cell {
  const replace = (cell: Cell, merkles: number): Cell | undefined => {
    if (cell.level <= merkles) return cell;
    if (cell.kind !== CellKind.pruned) return undefined;
    const hash = cell.hash(merkles);
    const found = find(hash);
    if (found === undefined) throw new CellError("cell/update", `cell ${hash} is missing`, { data: { hash } });
    return found;
  };
  return rebuildTree(half, replace, rebuildCell);
}
