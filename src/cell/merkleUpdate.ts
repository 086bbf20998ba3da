import type { Cell } from "./Cell.ts";
import { CellKind } from "./CellKind.ts";
import { CellError } from "./errors.ts";
import { makeUpdateCell, rebuildCell } from "./exotic.ts";
import type { Hash } from "./Hash.ts";
import { rebuildTree } from "./internal/rebuildTree.ts";
import { pruneTree } from "./merkleProof.ts";

/** Checks a Merkle update and returns its two halves. */
export function openMerkleUpdate(update: Cell): { readonly from: Cell; readonly to: Cell } {
  if (update.kind !== CellKind.merkleUpdate)
    throw new CellError("cell/update", "a Merkle update is expected and this is another cell");
  update.hashBytes();
  return { from: update.ref(0), to: update.ref(1) };
}

/**
 * An update from one tree to another: both trees are walked side by side as far as they differ, and cells of the new
 * tree that the old one has are pruned in both. `kept` are cells of the old tree, by hash, that stay open if the cell
 * above them does. Merkle cells within the trees are kept or pruned as a whole.
 */
export function makeMerkleUpdate(from: Cell, to: Cell, kept: ReadonlySet<Hash> = new Set()): Cell {
  const hashOf = rememberHashes();
  const parents = listDifferent(from, to, hashOf);
  const used = new Set<Hash>();
  const newHalf = pruneTree(to, (cell, merkles) => {
    const hash = hashOf(cell);
    if (merkles > 0 || !parents.has(hash)) return true;
    used.add(hash);
    return false;
  });
  const above = listAbove(used, parents);
  const isOpen = (hash: Hash): boolean => above.has(hash) || kept.has(hash);
  const oldHalf = pruneTree(from, (cell, merkles) => merkles === 0 && isOpen(hashOf(cell)));
  return makeUpdateCell(oldHalf, newHalf);
}

type HashOf = (cell: Cell) => Hash;

/** The lowest hash of a cell. Each is needed several times, and its text costs more than finding it. */
function rememberHashes(): HashOf {
  const known = new Map<Cell, Hash>();
  return (cell) => {
    let hash = known.get(cell);
    if (hash === undefined) {
      hash = cell.hash(0);
      known.set(cell, hash);
    }
    return hash;
  };
}

/** Cells of the old tree by hash, each with the hash of its first parent. */
type Parents = Map<Hash, Hash | undefined>;

/** Adds the children of a cell that are not in the list yet, and returns those. */
function noteChildren(cell: Cell, parents: Parents, hashOf: HashOf): Cell[] {
  if (cell.kind >= CellKind.merkleProof) return [];
  const own = hashOf(cell);
  return cell.refs().filter((child) => {
    const hash = hashOf(child);
    if (parents.has(hash)) return false;
    parents.set(hash, own);
    return true;
  });
}

/**
 * The old tree as far as it differs from the new one. Both are opened level by level; a cell that the other side
 * already has is not opened, so that the cost depends on the change and not on the size of the trees.
 */
function listDifferent(from: Cell, to: Cell, hashOf: HashOf): Parents {
  const parents: Parents = new Map([[hashOf(from), undefined]]);
  const seen = new Set<Hash>();
  const firstSeen = (cell: Cell): boolean => !seen.has(hashOf(cell)) && seen.add(hashOf(cell)) !== undefined;
  // The roots are always opened: an update contains at least those.
  let olds = noteChildren(from, parents, hashOf);
  let news = to.refs().filter(firstSeen);
  while (news.length > 0) {
    olds = olds.filter((cell) => !seen.has(hashOf(cell))).flatMap((cell) => noteChildren(cell, parents, hashOf));
    const changed = news.filter((cell) => !parents.has(hashOf(cell)));
    news = changed.flatMap((cell) => cell.refs()).filter(firstSeen);
  }
  return parents;
}

/** All cells of the old tree between the root and the used cells. */
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

/** The tree after an update, given the tree before it. Both are checked by hash. */
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
 * A tree with the pruned branches of its outermost level replaced by what `find` returns for their hash; branches of
 * Merkle cells within the tree stay. A missing cell is `cell/update`.
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
