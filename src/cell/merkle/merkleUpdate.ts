import type { Steps } from "../../lib/sharing/steps.ts";
import { CellKind } from "../base/CellKind.ts";
import { CellError } from "../base/errors.ts";
import type { Cell } from "../Cell.ts";
import { makePruned, makeUpdateCell, rebuildCell } from "../exotic.ts";
import type { Hash } from "../Hash.ts";
import { pruneTree } from "./merkleProof.ts";
import { rebuildTree } from "./rebuildTree.ts";

/** Checks a Merkle update and returns its two halves. */
export function openMerkleUpdate(update: Cell): { readonly from: Cell; readonly to: Cell } {
  const halves = openProvedUpdate(update);
  update.hashBytes();
  return halves;
}

/** The two halves of an update that is part of a proved block: what it says about them holds. */
export function openProvedUpdate(update: Cell): { readonly from: Cell; readonly to: Cell } {
  if (update.kind !== CellKind.merkleUpdate)
    throw new CellError("cell/update", "a Merkle update is expected and this is another cell");
  return { from: update.ref(0), to: update.ref(1) };
}

/**
 * An update from one tree to another: both trees are walked side by side as far as they differ, and cells of the new
 * tree that the old one has are pruned in both. `kept` are cells of the old tree, by hash, that stay open if the cell
 * above them does. Merkle cells within the trees are kept or pruned as a whole. All cells should have their hashes:
 * they would be computed in one piece.
 */
export function* makeMerkleUpdate(from: Cell, to: Cell, kept: ReadonlySet<Hash> = new Set()): Steps<Cell> {
  const nodes = new Nodes();
  yield* listDifferent(from, to, nodes);
  // The halves leave out the same cells, so they share the branches in their place.
  const prune = (cell: Cell, level: number): Cell => {
    if (level > 1) return makePruned(cell, level);
    const node = nodes.of(cell);
    node.pruned ??= makePruned(cell, level);
    return node.pruned;
  };
  const newHalf = yield* pruneTree(
    to,
    (cell, merkles) => {
      if (merkles > 0) return true;
      const node = nodes.of(cell);
      if (node.isOld) openAbove(node);
      return !node.isOld;
    },
    prune,
  );
  const isKept = (cell: Cell): boolean => kept.size > 0 && kept.has(cell.hash(0));
  const isOpen = (cell: Cell, merkles: number): boolean => merkles === 0 && (nodes.of(cell).isOpen || isKept(cell));
  const oldHalf = yield* pruneTree(from, isOpen, prune);
  return makeUpdateCell(oldHalf, newHalf);
}

/** Cells of both trees that are compared in one step. */
const visitedPerStep = 500;

/** What is known of all cells with the same lowest hash. */
class Node {
  readonly cell: Cell;
  /** Another one with the same first hash bits. */
  readonly alike: Node | undefined;
  /** Whether it was met in the old tree, and below which cell first. */
  isOld = false;
  parent: Node | undefined;
  /** Whether it was met in the new tree. */
  isNew = false;
  /** Whether the old half shows its content: a cell that the new half takes over is below. */
  isOpen = false;
  /** The pruned branch in its place. */
  pruned: Cell | undefined;

  constructor(cell: Cell, alike: Node | undefined) {
    this.cell = cell;
    this.alike = alike;
  }
}

class Nodes {
  readonly #byCell = new Map<Cell, Node>();
  /** By the first bits of the hash: its text would take longer to make than to find it. */
  readonly #byHash = new Map<number, Node>();

  of(cell: Cell): Node {
    const known = this.#byCell.get(cell);
    if (known !== undefined) return known;
    const start = cell.hashStart(0);
    const first = this.#byHash.get(start);
    let node = first;
    while (node !== undefined && !isSameTree(node.cell, cell)) node = node.alike;
    if (node === undefined) {
      node = new Node(cell, first);
      this.#byHash.set(start, node);
    }
    this.#byCell.set(cell, node);
    return node;
  }
}

function isSameTree(a: Cell, b: Cell): boolean {
  if (a.levelMask === 0 && b.levelMask === 0) return a.equals(b);
  return Buffer.compare(a.hashBytes(0), b.hashBytes(0)) === 0;
}

/**
 * Marks the old tree as far as it differs from the new one. Both are opened level by level; a cell that the other side
 * already has is not opened, so that the cost depends on the change and not on the size of the trees.
 */
function* listDifferent(from: Cell, to: Cell, nodes: Nodes): Steps<void> {
  const root = nodes.of(from);
  root.isOld = true;
  // The roots are always opened: an update contains at least those.
  let olds: Node[] = [];
  noteChildren(root, nodes, olds);
  let news: Node[] = [];
  meetChildren(to, nodes, news);
  let visits = 0;
  while (news.length > 0) {
    const oldsBelow: Node[] = [];
    for (const node of olds) {
      if (!node.isNew) noteChildren(node, nodes, oldsBelow);
      if (++visits % visitedPerStep === 0) yield;
    }
    olds = oldsBelow;
    const newsBelow: Node[] = [];
    for (const node of news) {
      if (!node.isOld) meetChildren(node.cell, nodes, newsBelow);
      if (++visits % visitedPerStep === 0) yield;
    }
    news = newsBelow;
  }
}

/** Marks the children of an old cell, and adds those that were not met before to a list. */
function noteChildren(parent: Node, nodes: Nodes, found: Node[]): void {
  const { cell } = parent;
  if (cell.kind >= CellKind.merkleProof) return;
  for (let i = 0; i < cell.refCount; i++) {
    const node = nodes.of(cell.ref(i));
    if (node.isOld) continue;
    node.isOld = true;
    node.parent = parent;
    found.push(node);
  }
}

/** The same for a new cell. */
function meetChildren(cell: Cell, nodes: Nodes, found: Node[]): void {
  for (let i = 0; i < cell.refCount; i++) {
    const node = nodes.of(cell.ref(i));
    if (node.isNew) continue;
    node.isNew = true;
    found.push(node);
  }
}

/** All cells of the old tree between the root and a cell that the new half takes over. */
function openAbove({ parent }: Node): void {
  for (let node = parent; node !== undefined && !node.isOpen; node = node.parent) node.isOpen = true;
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
