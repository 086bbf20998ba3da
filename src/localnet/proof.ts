import type { Cell } from "../cell/Cell.ts";
import { CellKind } from "../cell/CellKind.ts";
import { makeProofCell, makePruned, rebuildCell } from "../cell/exotic.ts";
import type { Hash } from "../cell/Hash.ts";
import { rawSliceOf } from "../cell/Slice.ts";
import { watchVisits } from "../cell/visits.ts";

/**
 * A tree that is read in order to prove what was read. Read through `root`; `proof` keeps the cells opened so far, all
 * cells of equal content included, as a node's proofs do.
 */
export interface Reading {
  readonly root: Cell;
  proof(): Cell;
}

/** Reads a block. A node has blocks in memory as a whole: cells without references are never left out of their proofs. */
export function readBlock(root: Cell): Reading {
  return read(root, (cell) => cell.refCount === 0);
}

/**
 * Reads a state. A node keeps states in a database, cell by cell: what was not fetched is left out, however small. Cells
 * at the bottom are stored together with the one above them, and so are fetched with it.
 */
export function readState(root: Cell): Reading {
  return read(root, (cell, parent) => cell.refCount === 0 && parent.depth() <= storedTogether);
}

const storedTogether = 2;

type IsKept = (cell: Cell, parent: Cell) => boolean;

function read(root: Cell, isKept: IsKept): Reading {
  const visits = watchVisits(root);
  const proof = (): Cell => {
    const opened = new Set<Hash>();
    for (const cell of visits.opened) opened.add(cell.hash());
    return makeProofCell(prune(root, opened, isKept));
  };
  return { root: visits.root, proof };
}

/** Levels end at 3: below three Merkle cells of the tree itself there is none left for a pruned branch. */
const deepestPruned = 2;

function prune(root: Cell, opened: ReadonlySet<Hash>, isKept: IsKept): Cell {
  // By hash, as the node does it: equal cells are kept or left out together, as the first of them is.
  const done: Map<Hash, Cell>[] = [];
  // As deep as the cells that were opened, which whoever opened them has bounded.
  const made = (cell: Cell, parent: Cell, merkles: number): Cell => {
    done[merkles] ??= new Map();
    const hash = cell.hash();
    const known = done[merkles].get(hash);
    if (known !== undefined) return known;
    const result = make(cell, parent, hash, merkles);
    done[merkles].set(hash, result);
    return result;
  };
  const make = (cell: Cell, parent: Cell, hash: Hash, merkles: number): Cell => {
    if (cell.kind === CellKind.pruned || merkles > deepestPruned) return cell;
    if (cell !== root && !opened.has(hash)) return isKept(cell, parent) ? cell : makePruned(cell, merkles + 1);
    if (cell.refCount === 0) return cell;
    const below = cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
    return rebuildCell(
      cell,
      cell.refs().map((child) => made(child, cell, below)),
    );
  };
  return made(root, root, 0);
}

/** Opens one cell, whatever it holds, so that it becomes part of the proof. */
export function openCell(cell: Cell): void {
  rawSliceOf(cell);
}

/** Opens a cell and everything below it. */
export function openAll(cell: Cell | undefined): void {
  const seen = new Set<Cell>();
  const stack = cell === undefined ? [] : [cell];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    openCell(next);
    stack.push(...next.refs());
  }
}

/** Opens the cells with these hashes that can be reached over each other from the root. */
export function openHashes(root: Cell, hashes: ReadonlySet<Hash>): void {
  const seen = new Set<Cell>();
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next) || !hashes.has(next.hash())) continue;
    seen.add(next);
    openCell(next);
    stack.push(...next.refs());
  }
}
